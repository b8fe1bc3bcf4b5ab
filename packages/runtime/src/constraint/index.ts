export { Constraints, type ToolChoice } from './constraints.js';
export type { ResponseFormat } from './response-format.js';
