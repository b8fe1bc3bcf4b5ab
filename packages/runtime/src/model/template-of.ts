import { ChatTemplate } from '../chat/index.js';
import { type GgufMetadata, MetadataView } from '../gguf/index.js';
import type { Tokenizer } from '../tokenizer/index.js';

/**
 * The chat template of a file, compiled when it is first used: a broken one must not keep the file from raw
 * completions. Undefined where the file has none.
 */
export function chatTemplateOf(
  metadata: GgufMetadata,
  tokenizer: Tokenizer,
): (() => ChatTemplate) | undefined {
  const source = new MetadataView(metadata).optional.string('tokenizer.chat_template');
  if (!source) return undefined;
  const textOf = (id: number | undefined) => (id === undefined ? '' : tokenizer.token(id).text);
  const { bos, eos } = tokenizer.named;
  let compiled: ChatTemplate | undefined;
  return () => {
    compiled ??= ChatTemplate.compile(source, { bosToken: textOf(bos), eosToken: textOf(eos) });
    return compiled;
  };
}
