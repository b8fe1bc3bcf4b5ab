import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import { promisify } from 'node:util';

/** Where it is `off`, no process is started: for places in which none may be, and for emulators. */
const trialVariable = 'POCKETLLM_CPU_TRIAL';

/** More than a start of Node takes on a busy machine. */
const patienceMs = 30_000;

/**
 * Loads a native module in a child process first, so that a damaged file, or one for another processor, ends that
 * process and not this one. Gives a sentence where it does.
 *
 * A start of Node costs some 50 ms, so a file that went well once is not tried again: a mark in the folder for temporary
 * files remembers it by its size and time, the processor and the version of Node. What the module does afterwards
 * needs no trial: it runs nothing wide before it has asked the processor.
 */
export async function tryInChild(file: string, marks = markFolder()): Promise<string | undefined> {
  const mark = join(marks, fingerprintOf(file));
  // An application in one file would start itself.
  if (process.env[trialVariable] === 'off' || existsSync(mark) || isSea()) return undefined;
  const env = { ...process.env, NODE_OPTIONS: '', ELECTRON_RUN_AS_NODE: '1' };
  try {
    await promisify(execFile)(process.execPath, ['-e', 'require(process.argv[1])', file], {
      env,
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    const { signal, killed } = error as { signal?: NodeJS.Signals | null; killed?: boolean };
    // Any other failure is an ordinary error, which loading here gives too.
    if (!signal) return undefined;
    const what = killed ? `did not load within ${patienceMs / 1000} seconds` : `ended with ${signal}`;
    return `a process that tried to load the native part ${what}: ${file}`;
  }
  remember(mark, marks);
  return undefined;
}

function fingerprintOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  const facts = [file, found?.size, found?.mtimeMs, cpus()[0]?.model, process.version, process.arch];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** One for each user, as nobody may write into another's. */
const markFolder = (): string => join(tmpdir(), `pocketllm-cpu-${process.getuid?.() ?? 'own'}`);

/** Where that is not possible, the next process tries again. */
function remember(mark: string, marks: string): void {
  try {
    mkdirSync(marks, { recursive: true, mode: 0o700 });
    writeFileSync(mark, '');
  } catch {}
}
