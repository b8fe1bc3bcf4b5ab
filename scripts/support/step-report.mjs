// @ts-check

/** @typedef {import('./run.mjs').Outcome} Outcome */

/**
 * Runs one step and prints its line: name, ok or FAILED, seconds, and of a short output the words.
 * What a failed step printed follows in full.
 *
 * @param {string} name
 * @param {() => Promise<Outcome>} run
 */
export async function reportStep(name, run) {
  process.stdout.write(`${name.padEnd(24)} `);
  const outcome = await run();
  const seconds = `${outcome.seconds.toFixed(1)} s`.padStart(7);
  if (outcome.ok) {
    const summary = outcome.output.includes('\n') || outcome.output.length > 90 ? '' : `  ${outcome.output}`;
    process.stdout.write(`ok     ${seconds}${summary}\n`);
  } else {
    process.stdout.write(`FAILED ${seconds}\n${outcome.output.replace(/^/gm, '    ')}\n`);
  }
  return outcome;
}
