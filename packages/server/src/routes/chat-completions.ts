import { answerHead } from '../answers/answer-head.js';
import { chatAnswers, chatEvents } from '../answers/chat-answers.js';
import { chatChunks } from '../answers/chat-chunks.js';
import { chatCompletion } from '../answers/chat-completion.js';
import type { Service } from '../engine/service.js';
import { type App, dataFrames, readRequest, streamed, whole } from '../http/route.js';
import { chatRequest } from '../schema/chat-request.js';

/** POST /v1/chat/completions */
export function addChatCompletions(app: App, service: Service): void {
  const { model, settings } = service;
  app.post('/v1/chat/completions', async (c) => {
    const { value: request, warnings } = await readRequest(c, service, chatRequest);
    service.checkModel(request.model);
    const run = service.start(c.req.raw.signal, chatAnswers(model, request));
    const head = answerHead('chatcmpl-', settings.modelName);
    const events = chatEvents(run, request);
    if (!request.stream) return whole(c, run, warnings, () => chatCompletion(head, events, model));
    const options = { count: request.n ?? 1, includeUsage: request.stream_options?.include_usage ?? false };
    return streamed(c, service, run, chatChunks(head, events, model, options), dataFrames);
  });
}
