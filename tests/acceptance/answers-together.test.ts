import reference from '@pocketllm/reference';
import { describe } from 'vitest';
import { testAnswersTogether } from '../support/answers-together.js';

describe('on the reference', () => testAnswersTogether({ plugin: reference, id: 'reference' }, 70));
