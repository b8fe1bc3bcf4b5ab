import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('the README shows the embedding example as it stands in examples', () => {
  expect(read('README.md')).toContain(`\`\`\`ts\n${read('examples/embed/main.ts')}\`\`\``);
});

it('the embedding example answers', async () => {
  const shown: string[] = [];
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => shown.push(String(text)) > 0);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await import('../../examples/embed/main.js');
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
  expect(shown.join('')).toBe('The opposite of cold is hot.');
}, 60_000);
