import reference from '@pocketllm/reference';
import { openModel } from '@pocketllm/runtime/node';

const model = await openModel('models/tale-q8_0.gguf', { backend: reference });
const messages = [{ role: 'user', content: 'What is the opposite of cold?' }] as const;
const answer = model.chat(messages, { temperature: 0, enableThinking: false });
for await (const { text } of answer) process.stdout.write(text);
const { timings } = await answer.result();
process.stderr.write(`\n${timings.generatedTokens} tokens in ${Math.round(timings.generationMs)} ms\n`);
await model.close();
