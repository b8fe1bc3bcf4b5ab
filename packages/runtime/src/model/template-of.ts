import { ChatTemplate, callTags, type ReasoningTags, reasoningTagsOf } from '../chat/index.js';
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
  /** Those of the tags around a call, and of the reasoning's. */
  readonly callTokens: ReadonlySet<number>;
}

/** Undefined where the file has no chat template. */
export function chatTemplateOf(metadata: GgufMetadata, tokenizer: Tokenizer): ModelTemplate | undefined {
  const source = new MetadataView(metadata).optional.string('tokenizer.chat_template');
  if (!source) return undefined;
  const textOf = (id: number | undefined) => (id === undefined ? '' : tokenizer.token(id).text);
  const { bos, eos } = tokenizer.named;
  const reasoning = reasoningTagsOf(source);
  const idsOf = (tags: readonly string[]) =>
    tags.map((tag) => tokenizer.idOf(tag)).filter((id) => id !== undefined);
  const reasoningTokens = new Set(reasoning ? idsOf([reasoning.open, reasoning.close]) : []);
  let template: ChatTemplate | undefined;
  return {
    compiled() {
      template ??= ChatTemplate.compile(source, { bosToken: textOf(bos), eosToken: textOf(eos) });
      return template;
    },
    source,
    reasoning,
    reasoningTokens,
    callTokens: new Set([...reasoningTokens, ...idsOf(callTags)]),
  };
}
