// @ts-check

/** @typedef {import('./run.mjs').Outcome} Outcome */

/**
 * Runs one step and prints its line: name, ok or FAILED, seconds, and what it printed where that is brief.
 * What a failed step printed follows in full. Returns whether it went well.
 *
 * @param {string} name
 * @param {() => Promise<Outcome>} run
 */
export async function reportStep(name, run) {
  process.stdout.write(`${name.padEnd(24)} `);
  const { ok, output, seconds } = await run();
  const time = `${seconds.toFixed(1)} s`.padStart(7);
  if (ok) {
    const brief = output === '' || output.includes('\n') || output.length > 90 ? '' : `  ${output}`;
    process.stdout.write(`ok     ${time}${brief}\n`);
  } else {
    process.stdout.write(`FAILED ${time}\n${output.replace(/^(?=.)/gm, '    ')}\n`);
  }
  return ok;
}
