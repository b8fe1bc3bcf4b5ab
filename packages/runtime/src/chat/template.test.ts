import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { memorySource } from '../gguf/byte-source.js';
import { MetadataView } from '../gguf/metadata-view.js';
import { readGguf } from '../gguf/read-gguf.js';
import { ChatTemplate } from './template.js';

async function templateOf(file: string): Promise<string> {
  const { metadata } = await readGguf(memorySource(readFileSync(sharedPath(file))));
  return new MetadataView(metadata).string('tokenizer.chat_template');
}
const json = (file: string) => JSON.parse(readFileSync(sharedPath(file), 'utf8'));

describe('cases', async () => {
  for (const [model, cases] of [
    ['fixtures/qwen3-vocab.gguf', 'fixtures/chat-template-cases.json'],
    ['models/tale-q4_k_m.gguf', 'fixtures/chat-template-cases.json'],
    ['models/smollm2-135m-instruct-q4_1.gguf', 'models/smollm2-chat-template-cases.json'],
  ]) {
    const template = ChatTemplate.compile(await templateOf(model!), { bosToken: '', eosToken: '<|im_end|>' });
    for (const c of json(cases!).cases) {
      it(model + ' ' + c.name, () => {
        const r = template.render({
          messages: c.messages,
          tools: c.tools,
          addGenerationPrompt: c.add_generation_prompt,
          enableThinking: c.enable_thinking,
        });
        expect(r.text).toBe(c.rendered);
      });
    }
  }
});
