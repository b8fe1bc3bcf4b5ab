/**
 * How text is cut into pieces before byte-pair merging, by the name in `tokenizer.ggml.pre`.
 *
 * The expressions of an entry are applied one after the other: the text is cut by the first, matches and the
 * gaps between them both stay as pieces, then every piece is cut by the second, and so on. A lookahead sees
 * the end of its piece, not the whole text.
 *
 * Written for the flags `gu`. \p{White_Space} stands where other engines write \s: JavaScript's \s lacks
 * U+0085 and has U+FEFF. Classes are spelled out rather than matched with the flag i, which would fold more
 * letters than the engines that trained these vocabularies.
 */
export interface PreTokenizer {
  /** The name first, then others that stand for the same in files. */
  readonly names: readonly string[];
  readonly expressions: readonly string[];
  /** A whole piece that is a token is taken before any merge is tried. */
  readonly ignoreMerges?: true;
  /** Whether a start token is put in front where the file does not say. */
  readonly addBos?: true;
  /** Pieces are not mapped to bytes: spaces become U+2581, and a character without a token becomes bytes. */
  readonly rawUtf8?: true;
}

// U+017F is a long s, which the case-insensitive original folds to s.
const contraction = String.raw`'(?:[sS\u017f]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])`;

/** Runs of white space: up to their last line end; all but the one that leads the next word; the rest. */
const spaces = String.raw`\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+`;

const gpt2 = [
  `'s|'t|'re|'ve|'m|'ll|'d`,
  String.raw` ?\p{L}+`,
  String.raw` ?\p{N}+`,
  String.raw` ?[^\p{White_Space}\p{L}\p{N}]+`,
  String.raw`\p{White_Space}+(?!\P{White_Space})`,
  String.raw`\p{White_Space}+`,
].join('|');

/** The family of Qwen 2 and Llama 3, which differ in what is a letter and in how digits are grouped. */
function words({ letters = String.raw`\p{L}`, digits = String.raw`\p{N}` }): string {
  return [
    contraction,
    String.raw`[^\r\n\p{L}\p{N}]?[${letters}]+`,
    digits,
    String.raw` ?[^\p{White_Space}${letters}\p{N}]+[\r\n]*`,
    spaces,
  ].join('|');
}

/** The family of GPT-4o: a piece goes from upper to lower case, never back. */
function casedWords({ suffix = '', digits = String.raw`\p{N}` }): string {
  const upper = String.raw`\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`;
  const lower = String.raw`\p{Ll}\p{Lm}\p{Lo}\p{M}`;
  return [
    String.raw`[^\r\n\p{L}\p{N}]?[${upper}]*[${lower}]+${suffix}`,
    String.raw`[^\r\n\p{L}\p{N}]?[${upper}]+[${lower}]*${suffix}`,
    digits,
    String.raw` ?[^\p{White_Space}\p{L}\p{N}]+[\r\n/]*`,
    spaces,
  ].join('|');
}

const casedLetters = [
  String.raw`A-Za-z\u{B5}\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{1BA}\u{1BC}-\u{1BF}\u{1C4}-\u{293}`,
  String.raw`\u{295}-\u{2AF}\u{370}-\u{373}\u{376}\u{377}\u{37B}-\u{37D}\u{37F}\u{386}\u{388}-\u{38A}\u{38C}`,
  String.raw`\u{38E}-\u{3A1}\u{3A3}-\u{3F5}\u{3F7}-\u{481}\u{48A}-\u{52F}\u{531}-\u{556}\u{10A0}-\u{10C5}`,
  String.raw`\u{13A0}-\u{13F5}\u{13F8}-\u{13FD}\u{1C90}-\u{1CBA}\u{1CBD}-\u{1CBF}\u{1D00}-\u{1D2B}`,
  String.raw`\u{1D6B}-\u{1D77}\u{1D79}-\u{1D9A}\u{1E00}-\u{1F15}\u{1F18}-\u{1F1D}\u{1F20}-\u{1F45}`,
  String.raw`\u{1F48}-\u{1F4D}\u{1F50}-\u{1F57}\u{1F59}\u{1F5B}\u{1F5D}\u{1F5F}-\u{1F7D}\u{1F80}-\u{1FB4}`,
  String.raw`\u{1FB6}-\u{1FBC}\u{1FBE}\u{1FC2}-\u{1FC4}\u{1FC6}-\u{1FCC}\u{1FD0}-\u{1FD3}\u{1FD6}-\u{1FDB}`,
  String.raw`\u{1FE0}-\u{1FEC}\u{1FF2}-\u{1FF4}\u{1FF6}-\u{1FFC}\u{2102}\u{2107}\u{210A}-\u{2113}\u{2115}`,
  String.raw`\u{2119}-\u{211D}\u{2124}\u{2126}\u{2128}\u{212A}-\u{212D}\u{212F}-\u{2134}\u{2139}`,
  String.raw`\u{213C}-\u{213F}\u{2145}-\u{2149}\u{214E}\u{2183}\u{2184}\u{2C00}-\u{2C7B}\u{2C7E}-\u{2CE4}`,
  String.raw`\u{2CEB}-\u{2CEE}\u{2CF2}\u{2CF3}\u{A640}-\u{A66D}\u{A680}-\u{A69B}\u{A722}-\u{A76F}`,
  String.raw`\u{A771}-\u{A787}\u{A78B}-\u{A78E}\u{AB70}-\u{ABBF}\u{FB00}-\u{FB06}\u{FB13}-\u{FB17}`,
  String.raw`\u{FF21}-\u{FF3A}\u{FF41}-\u{FF5A}\u{10400}-\u{1044F}\u{104B0}-\u{104D3}\u{104D8}-\u{104FB}`,
  String.raw`\u{10C80}-\u{10CB2}\u{10CC0}-\u{10CF2}\u{118A0}-\u{118DF}\u{1E900}-\u{1E943}`,
].join('');

const preTokenizers: readonly PreTokenizer[] = [
  {
    names: [
      'qwen2',
      'deepseek-r1-qwen',
      'megrez',
      'kormo',
      'f2llmv2',
      'stablelm2',
      'hunyuan',
      'solar-open',
      'grok-2',
    ],
    expressions: [words({})],
  },
  {
    names: ['qwen35'],
    expressions: [words({ letters: String.raw`\p{L}\p{M}` })],
  },
  {
    names: [
      'llama-bpe',
      'llama3',
      'llama-v3',
      'falcon3',
      'falcon-h1',
      'pixtral',
      'midm-2.0',
      'lfm2',
      'jina-v5-nano',
    ],
    expressions: [words({ digits: String.raw`\p{N}{1,3}` })],
    ignoreMerges: true,
    addBos: true,
  },
  {
    names: ['dbrx', 'smaug-bpe', 'glm4', 'chatglm-bpe'],
    expressions: [words({ digits: String.raw`\p{N}{1,3}` })],
  },
  {
    names: [
      'gpt-2',
      'phi-2',
      'mpt',
      'olmo',
      'jais',
      'gigachat',
      'a.x-4.0',
      'mellum',
      'modern-bert',
      'trillion',
      'granite-docling',
      'exaone4',
      'jina-es',
      'jina-de',
      'jina-v2-es',
      'jina-v2-de',
    ],
    expressions: [gpt2],
  },
  {
    names: ['smollm', 'starcoder', 'refact', 'command-r', 'codeshell', 'exaone', 'minerva-7b', 'mellum2'],
    expressions: [String.raw`\p{N}`, gpt2],
  },
  {
    names: ['falcon'],
    expressions: ['[\\p{P}$+<=>^~|`]+', gpt2, '[0-9]{3}'],
  },
  {
    names: ['default'],
    expressions: [String.raw`[\p{P}$+<=>^~|]+`, gpt2, String.raw`\p{N}+`, '[0-9]{3}'],
  },
  {
    names: ['gpt-4o', 'llama4', 'kanana2', 'talkie', 'minimax-m2'],
    expressions: [casedWords({ suffix: `(?:${contraction})?`, digits: String.raw`\p{N}{1,3}` })],
  },
  {
    names: ['tekken'],
    expressions: [casedWords({})],
    ignoreMerges: true,
    addBos: true,
  },
  {
    names: ['deepseek-v3', 'hunyuan-dense', 'joyai-llm', 'hy_v4'],
    expressions: [
      String.raw`\p{N}{1,3}`,
      String.raw`[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+`,
      [
        '[!-/:-@\\[-`{-~][A-Za-z]+',
        String.raw`[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+`,
        String.raw` ?[\p{P}\p{S}]+[\r\n]*`,
        spaces,
      ].join('|'),
    ],
  },
  {
    names: ['deepseek-coder'],
    expressions: [
      String.raw`[\r\n]`,
      String.raw`\p{White_Space}?\p{L}+`,
      String.raw`\p{White_Space}?\p{P}+`,
      String.raw`[\u0800-\u9fa5\uac00-\ud7ff]+`,
      String.raw`\p{N}`,
    ],
  },
  {
    names: ['deepseek-llm'],
    expressions: [
      String.raw`[\r\n]`,
      String.raw`\p{White_Space}?[${casedLetters}]+`,
      String.raw`\p{White_Space}?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+`,
      // The lookbehind changes no match: without it, a long run that does not end the piece is tried again
      // from each of its characters.
      String.raw`(?<!\p{White_Space})\p{White_Space}+$`,
      String.raw`[\u0800-\u9fa5\uac00-\ud7ff]+`,
      String.raw`\p{N}+`,
    ],
  },
  {
    names: ['gemma4', 'granite-embed-multi-311m'],
    expressions: [String.raw`[^\n]+|\n+`],
    addBos: true,
    rawUtf8: true,
  },
];

const byName = new Map(preTokenizers.flatMap((entry) => entry.names.map((name) => [name, entry] as const)));

/** Every name that {@link preTokenizerNamed} knows. */
export const preTokenizerNames: readonly string[] = [...byName.keys()];

export function preTokenizerNamed(name: string): PreTokenizer | undefined {
  return byName.get(name);
}
