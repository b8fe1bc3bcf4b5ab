/** Token types by the number that stands in `tokenizer.ggml.token_type`. */
export const tokenTypes = {
  /** Text, in the model's own spelling. */
  normal: 1,
  /** Stands for what the vocabulary does not have. */
  unknown: 2,
  /** Steers the model, such as the start of a turn; never made from untrusted text, not shown. */
  control: 3,
  /** Verbatim text that is found before anything else, in untrusted text too. */
  userDefined: 4,
  /** Padding of the vocabulary; neither made nor shown. */
  unused: 5,
  /** One byte, spelled `<0x0A>`. */
  byte: 6,
} as const satisfies Record<TokenTypeName, number>;

export type TokenTypeName = 'normal' | 'unknown' | 'control' | 'userDefined' | 'unused' | 'byte';

const names = new Map(
  Object.entries(tokenTypes).map(([name, type]) => [type as number, name as TokenTypeName]),
);

export function tokenTypeName(type: number): TokenTypeName | undefined {
  return names.get(type);
}
