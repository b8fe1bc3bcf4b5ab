// @ts-check
// The server of serve-load, in a process of its own: argv is one JSON object. Says where it listens, and how much
// memory it uses when it is asked; ends on a message.
import cpu from '@pocketllm/backend-cpu';
import { openModel } from '@pocketllm/runtime/node';
import { createServer } from '@pocketllm/server';

const { path, maxQueue, ...load } = JSON.parse(process.argv[2] ?? '{}');
const model = await openModel(path, { backend: cpu, ...load });
const server = createServer(model, { maxQueue });
const url = await server.listen({ port: 0 });
process.send?.({ url, maxModelLen: model.info.maxModelLen, pages: model.cacheUse.pages });
process.on('message', async (asked) => {
  if (asked === 'memory') {
    // What nobody holds any more is no growth.
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send?.({ rss, live: heapUsed + external });
    return;
  }
  await server.close({ graceMs: 0 });
  await model.close();
  process.disconnect?.();
});
