import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasGit } from '../fixtures/has-git.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { readIgnoreFile } from './ignore-file.ts';

const files = ['a', 'b', 'ab', 'abc', 'a.b', '.a', 'a b', 'a ', '!a', '#a', '[', ']', 'a*', 'a\\', 'B', '-'].flatMap(
  (name) => [name, `d/${name}`, `d/e/${name}`],
);

/** The name of the file with the rules. No tested file has this name. */
const rulesFile = '.rules-of-round';

/** Returns the files that a walk finds if it never enters an ignored directory. */
function keep(rules: string): readonly string[] {
  const ignored = readIgnoreFile(rules);
  const isIgnored = (path: string, isDirectory: boolean): boolean =>
    ignored.match(path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1), isDirectory) ===
    'ignored';
  return files.filter((path) => {
    const names = path.split('/');
    const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'));
    return !folders.some((folder) => isIgnored(folder, true)) && !isIgnored(path, false);
  });
}

describe('readIgnoreFile', () => {
  it.skipIf(!hasGit)(
    'interprets random rules like git (skipped if git is not installed)',
    () => {
      const { root: folder } = makeRoot();
      execFileSync('git', ['-C', folder, 'init', '-q']);
      let state = 7;
      const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
      const fragments = [
        'a',
        'b',
        'c',
        'd',
        'e',
        'a',
        'd/',
        'e/',
        '*',
        '**',
        '?',
        '/',
        '**/',
        '/**',
        '[ab]',
        '[!a]',
        '[^b',
        '[]a]',
        '[[:alpha:]]',
        '[a-c]',
        '\\',
        '\\*',
        '\\ ',
        ' ',
        '!',
        '#',
        '.',
        ']',
        '[',
        '{a,b}',
        'é',
        '-',
      ];
      const pick = (): string => fragments[Math.floor(random() * fragments.length)]!;
      // Rules with stars after the start of a name, which random rules rarely contain.
      const known = ['a **/*', 'a**/b', '/a**/b', 'd/a**', 'd/a**/**', 'd/**b', 'a**b/c'];
      const rounds = process.env['HAFT_TEST_LONG'] === '1' ? 3_000 : 150;
      // A folder for the rules of each round, so that one process of git answers all of them.
      const rulesOf = new Map<string, string>();
      for (let round = 0; round < rounds; round += 1) {
        const drawn = Array.from({ length: 1 + Math.floor(random() * 4) }, pick).join('');
        const rule = known[round] ?? drawn;
        const rules = random() < 0.3 ? `*\n!*/\n!${rule}` : rule;
        rulesOf.set(`round-${round}`, rules);
        const copy = join(folder, `round-${round}`);
        mkdirSync(join(copy, 'd/e'), { recursive: true });
        for (const path of files) writeFileSync(join(copy, path), '');
        writeFileSync(join(copy, rulesFile), rules);
      }
      const listed = execFileSync(
        'git',
        ['-C', folder, 'ls-files', '-z', '-o', `--exclude-per-directory=${rulesFile}`],
        {
          encoding: 'utf8',
          maxBuffer: 64 * 1_024 * 1_024,
        },
      );
      const keptIn = new Map([...rulesOf.keys()].map((name): [string, string[]] => [name, []]));
      for (const path of listed.split('\0').filter((path) => path !== '')) {
        const [, name = '', kept = ''] = /^([^/]+)\/([^]*)$/.exec(path)!;
        if (kept !== rulesFile) keptIn.get(name)!.push(kept);
      }
      for (const [name, rules] of rulesOf)
        expect({ rules, kept: keep(rules).toSorted() }).toEqual({ rules, kept: keptIn.get(name)!.toSorted() });
    },
    300_000,
  );

  it('bounds the cost of hostile rules', () => {
    const stars = `${'*a'.repeat(200)}b\n`;
    const rules = readIgnoreFile(stars.repeat(5_000));
    const name = 'a'.repeat(255);
    const before = process.cpuUsage();
    for (let time = 0; time < 10; time += 1) expect(rules.match('', name, false)).toBeUndefined();
    const { user } = process.cpuUsage(before);
    // Without limits, matching would take a hundred times as long. With them, a name takes at most a tenth of a second.
    expect(user / 1_000).toBeLessThan(1_000);
    expect(readIgnoreFile(`${'x'.repeat(2_000)}\nkeep`).match('', 'keep', false)).toBe('ignored');
  });
});
