import { requestInvalid } from '../request-invalid.js';
import type { NamedTokens } from './named-tokens.js';
import type { Segmenter } from './segmenter.js';
import { type Span, SpecialSplitter } from './special-splitter.js';
import { type TextStream, textStream } from './text-stream.js';
import { bytesOfToken } from './token-bytes.js';
import { type TokenTypeName, tokenTypeName, tokenTypes } from './token-type.js';
import type { Vocabulary } from './vocabulary.js';

/** A stretch of a prompt. Control tokens are found in trusted text, such as that of a template, only. */
export interface TextPart {
  readonly text: string;
  readonly trusted: boolean;
}

export interface MarkOptions {
  /** Puts the start token in front where the file asks for one and the text does not begin with it. */
  readonly addBos?: boolean;
  /** Puts the end token behind where the file asks for one (as models of embeddings do). */
  readonly addEos?: boolean;
}

export interface EncodeOptions extends MarkOptions {
  /** Finds control tokens in the text. Never for text of a user, who could end a turn with it. */
  readonly parseSpecial?: boolean;
}

export interface DecodeOptions {
  /** Shows control tokens too, by their text. */
  readonly special?: boolean;
  /** Control tokens that are shown all the same: tags that a reader of the text looks for. */
  readonly show?: ReadonlySet<number> | undefined;
  /**
   * The ids begin a text: the space that encoding put in front of it (in SentencePiece vocabularies) is dropped.
   * Not for an answer, which follows a prompt.
   */
  readonly atStart?: boolean;
}

export interface TokenInfo {
  readonly id: number;
  /** As it is spelled in the file; `tokenBytes` gives what it stands for. */
  readonly text: string;
  readonly type: TokenTypeName;
}

/** Text to ids and back, as the model of one file was trained. */
export class Tokenizer {
  /** Rows that the vocabulary names; a model may have more. */
  readonly vocabularySize: number;
  /** Ids with a role. */
  readonly named: NamedTokens;
  /** A model that samples one of these has ended its answer. */
  readonly endOfGeneration: ReadonlySet<number>;
  /** Never to be sampled. */
  readonly suppressed: ReadonlySet<number>;
  readonly #vocabulary: Vocabulary;
  readonly #segmenter: Segmenter;
  readonly #splitter: SpecialSplitter;
  /** By id, once asked for. */
  readonly #bytes: (Uint8Array | undefined)[];

  /** @internal Made by `createTokenizer`. */
  constructor(vocabulary: Vocabulary, segmenter: Segmenter) {
    this.#vocabulary = vocabulary;
    this.#segmenter = segmenter;
    this.#splitter = new SpecialSplitter(vocabulary);
    this.vocabularySize = vocabulary.tokens.length;
    this.#bytes = new Array(this.vocabularySize);
    this.named = vocabulary.named;
    this.endOfGeneration = vocabulary.endOfGeneration;
    this.suppressed = vocabulary.suppressed;
  }

  encode(text: string, { parseSpecial = false, ...marks }: EncodeOptions = {}): number[] {
    return this.encodeParts([{ text, trusted: parseSpecial }], marks);
  }

  /**
   * The ids of the joined parts. What lies between two special tokens is one text, whatever parts it comes from:
   * a word is not cut where a template ends and a message begins.
   */
  encodeParts(parts: readonly TextPart[], { addBos, addEos }: MarkOptions = {}): number[] {
    // A lone surrogate is no character; pieces and bytes must agree on what it is.
    const text = parts
      .map((part) => part.text)
      .join('')
      .replace(/\p{Surrogate}/gu, '\ufffd');
    const ids: number[] = [];
    let leads = true;
    for (const { start, end, token } of this.#splitter.split(text, trustedSpans(parts))) {
      if (token === undefined) this.#segmenter.segment(text.slice(start, end), leads, ids);
      else ids.push(token);
      leads = token !== undefined;
    }
    const { named, addBos: wantsBos, addEos: wantsEos } = this.#vocabulary;
    if (addBos && wantsBos && ids[0] !== named.bos) ids.unshift(named.bos!);
    if (addEos && wantsEos && ids.at(-1) !== named.eos) ids.push(named.eos!);
    return ids;
  }

  /** The text of all ids; what a text stream gives for them, joined. An id that is none is REQUEST_INVALID. */
  decode(ids: Iterable<number>, options: DecodeOptions = {}): string {
    const bytes = this.#visibleBytes(options);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(joined(Array.from(ids, bytes)));
  }

  textStream(options: DecodeOptions = {}): TextStream {
    return textStream(this.#visibleBytes(options));
  }

  /**
   * The bytes that a token stands for, those of its text for a control token; not to be written to.
   * REQUEST_INVALID beyond the last.
   */
  tokenBytes(id: number): Uint8Array {
    this.#check(id);
    this.#bytes[id] ??= bytesOfToken(this.#vocabulary, id);
    return this.#bytes[id];
  }

  /** REQUEST_INVALID beyond the last. */
  token(id: number): TokenInfo {
    this.#check(id);
    const { tokens, types } = this.#vocabulary;
    return { id, text: tokens[id]!, type: tokenTypeName(types[id]!)! };
  }

  /** The id of the token that the file spells so, such as `<think>`. */
  idOf(text: string): number | undefined {
    return this.#vocabulary.index.any(text);
  }

  isEndOfGeneration(id: number): boolean {
    return this.endOfGeneration.has(id);
  }

  /** What each token adds to a shown text. */
  #visibleBytes({ special = false, atStart = false, show }: DecodeOptions): (id: number) => Uint8Array {
    const { segmentation, types } = this.#vocabulary;
    let dropsSpace = atStart && segmentation.kind === 'sentence-piece' && segmentation.addSpacePrefix;
    return (id) => {
      const bytes = this.tokenBytes(id);
      if (!special && hidden.has(types[id]!) && !show?.has(id)) return nothing;
      if (!dropsSpace || bytes.length === 0) return bytes;
      dropsSpace = false;
      return bytes[0] === 0x20 ? bytes.subarray(1) : bytes;
    };
  }

  #check(id: number): void {
    if (Number.isInteger(id) && id >= 0 && id < this.vocabularySize) return;
    throw requestInvalid('token id', `a token id below ${this.vocabularySize}`, String(id));
  }
}

const hidden: ReadonlySet<number> = new Set([tokenTypes.control, tokenTypes.unknown, tokenTypes.unused]);
const nothing = new Uint8Array(0);

/** The trusted stretches of the joined parts; neighbours are one stretch. */
function trustedSpans(parts: readonly TextPart[]): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { text, trusted } of parts) {
    const end = start + text.length;
    const last = spans.at(-1);
    if (trusted && last?.end === start) spans.splice(-1, 1, { start: last.start, end });
    else if (trusted) spans.push({ start, end });
    start = end;
  }
  return spans;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
