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
export { ChatTemplate, type RenderedPrompt, type RenderInput, type TemplateTokens } from './template.js';
