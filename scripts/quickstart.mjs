// @ts-check
// npm run quickstart: from a fresh clone to the first answer of the model that ships with it.
import { spawnSync } from 'node:child_process';
import { install } from './support/install.mjs';
import { repository } from './support/problems.mjs';
import { runTool } from './support/run.mjs';
import { reportStep } from './support/step-report.mjs';

const question = 'What is the capital of Norway?';

async function quickstart() {
  if (!(await install())) return false;
  const build = ['run', 'build', '--filter=pocketllm...', '--output-logs=errors-only'];
  if (!(await reportStep('build', () => runTool('turbo', 'turbo', build)))) return false;

  process.stdout.write(`\n> ${question}\n`);
  const { status } = spawnSync(process.execPath, ['packages/cli/dist/main.js', 'run', '--prompt', question], {
    cwd: repository,
    stdio: 'inherit',
  });
  if (status !== 0) return false;
  process.stdout.write(
    '\nNow ask something yourself:\n  npx pocketllm run --prompt "Tell me a tale about a fox named Pip."\n',
  );
  return true;
}

process.exitCode = (await quickstart()) ? 0 : 1;
