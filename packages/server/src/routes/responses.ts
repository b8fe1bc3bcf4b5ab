import { answerHead } from '../answers/answer-head.js';
import { chatAnswers, chatEvents } from '../answers/chat-answers.js';
import { chatOrder, responseEvents, wholeResponse } from '../answers/response.js';
import type { ResponseEvent } from '../answers/response-items.js';
import type { Service } from '../engine/service.js';
import { type App, type Framing, readRequest, streamed, whole } from '../http/route.js';
import { responseRequest } from '../schema/response-request.js';

/** POST /v1/responses */
export function addResponses(app: App, service: Service): void {
  const { model, settings } = service;
  app.post('/v1/responses', async (c) => {
    const { value: request, warnings } = await readRequest(c, service, responseRequest);
    service.checkModel(request.model);
    const order = chatOrder(request);
    const run = service.start(c.req.raw.signal, chatAnswers(model, order));
    const head = answerHead('resp_', settings.modelName);
    const events = responseEvents(head, chatEvents(run, order), request, model.tokenizer);
    if (!request.stream) return whole(c, run, warnings, () => wholeResponse(events));
    return streamed(c, service, run, events, eventFrames);
  });
}

/** As responses are streamed: each event under its name, and none after the last. */
const eventFrames: Framing<ResponseEvent> = {
  frame: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  failed: ({ body }) => {
    const { message, code, param } = body.error;
    return `event: error\ndata: ${JSON.stringify({ type: 'error', message, code, param })}\n\n`;
  },
  end: '',
};
