// @ts-check

/**
 * What an engine is to open. `context` is positions a sequence. `isa` holds it to an instruction set.
 *
 * @typedef {{ model: string, threads: number, context: number, sequences: number, isa?: string }} EngineJob
 */

/** Times in milliseconds: up to the first token, and from there to the last. @typedef {{ firstMs: number, restMs: number }} Answer */

/**
 * An engine with one model open. Tokens are chosen greedily, and the end of a turn does not end an answer. An
 * answer shares nothing with those before it.
 *
 * @typedef {object} Engine
 * @property {Record<string, unknown>} about what ran: versions, device or variant, threads
 * @property {(prompt: number[], tokens: number) => Promise<Answer>} generate
 * @property {(prompts: number[][], tokens: number) => Promise<{ ms: number } | { leftOut: string }>} generateTogether
 *   all prompts at once, in steps that hold a row of each; left out where the engine does not do that
 * @property {() => Record<string, number>} counts figures of its own about the last answer
 * @property {() => Promise<void>} close
 */

/** @typedef {{ open: (job: EngineJob) => Promise<Engine> }} EngineModule */
export {};
