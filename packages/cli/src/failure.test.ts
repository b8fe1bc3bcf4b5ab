import { PocketError } from '@pocketllm/abi';
import { CommanderError } from 'commander';
import { expect, it } from 'vitest';
import { usageError, wrongName } from './command-error.js';
import { describeFailure } from './failure.js';

const missing = new PocketError('MODEL_NOT_FOUND', { path: 'a.gguf', reason: 'no such file' });

it.each([
  ['a failure of the library', missing, 'MODEL_NOT_FOUND', 1],
  ['a name of nothing', wrongName(missing), 'MODEL_NOT_FOUND', 2],
  [
    'a backend that is not there',
    new PocketError('BACKEND_NOT_FOUND', { wanted: 'x', available: [] }),
    'BACKEND_NOT_FOUND',
    2,
  ],
  [
    'two backends of one rank',
    new PocketError('BACKEND_AMBIGUOUS', { candidates: ['a', 'b'] }),
    'BACKEND_AMBIGUOUS',
    2,
  ],
  ['work that was cancelled', new PocketError('CANCELLED', { during: 'loading' }), 'CANCELLED', 130],
  ['flags that do not go together', usageError('no.'), 'USAGE', 2],
  [
    'an unknown flag',
    new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'"),
    'USAGE',
    2,
  ],
  ['a fault of ours', new TypeError('x is not a function'), 'INTERNAL', 1],
  ['what is no error', 'nothing', 'INTERNAL', 1],
])('%s has its code and exit code, in one line', (_, error, code, exit) => {
  const failure = describeFailure(error);
  expect(failure).toMatchObject({ code, exit });
  expect(failure.message).toMatch(new RegExp(`^${code}: .+$`));
});

it('details stay with a failure, under either exit code', () => {
  expect(describeFailure(missing).details).toEqual({ path: 'a.gguf', reason: 'no such file' });
  expect(describeFailure(wrongName(missing)).details).toEqual({ path: 'a.gguf', reason: 'no such file' });
});

it('a message of several lines becomes one', () => {
  const error = new CommanderError(
    1,
    'commander.unknownCommand',
    "error: unknown command 'rum'\n(Did you mean run?)",
  );
  expect(describeFailure(error).message).toBe(
    "USAGE: unknown command 'rum' (Did you mean run?). `pocketllm help` shows what there is.",
  );
});
