import type { GenerationResult } from '@pocketllm/runtime';
import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.js';
import { runSlashCommand } from './slash-command.js';

const answer = (text: string, reasoning = '') => ({ text, reasoning }) as GenerationResult;

describe('Conversation', () => {
  it('gives the model the system prompt, the turns so far and the question', () => {
    const conversation = new Conversation('Be kind.', true);
    conversation.keep('Hi', answer('Hello.', 'A greeting.'));
    expect(conversation.messagesFor('Why?')).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.', reasoning_content: 'A greeting.' },
      { role: 'user', content: 'Why?' },
    ]);
  });

  it('forgets a question whose answer never began', () => {
    const conversation = new Conversation(undefined, true);
    conversation.keep('Hi', answer('', 'Hm'));
    expect(conversation.messagesFor('Why?')).toEqual([{ role: 'user', content: 'Why?' }]);
  });
});

describe('runSlashCommand', () => {
  it('resets the turns and keeps the system prompt', () => {
    const conversation = new Conversation('Be kind.', true);
    conversation.keep('Hi', answer('Hello.'));
    runSlashCommand('/reset', conversation);
    expect(conversation.messagesFor('Why?')).toHaveLength(2);
  });

  it('sets the system prompt, and takes it away', () => {
    const conversation = new Conversation(undefined, true);
    runSlashCommand('/system  You are Mira, a wise old owl. ', conversation);
    expect(conversation.system).toBe('You are Mira, a wise old owl.');
    runSlashCommand('/system', conversation);
    expect(conversation.system).toBeUndefined();
  });

  it('turns thinking off and on', () => {
    const conversation = new Conversation(undefined, true);
    runSlashCommand('/no-think', conversation);
    expect(conversation.think).toBe(false);
    runSlashCommand('/think', conversation);
    expect(conversation.think).toBe(true);
  });

  it('lists every command, and leaves only on /exit', () => {
    const conversation = new Conversation(undefined, true);
    const help = runSlashCommand('/help', conversation);
    for (const name of ['/help', '/reset', '/system', '/think', '/no-think', '/exit'])
      expect(help).toContain(name);
    expect(runSlashCommand('/exit', conversation)).toBeUndefined();
  });

  it.each(['/quit now', '/', '/constructor'])('says that there is no command %s', (line) => {
    expect(runSlashCommand(line, new Conversation(undefined, true))).toContain('There is no command /');
  });
});
