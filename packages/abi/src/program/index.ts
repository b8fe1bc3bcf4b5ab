export { type Attributes, type CacheShape, type Operands, ProgramBuilder, recordProgram } from './builder.js';
export { callSizes } from './call-sizes.js';
export { decompose, type Rewrite } from './decompose.js';
export { type BoundSizes, type Inferred, inferCall } from './infer.js';
export { programFromJson, programToJson } from './json.js';
export type { CacheLayer, Call, Dimension, ElementType, Program, Value, Weight } from './program.js';
