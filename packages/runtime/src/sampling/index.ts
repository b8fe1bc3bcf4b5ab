export { logprobs, type TokenLogprob } from './logprobs.js';
export type { RecommendedSampling, ResolvedSampling, SamplingOptions } from './options.js';
export { Random } from './random.js';
export { recommendedSampling } from './recommended.js';
export { resolveSampling } from './resolve.js';
export { Sampler } from './sampler.js';
export type { TokenConstraint } from './token-constraint.js';
