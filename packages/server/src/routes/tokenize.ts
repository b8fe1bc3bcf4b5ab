import type { Service } from '../engine/service.js';
import { type App, readRequest } from '../http/route.js';
import { toChatMessage } from '../schema/messages.js';
import { given } from '../schema/sampling.js';
import { detokenizeRequest, tokenizeRequest } from '../schema/tokenize-request.js';

/** POST /tokenize and POST /detokenize */
export function addTokenize(app: App, service: Service): void {
  const { model } = service;
  const { tokenizer, info } = model;
  app.post('/tokenize', async (c) => {
    const { value: request } = await readRequest(c, service, tokenizeRequest);
    service.checkModel(request.model);
    const { prompt, messages, tools, chat_template_kwargs: kwargs } = request;
    const addBos = request.add_special_tokens ?? true;
    const parts = messages
      ? model.renderPrompt(
          messages.map(toChatMessage),
          given({ tools: tools?.length ? tools : undefined, enableThinking: kwargs?.enable_thinking }),
        ).parts
      : [{ text: prompt!, trusted: request.parse_special ?? false }];
    const tokens = tokenizer.encodeParts(parts, { addBos });
    return c.json({
      count: tokens.length,
      max_model_len: info.maxModelLen,
      tokens,
      ...(request.return_token_strs
        ? { token_strs: tokens.map((id) => tokenizer.decode([id], { special: true })) }
        : {}),
    });
  });

  app.post('/detokenize', async (c) => {
    const { value: request } = await readRequest(c, service, detokenizeRequest);
    service.checkModel(request.model);
    return c.json({ prompt: tokenizer.decode(request.tokens, { special: true, atStart: true }) });
  });
}
