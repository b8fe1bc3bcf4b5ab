import type { MetadataView } from '../gguf/metadata-view.js';

/** Ids with a role. Those that the file does not give, or gives wrongly, are absent. */
export interface NamedTokens {
  readonly bos?: number;
  readonly eos?: number;
  /** End of a turn, and of a message that goes on after a tool has answered. */
  readonly eot?: number;
  readonly eom?: number;
  readonly unknown?: number;
  readonly padding?: number;
  /** Fill in the middle: what precedes, what follows, and what is wanted. */
  readonly fimPrefix?: number;
  readonly fimSuffix?: number;
  readonly fimMiddle?: number;
  readonly fimPadding?: number;
  readonly fimRepository?: number;
  readonly fimSeparator?: number;
}

export type TokenRole = keyof NamedTokens;

interface Naming {
  /** Metadata keys without `tokenizer.ggml.`; the first that is present counts. */
  readonly keys: readonly string[];
  /** Spellings that have the role where no key gives it; the first that is a token counts. */
  readonly texts?: readonly string[];
}

const namings: Readonly<Record<TokenRole, Naming>> = {
  bos: { keys: ['bos_token_id'] },
  eos: { keys: ['eos_token_id'] },
  eot: { keys: ['eot_token_id'] },
  eom: { keys: ['eom_token_id'] },
  unknown: { keys: ['unknown_token_id'] },
  padding: { keys: ['padding_token_id'] },
  fimPrefix: {
    keys: ['fim_pre_token_id', 'prefix_token_id'],
    texts: ['<|fim_prefix|>', '<fim-prefix>', '<fim_prefix>', '<｜fim▁begin｜>', '<PRE>', '▁<PRE>'],
  },
  fimSuffix: {
    keys: ['fim_suf_token_id', 'suffix_token_id'],
    texts: ['<|fim_suffix|>', '<fim-suffix>', '<fim_suffix>', '<｜fim▁hole｜>', '<SUF>', '▁<SUF>'],
  },
  fimMiddle: {
    keys: ['fim_mid_token_id', 'middle_token_id'],
    texts: ['<|fim_middle|>', '<fim-middle>', '<fim_middle>', '<｜fim▁end｜>', '<MID>', '▁<MID>'],
  },
  fimPadding: { keys: ['fim_pad_token_id'], texts: ['<|fim_pad|>', '<fim-pad>', '<fim_pad>', '<PAD>'] },
  fimRepository: {
    keys: ['fim_rep_token_id'],
    texts: ['<|fim_repo|>', '<|repo_name|>', '<fim-repo>', '<REPO>', '<reponame>'],
  },
  fimSeparator: { keys: ['fim_sep_token_id'], texts: ['<|file_sep|>'] },
};

/** Spellings that end an answer, whatever the keys say. */
const endTexts = [
  '<|eot_id|>',
  '<|im_end|>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<|flush|>',
  '<|calls|>',
  '<end_of_turn>',
  '<|endoftext|>',
  '</s>',
  '<|eom_id|>',
  '<EOT>',
  '_<EOT>',
  '[EOT]',
  '[EOS]',
  '<|end_of_text|>',
  '<end_of_utterance>',
  '<eos>',
  '<turn|>',
  '<|tool_response>',
  '<｜end▁of▁sentence｜>',
  '[e~[',
];

/** An ending that is none where these other tokens are present: there it separates parts of one answer. */
const notAnEnd = [
  { text: '<|end|>', where: ['<|return|>', '<|call|>'] },
  { text: '<|end|>', where: ['<|calls|>', '<|flush|>'] },
  { text: '</s>', where: ['<|tool_response>'] },
];

export interface TokenRoles {
  readonly named: NamedTokens;
  readonly endOfGeneration: ReadonlySet<number>;
  /** Tokens that have their role by their spelling: control tokens, whatever type the file gives them. */
  readonly bySpelling: ReadonlySet<number>;
}

/**
 * Finds the ids with a role, and those that end an answer. An id outside the vocabulary is ignored with a
 * warning; but that of eos is MODEL_MALFORMED, since a model that cannot end its answer must not start one.
 */
export function tokenRoles(
  view: MetadataView,
  tokens: readonly string[],
  defaults: NamedTokens,
  warn: (warning: string) => void,
): TokenRoles {
  const idOf = idsOfSpellings(tokens);
  const bySpelling = new Set<number>();
  const spelled = (text: string) => {
    const id = idOf.get(text);
    if (id !== undefined) bySpelling.add(id);
    return id;
  };

  const named: { -readonly [Role in TokenRole]?: number } = {};
  for (const role of Object.keys(namings) as TokenRole[]) {
    const { keys, texts = [] } = namings[role];
    const key = keys.map((name) => `tokenizer.ggml.${name}`).find((name) => view.metadata.has(name));
    const id =
      key === undefined
        ? (firstOf(texts, spelled) ?? defaults[role])
        : role === 'eos'
          ? view.integer(key, { max: tokens.length - 1 })
          : view.integer(key, anyInteger);
    if (id === undefined) continue;
    if (id >= 0 && id < tokens.length) named[role] = id;
    else warn(`${key ?? role} is ${id}, outside the vocabulary of ${tokens.length} tokens: ignored`);
  }

  const { eos, eot, eom, fimPadding, fimRepository, fimSeparator } = named;
  const ends = [eos, eot, eom, fimPadding, fimRepository, fimSeparator, ...endTexts.map(spelled)];
  const endOfGeneration = new Set(ends.filter((id) => id !== undefined));
  for (const { text, where } of notAnEnd) {
    const id = idOf.get(text);
    if (id !== undefined && where.every((other) => idOf.has(other))) endOfGeneration.delete(id);
  }
  return { named, endOfGeneration, bySpelling };
}

/** The ids of those tokens whose spelling says what they are; of several alike, the last. */
function idsOfSpellings(tokens: readonly string[]): ReadonlyMap<string, number> {
  const spellings = new Set([
    ...endTexts,
    ...notAnEnd.flatMap(({ where }) => where),
    ...Object.values(namings).flatMap(({ texts = [] }) => texts),
  ]);
  const ids = new Map<string, number>();
  for (const [id, text] of tokens.entries()) {
    if (spellings.has(text)) ids.set(text, id);
  }
  return ids;
}

const anyInteger = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

function firstOf<T>(texts: readonly string[], find: (text: string) => T | undefined): T | undefined {
  for (const text of texts) {
    const found = find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}
