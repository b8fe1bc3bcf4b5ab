import { answerHead } from '../answers/answer-head.js';
import { completionAnswers } from '../answers/completion-answers.js';
import { textChunks, textCompletion } from '../answers/text-completion.js';
import type { Service } from '../engine/service.js';
import { type App, dataFrames, readRequest, streamed, whole } from '../http/route.js';
import { completionRequest } from '../schema/completion-request.js';

/** POST /v1/completions */
export function addCompletions(app: App, service: Service): void {
  const { model, settings } = service;
  app.post('/v1/completions', async (c) => {
    const { value: request, warnings } = await readRequest(c, service, completionRequest);
    service.checkModel(request.model);
    const run = service.start(c.req.raw.signal, completionAnswers(model, request));
    const head = answerHead('cmpl-', settings.modelName);
    if (!request.stream)
      return whole(c, run, warnings, () => textCompletion(head, run.events, model, request));
    return streamed(c, service, run, textChunks(head, run.events, model, request), dataFrames);
  });
}
