import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { parsePatch } from './parse-patch.ts';
import { patchText } from './patch-text.ts';

const repeat = (line: string, count: number): string => `${line}\n`.repeat(count);

describe('growth of patch run time', () => {
  it.each([
    ['its hunks', (size: number) => `*** Begin Patch\n*** Update File: a\n${repeat('@@\n-a\n+b', size)}*** End Patch`],
    [
      'its headers',
      (size: number) => `*** Begin Patch\n*** Update File: a\n${repeat('@@ a', size)}-a\n+b\n*** End Patch`,
    ],
    ['its files', (size: number) => `*** Begin Patch\n${repeat('*** Add File: a\n+a', size)}*** End Patch`],
    [
      'its blank lines',
      (size: number) => `*** Begin Patch\n*** Update File: a\n@@\n-a\n${repeat('', size)}*** End Patch`,
    ],
    ['the hunks of a unified diff', (size: number) => `--- a/a\n+++ b/a\n${repeat('@@ -1 +1 @@\n-a\n+b', size)}`],
    ['the blank lines of one', (size: number) => `--- a/a\n+++ b/a\n@@\n-a\n${repeat('', size)}+b`],
    ['its files in one', (size: number) => repeat('--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b', size)],
  ])('parsing time grows linearly with the patch: %s', async (_, make) => {
    expect(await growthOf(make, (patch) => void parsePatch(patch), 16_000)).toBeLessThan(linearGrowth);
  });

  it.each([
    [
      'one line throughout, under headers of the same',
      (size: number) => repeat('a', size),
      ['@@ a', '@@ a', ' a', '-a', '+b'],
    ],
    ['blank lines', (size: number) => repeat('', size), ['@@', ' ', '-', '+b']],
    ['a line that is nowhere', (size: number) => repeat('    a b', size), ['@@', ' a  b', '-c', '+b']],
  ])('patching time grows linearly with the changed file: %s', async (_, make, lines) => {
    const parsed = parsePatch(['*** Begin Patch', '*** Update File: a', ...lines, '*** End Patch'].join('\n'));
    expect(parsed.ok).toBe(true);
    const [file] = parsed.ok ? parsed.files : [];
    const hunks = file?.kind === 'update' ? file.hunks : [];
    expect(await growthOf(make, (text) => void patchText(text, hunks), 20_000)).toBeLessThan(linearGrowth);
  });
});
