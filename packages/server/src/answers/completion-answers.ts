import type { Model } from '@pocketllm/runtime';
import type { MakeAnswers } from '../engine/service.js';
import type { CompletionRequest } from '../schema/completion-request.js';
import { askedFormat, namingFormat } from '../schema/response-format.js';
import { generationOptions, given } from '../schema/sampling.js';

type Prompt = string | readonly number[];

/** One or several prompts as a list. */
export function promptsOf({ prompt }: Pick<CompletionRequest, 'prompt'>): readonly Prompt[] {
  if (typeof prompt === 'string') return [prompt];
  return typeof prompt[0] === 'number' ? [prompt as number[]] : (prompt as Prompt[]);
}

/** The answers that are asked for: `n` to each prompt, one prompt after the other. */
export function completionAnswers(model: Model, request: CompletionRequest): MakeAnswers {
  const count = request.n ?? 1;
  const asked = askedFormat(request);
  return (signalOf) =>
    promptsOf(request).flatMap((prompt, place) =>
      Array.from({ length: count }, (_, copy) => {
        const index = place * count + copy;
        return namingFormat(asked, () =>
          model.complete(prompt, {
            ...generationOptions(request, copy),
            ...given({ logprobs: request.logprobs, responseFormat: asked?.format }),
            signal: signalOf(index),
          }),
        );
      }),
    );
}

/** What stands before each answer where the prompt is wanted back. */
export function echoes(model: Model, request: CompletionRequest): readonly string[] {
  const count = request.n ?? 1;
  return promptsOf(request).flatMap((prompt) => {
    const text = typeof prompt === 'string' ? prompt : model.tokenizer.decode(prompt, { atStart: true });
    return Array.from({ length: count }, () => (request.echo ? text : ''));
  });
}
