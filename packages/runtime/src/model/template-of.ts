import { ChatTemplate, type ReasoningTags, reasoningTagsOf } from '../chat/index.js';
import { type GgufMetadata, MetadataView } from '../gguf/index.js';
import type { Tokenizer } from '../tokenizer/index.js';

/** The chat template of a file. */
export interface ModelTemplate {
  /** Compiled when it is first used: a broken one must not keep the file from raw completions. */
  compiled(): ChatTemplate;
  readonly source: string;
  /** The tags around the model's reasoning, where its template knows of such a thing. */
  readonly reasoning: ReasoningTags | undefined;
  /** Ids of these tags, where they are tokens. Some files call them control tokens, which are not shown otherwise. */
  readonly reasoningTokens: ReadonlySet<number>;
}

/** Undefined where the file has no chat template. */
export function chatTemplateOf(metadata: GgufMetadata, tokenizer: Tokenizer): ModelTemplate | undefined {
  const source = new MetadataView(metadata).optional.string('tokenizer.chat_template');
  if (!source) return undefined;
  const textOf = (id: number | undefined) => (id === undefined ? '' : tokenizer.token(id).text);
  const { bos, eos } = tokenizer.named;
  const reasoning = reasoningTagsOf(source);
  const tags = reasoning ? [reasoning.open, reasoning.close].map((tag) => tokenizer.idOf(tag)) : [];
  let template: ChatTemplate | undefined;
  return {
    compiled() {
      template ??= ChatTemplate.compile(source, { bosToken: textOf(bos), eosToken: textOf(eos) });
      return template;
    },
    source,
    reasoning,
    reasoningTokens: new Set(tags.filter((id) => id !== undefined)),
  };
}
