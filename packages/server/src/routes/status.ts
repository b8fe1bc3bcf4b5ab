import type { Service } from '../engine/service.js';
import type { App } from '../http/route.js';

/** GET /health, GET /ready and GET /metrics */
export function addStatus(app: App, service: Service): void {
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get('/ready', (c) =>
    service.isDraining ? c.json({ status: 'shutting down' }, 503) : c.json({ status: 'ready' }),
  );
  app.get('/metrics', async (c) =>
    c.body(await service.metrics.text(), 200, { 'content-type': service.metrics.contentType }),
  );
}
