export { type AnswerForm, type FinishedAnswer, parseAnswer } from './answer.js';
export { AnswerStream } from './answer-stream.js';
export {
  type ChatMessage,
  type ChatRole,
  chatRoles,
  contentText,
  type TextContentPart,
  type ToolCall,
  type ToolDefinition,
  validateMessages,
  validateTools,
} from './messages.js';
export {
  endsInReasoning,
  ReasoningSplitter,
  type ReasoningTags,
  reasoningTagsOf,
  type SplitText,
} from './reasoning.js';
export { ChatTemplate, type RenderedPrompt, type RenderInput, type TemplateTokens } from './template.js';
export { type AnswerPiece, ToolCallStream } from './tool-call-stream.js';
export { callTags, type ParsedAnswer, parseToolCalls } from './tool-calls.js';
export type { ParsedToolCall } from './xml-tool-calls.js';
