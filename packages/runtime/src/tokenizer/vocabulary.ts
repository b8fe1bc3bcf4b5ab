import { displayText } from '../gguf/display-text.js';
import type { GgufMetadata } from '../gguf/gguf-value.js';
import { MetadataView } from '../gguf/metadata-view.js';
import { malformed, unsupported } from '../gguf/refusal.js';
import { mostMerges } from './merge.js';
import { type NamedTokens, tokenRoles } from './named-tokens.js';
import { type PreTokenizer, preTokenizerNamed, preTokenizerNames } from './pretokenizers.js';
import { TokenIndex } from './token-index.js';
import { tokenTypeName, tokenTypes } from './token-type.js';

/** How text becomes tokens: byte-pair merges after cutting into pieces, or SentencePiece with a score a token. */
export type Segmentation =
  | { readonly kind: 'byte-pair'; readonly preTokenizer: PreTokenizer; readonly merges: readonly string[] }
  | { readonly kind: 'sentence-piece'; readonly scores: ArrayLike<number>; readonly addSpacePrefix: boolean };

/** What a file says of its tokenizer, checked. An id is an index of `tokens`. */
export interface Vocabulary {
  readonly tokens: readonly string[];
  /** The bytes of those tokens that are not UTF-8, by id. */
  readonly broken: ReadonlyMap<number, Uint8Array>;
  /** Numbers of `tokenTypes`. */
  readonly types: Uint8Array;
  readonly index: TokenIndex;
  readonly segmentation: Segmentation;
  readonly named: NamedTokens;
  readonly addBos: boolean;
  readonly addEos: boolean;
  readonly endOfGeneration: ReadonlySet<number>;
  /** Tokens that must never be sampled: padding of the vocabulary, and those that the file names. */
  readonly suppressed: ReadonlySet<number>;
  /** Special tokens that take the white space after them away. */
  readonly stripsAfter: ReadonlySet<number>;
}

/**
 * Reads the tokenizer of a file. MODEL_MALFORMED where keys are missing or contradict each other;
 * MODEL_UNSUPPORTED where the model, the pre-tokenizer or the size is not one that this version runs.
 */
export function readVocabulary(metadata: GgufMetadata, warn: (warning: string) => void): Vocabulary {
  const view = new MetadataView(metadata);
  const model = view.string('tokenizer.ggml.model');
  if (model !== 'gpt2' && model !== 'llama' && model !== 'gemma4') {
    throw unsupported('tokenizer.ggml.model', displayText(model), 'gpt2, llama, gemma4');
  }
  const { values: tokens, raw: broken } = view.strings('tokenizer.ggml.tokens');
  checkCount('tokenizer.ggml.tokens', tokens.length, 1);
  const segmentation = model === 'llama' ? sentencePiece(view, tokens.length) : bytePair(view, model, warn);

  const defaults = model === 'llama' ? { bos: 1, eos: 2, unknown: 0 } : {};
  const { named, endOfGeneration, bySpelling } = tokenRoles(view, tokens, defaults, warn);
  const types = readTypes(view, tokens, warn);
  for (const id of bySpelling) types[id] = tokenTypes.control;

  const addBos = segmentation.kind === 'sentence-piece' || segmentation.preTokenizer.addBos === true;
  return {
    tokens,
    broken,
    types,
    index: new TokenIndex(tokens, types, broken),
    segmentation,
    named,
    addBos: (view.optional.bool('tokenizer.ggml.add_bos_token') ?? addBos) && named.bos !== undefined,
    addEos: (view.optional.bool('tokenizer.ggml.add_eos_token') ?? false) && named.eos !== undefined,
    endOfGeneration,
    suppressed: suppressedTokens(view, types),
    stripsAfter: stripsAfter(view, tokens, types),
  };
}

function checkCount(key: string, count: number, least: number): void {
  if (count < least) throw malformed(key, `at least ${least} elements`, String(count));
  if (count > mostMerges) throw unsupported(`number of ${key}`, String(count), `up to ${mostMerges}`);
}

function sentencePiece(view: MetadataView, count: number): Segmentation {
  const key = 'tokenizer.ggml.scores';
  const scores = view.floats(key, { length: count });
  for (let id = 0; id < count; id++) {
    if (Number.isNaN(scores[id])) throw malformed(key, 'a number for each token', `NaN for token ${id}`);
  }
  const addSpacePrefix = view.optional.bool('tokenizer.ggml.add_space_prefix') ?? true;
  return { kind: 'sentence-piece', scores, addSpacePrefix };
}

function bytePair(
  view: MetadataView,
  model: 'gpt2' | 'gemma4',
  warn: (warning: string) => void,
): Segmentation {
  const key = 'tokenizer.ggml.pre';
  let name = model === 'gemma4' ? 'gemma4' : view.optional.string(key);
  if (name === undefined) {
    name = 'default';
    warn(`${key} is absent: text is cut as for "default", which may not be how the model was trained`);
  }
  const preTokenizer = preTokenizerNamed(name);
  if (!preTokenizer) throw unsupported(key, displayText(name), preTokenizerNames.join(', '));
  const merges = view.strings('tokenizer.ggml.merges').values;
  checkCount('tokenizer.ggml.merges', merges.length, 0);
  return { kind: 'byte-pair', preTokenizer, merges };
}

/** Tokens named [PADn] fill the vocabulary up to the rows of the model; older files call them user-defined. */
function readTypes(
  view: MetadataView,
  tokens: readonly string[],
  warn: (warning: string) => void,
): Uint8Array {
  const key = 'tokenizer.ggml.token_type';
  const options = { length: tokens.length, types: ['int32', 'uint32'] as const, max: 255 };
  const found = view.optional.integers(key, options);
  const types = found ? Uint8Array.from(found) : new Uint8Array(tokens.length).fill(tokenTypes.normal);
  let undefinedTypes = 0;
  for (const [id, type] of types.entries()) {
    const known = tokenTypeName(type) !== undefined;
    if (!known) undefinedTypes++;
    const padding = type === tokenTypes.userDefined && /^\[PAD\d+\]$/.test(tokens[id]!);
    if (padding || !known) types[id] = tokenTypes.unused;
  }
  if (undefinedTypes > 0) warn(`${key}: ${undefinedTypes} tokens have a type that is none, and are not used`);
  return types;
}

function suppressedTokens(view: MetadataView, types: Uint8Array): ReadonlySet<number> {
  const named = view.optional.integers('tokenizer.ggml.suppress_tokens', { min: -(2 ** 31) }) ?? [];
  const suppressed = new Set(Array.from(named).filter((id) => id >= 0 && id < types.length));
  for (const [id, type] of types.entries()) {
    if (type === tokenTypes.unused) suppressed.add(id);
  }
  return suppressed;
}

/** No key says it, but Phi-3 was trained with its special tokens taking the white space after them away. */
function stripsAfter(view: MetadataView, tokens: readonly string[], types: Uint8Array): ReadonlySet<number> {
  const strips = new Set<number>();
  if (!/phi-?3/i.test(view.optional.string('general.name') ?? '')) return strips;
  const { control, unknown, userDefined } = tokenTypes;
  const special: readonly number[] = [control, unknown, userDefined];
  for (const [id, type] of types.entries()) {
    if (special.includes(type) && !['<unk>', '<s>', '<|endoftext|>'].includes(tokens[id]!)) strips.add(id);
  }
  return strips;
}
