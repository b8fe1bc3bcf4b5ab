import cpu, { loadAddon } from '@pocketllm/backend-cpu';
import { describe } from 'vitest';
import { testAnswersTogether } from '../support/answers-together.js';

const { addon, missing } = loadAddon();
const id = addon?.usableIsas[0];

describe.skipIf(id === undefined)(`on this processor (${missing ?? id})`, () =>
  testAnswersTogether({ plugin: cpu, id: id! }, 70),
);
