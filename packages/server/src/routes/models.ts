import type { Service } from '../engine/service.js';
import type { App } from '../http/route.js';

/** GET /v1/models and GET /v1/models/NAME */
export function addModels(app: App, service: Service): void {
  const { info } = service.model;
  const { modelName } = service.settings;
  const model = {
    id: modelName,
    object: 'model',
    created: Math.floor(Date.now() / 1000),
    owned_by: 'pocketllm',
    max_model_len: info.maxModelLen,
    architecture: info.architecture,
    parameters: info.parameters,
    backend: info.backend,
    device: info.device,
  };
  app.get('/v1/models', (c) => c.json({ object: 'list', data: [model] }));
  app.get('/v1/models/:name{.+}', (c) => {
    service.checkModel(c.req.param('name'));
    return c.json(model);
  });
}
