// @ts-check

/** What node-gyp says where it lacks a tool, among much else. @type {[said: RegExp, sentence: string][]} */
const missingTools = [
  [/Could not find any Python/, 'node-gyp finds no Python that it can use'],
  [/Could not find any Visual Studio/, 'node-gyp finds no Visual Studio that it can use'],
  [/Error: not found: make\b/, 'node-gyp finds no make'],
];

/**
 * What went wrong in a run of node-gyp, in one line that a user is shown: the tool that is missing, else what a tool or
 * gyp itself (Python) said, else what node-gyp says.
 *
 * @param {string} output
 */
export function tellingLine(output) {
  const missing = missingTools.find(([said]) => said.test(output));
  if (missing !== undefined) return missing[1];
  const lines = output.trim().split('\n');
  const said = (/** @type {RegExp} */ pattern) => lines.find((line) => pattern.test(line));
  const line =
    said(/^(?!gyp ERR!).*(\berror: |Error: |: No such file or directory|: not found|invalid option)/) ??
    said(/gyp ERR! (stack|find)/);
  return (line ?? lines.at(-1) ?? '').replace(/^gyp ERR! (stack |find )?/, '').trim();
}
