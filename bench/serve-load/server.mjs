// @ts-check
// The server of serve-load, in a process of its own: argv is one JSON object. Says where it listens; ends on a message.
import cpu from '@pocketllm/backend-cpu';
import { openModel } from '@pocketllm/runtime/node';
import { createServer } from '@pocketllm/server';

const { path, maxQueue, ...load } = JSON.parse(process.argv[2] ?? '{}');
const model = await openModel(path, { backend: cpu, ...load });
const server = createServer(model, { maxQueue });
const url = await server.listen({ port: 0 });
process.send?.({ url, maxModelLen: model.info.maxModelLen, pages: model.cacheUse.pages });
process.once('message', async () => {
  await server.close({ graceMs: 0 });
  await model.close();
  process.disconnect?.();
});
