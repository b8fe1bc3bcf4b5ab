import type { Api } from '../api/api.js';
import { chatRequest } from '../api/chat-request.js';
import type { ChatEvent } from '../api/chat-stream.js';
import { ApiFailure, type Fault } from '../api/fault.js';
import type { AnswerMessage, Conversation } from './conversation.js';
import { pathTo } from './tree.js';

/**
 * Asks for an answer and writes it into `message` while it arrives; `grew` is told of each piece. Does not fail:
 * what went wrong stands in the message, beside what had arrived.
 */
export async function writeAnswer(
  api: Api,
  conversation: Conversation,
  message: AnswerMessage,
  signal: AbortSignal,
  grew: () => void,
): Promise<void> {
  const times = { asked: performance.now(), first: 0, last: 0, pieces: 0, thought: 0 };
  try {
    const request = chatRequest(conversation, pathTo(conversation, message.parent));
    const { events, warnings } = await api.chat(request, signal);
    if (warnings.length > 0) message.warnings = warnings;
    for await (const event of events) {
      const isPiece = event.type === 'text' || event.type === 'reasoning' || event.type === 'call';
      if (isPiece) {
        times.last = performance.now();
        times.first ||= times.last;
        times.pieces++;
      }
      take(event, message);
      if (event.type === 'reasoning') {
        times.thought ||= times.last;
        message.thoughtMs = times.last - times.thought;
      }
      // Without the server's count each piece is taken for a token.
      if (isPiece) count(undefined, times.pieces);
      else if (event.type === 'usage') count(event.promptTokens, event.completionTokens);
      grew();
    }
    if (message.state === 'arriving') message.state = 'done';
  } catch (error) {
    message.state = signal.aborted ? 'stopped' : 'failed';
    if (!signal.aborted) message.fault = faultOf(error);
  }

  function count(promptTokens: number | undefined, tokens: number): void {
    const { asked, first, last } = times;
    message.counts = { promptTokens, tokens, waitMs: first - asked, writeMs: last - first };
  }
}

function take(event: ChatEvent, message: AnswerMessage): void {
  switch (event.type) {
    case 'text':
      message.text += event.text.replaceAll('\r', '');
      break;
    case 'reasoning':
      message.reasoning += event.text;
      break;
    case 'call': {
      message.calls[event.index] ??= { id: '', name: '', arguments: '' };
      const call = message.calls[event.index]!;
      call.id += event.id ?? '';
      call.name += event.name ?? '';
      call.arguments += event.arguments ?? '';
      break;
    }
    case 'finish':
      message.state = event.reason === 'length' ? 'cut' : 'done';
      break;
    case 'usage':
      break;
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof ApiFailure) return error.fault;
  // A TypeError is about the settings; anything else is an answer that cannot be read.
  return { kind: error instanceof TypeError ? 'refused' : 'server', message: (error as Error).message };
}
