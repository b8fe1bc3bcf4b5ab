/**
 * Every failure that a caller may want to tell from another, with what was found and what was expected.
 * Codes are stable; messages are not. Listed for readers in docs/reference/errors.md.
 */
export interface ErrorDetails {
  /** A GGUF file breaks the format. `offset` is the byte of the field at fault, where one place is at fault. */
  MODEL_MALFORMED: { field: string; expected: string; found: string; offset?: number };
  /** A file is sound, but holds something that this version does not run (at byte `offset` of the file). */
  MODEL_UNSUPPORTED: { what: string; found: string; supported: string; offset?: number };
  /** A model file, or one part of a split set, cannot be read. */
  MODEL_NOT_FOUND: { path: string; reason: string };
  /** The chat template fails, or goes beyond its bounds of steps and output. */
  TEMPLATE_FAILED: { reason: string; limit?: string };
  /** The prompt and the room for its answer do not fit the context. Both in tokens. */
  CONTEXT_OVERFLOW: { promptTokens: number; maxModelLen: number };
  /** A request value that only the model can judge (an id beyond the vocabulary, an empty prompt). */
  REQUEST_INVALID: { field: string; expected: string; found: string };
  /** So many answers and texts are under way, as many as may be. */
  QUEUE_FULL: { underWay: number };
  /** A program breaks an op's declaration: `where` names the call, `dimension` the axis at fault. */
  PROGRAM_INVALID: { where: string; expected: string; found: string; dimension?: string };
  /** A step does not fit the program it is given to. */
  STEP_INVALID: { field: string; expected: string; found: string };
  /** The device has no kernel for this op in this weight format. */
  OP_UNSUPPORTED: { device: string; op: string; format: string; reason?: string };
  /** The model's logits hold nothing to choose a token from: its weights are damaged, or a kernel is wrong. */
  LOGITS_INVALID: { expected: string; found: string };
  /** The plugin was built for another version of the ABI. */
  ABI_MISMATCH: { plugin: string; wants: number; has: number };
  /** A package does not hold a backend plugin, or its capabilities file is not valid. */
  PLUGIN_INVALID: { plugin: string; reason: string };
  /** No backend of that name, package or path; or none at all. */
  BACKEND_NOT_FOUND: { wanted: string; available: readonly string[] };
  /** Several backends rank alike; one has to be chosen by name. */
  BACKEND_AMBIGUOUS: { candidates: readonly string[] };
  /** The backend is known, and cannot run on this machine. */
  BACKEND_UNAVAILABLE: { backend: string; reason: string };
  /** This process has opened another backend or device before. */
  BACKEND_ALREADY_OPEN: { open: string; wanted: string };
  /** Memory of the device or of this process does not suffice. Sizes in bytes. */
  OUT_OF_MEMORY: { what: string; wanted: number; available?: number };
  /** A backend, executable, cache or model was used after it was closed. */
  CLOSED: { what: string };
  /** The caller's AbortSignal fired. */
  CANCELLED: { during: string };
  /** The device stopped answering; open it again. */
  DEVICE_LOST: { device: string; reason: string };
}

export type ErrorCode = keyof ErrorDetails;

const mark = Symbol.for('pocketllm.error');

/** What to do next, by code: the last sentence of a message. */
const nextStep: Record<ErrorCode, string> = {
  MODEL_MALFORMED: 'Download the file again, or convert it again.',
  MODEL_UNSUPPORTED: 'Use a model listed by `pocketllm architectures`.',
  MODEL_NOT_FOUND: 'Check the path; a split model needs all of its parts in one folder.',
  TEMPLATE_FAILED: 'Pass a prompt without the template (--raw), or a file with a sound template.',
  CONTEXT_OVERFLOW: 'Shorten the prompt, or raise --max-model-len where the model allows it.',
  REQUEST_INVALID: 'Change the request.',
  QUEUE_FULL: 'Ask again when an answer has ended, or let more wait.',
  PROGRAM_INVALID: 'Fix the architecture that records this program.',
  STEP_INVALID: 'Fix the caller that forms this step.',
  OP_UNSUPPORTED: 'Choose another backend (`pocketllm ops`) or another quantization of the model.',
  LOGITS_INVALID: 'Download the model again; if it stays, report the model and the backend.',
  ABI_MISMATCH: 'Install a version of the plugin for this version of PocketLLM.',
  PLUGIN_INVALID: 'Ask the author of the plugin; its conformance report shows what is missing.',
  BACKEND_NOT_FOUND: 'Install a backend package, or name one of those that are available.',
  BACKEND_AMBIGUOUS: 'Choose one with --backend.',
  BACKEND_UNAVAILABLE: 'Choose another backend; `pocketllm devices` says what each one lacks.',
  BACKEND_ALREADY_OPEN: 'Use one backend per process; start a second process for the other.',
  OUT_OF_MEMORY: 'Use a smaller model or context, or a lower rung of weight formats.',
  CLOSED: 'Open it again.',
  CANCELLED: 'Nothing was lost; ask again when wanted.',
  DEVICE_LOST: 'Open the device again.',
};

/** An error with a stable code and typed details. Test with {@link isPocketError}, not with instanceof. */
export class PocketError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PocketError';
  readonly [mark] = true;

  constructor(
    readonly code: Code,
    readonly details: ErrorDetails[Code],
    options?: ErrorOptions,
  ) {
    super(`${describe(code, details)} ${nextStep[code]}`, options);
  }
}

/**
 * Whether `error` is a PocketError, of the given code where one is given.
 * Looks for a registered symbol, since an application may load two copies of this package.
 */
export function isPocketError(error: unknown): error is PocketError;
export function isPocketError<Code extends ErrorCode>(error: unknown, code: Code): error is PocketError<Code>;
export function isPocketError(error: unknown, code?: ErrorCode): boolean {
  if (typeof error !== 'object' || error === null || !(mark in error)) return false;
  return code === undefined || (error as PocketError).code === code;
}

function describe(code: ErrorCode, details: object): string {
  const facts = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') || 'none' : String(value)}`);
  return `${code}: ${facts.join('; ')}.`.replace(steering, escaped);
}

/** Characters that steer a terminal or reorder a line: details may hold names that a stranger chose. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escaped = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;
