import { describe, expect, it } from 'vitest';
import { destructiveCommands, notSimpleCommands, ordinaryCommands } from '../fixtures/shell-commands.ts';
import { findDestructive } from './destructive-commands.ts';
import { parseShell } from './parse-shell.ts';

const cases = Object.entries(destructiveCommands).flatMap(([key, commands]) =>
  commands.map((command) => [command, key] as const),
);

describe('destructive commands', () => {
  it.each(cases)('%j is %s (B27)', (command, key) => {
    expect(findDestructive(command, '/home/ann')?.key).toBe(key);
  });

  it.each(ordinaryCommands)('%j is none', (command) => {
    expect(findDestructive(command, '/home/ann')).toBeUndefined();
  });

  it('are found behind the home directory by its own name', () => {
    expect(findDestructive('rm -rf /srv/people/ann', '/srv/people/ann')?.key).toBe('destructive/remove-wide');
    expect(findDestructive('rm -rf /srv/people/ann/x', '/srv/people/ann')).toBeUndefined();
  });
});

describe('a simple command', () => {
  it.each(notSimpleCommands)('is not %j', (command) => {
    expect(parseShell(command).isSimple).toBe(false);
  });

  it.each([
    ['cat a', ['cat', 'a']],
    ['  cat   a  ', ['cat', 'a']],
    ['cat "a b"', ['cat', 'a b']],
    ["cat 'a;b'", ['cat', 'a;b']],
    ['cat a\\ b', ['cat', 'a b']],
    ['cat "a*"', ['cat', 'a*']],
    ['cat a # comment', ['cat', 'a']],
    ['cat a#b', ['cat', 'a#b']],
    ['cat ""', ['cat', '']],
    ["cat $'a\\tb'", ['cat', 'a\tb']],
    ['cat a\\\nb', ['cat', 'ab']],
    ['echo $', ['echo', '$']],
    ['echo 5%', ['echo', '5%']],
    ['git log --format=%H', ['git', 'log', '--format=%H']],
  ])('%j is its words', (command, words) => {
    const parsed = parseShell(command);
    expect({ isSimple: parsed.isSimple, words: parsed.commands[0]?.words.map(({ text }) => text) }).toEqual({
      isSimple: true,
      words,
    });
  });

  it('is nothing that is empty, huge or nested without end', () => {
    expect(parseShell('').isSimple).toBe(false);
    expect(parseShell(`cat ${'a'.repeat(200_000)}`)).toMatchObject({ isWhole: false, isSimple: false });
    expect(parseShell(`${'$('.repeat(5_000)}rm${')'.repeat(5_000)}`)).toMatchObject({
      isWhole: false,
      isSimple: false,
    });
    expect(parseShell('('.repeat(5_000)).isWhole).toBe(false);
  });
});

describe('taking a command apart', () => {
  it.each([
    ['quotes', '"a" '],
    ['substitutions', '$(a) '],
    ['open substitutions', '$('],
    ['backticks', '`a` '],
    ['braces', '${a} '],
    ['open braces', '${'],
    ['subshells', '(a) '],
    ['here-documents', '<<E '],
    ['operators', 'a;'],
    ['wrappers', 'sudo '],
    ['nested shells', 'bash -c '],
    ['escapes', '\\'],
    ['letters', 'a'],
    ['modes', 'chmod ooooo '],
    ['options', '-rrrr '],
    ['shells behind wrappers', 'sudo eval '],
    ['downloads', 'curl -o a;sh b;'],
    ['text for shells', 'echo a|sh;'],
  ])('of ever more %s takes time in proportion', (_, piece) => {
    const time = (count: number): number => {
      const line = piece.repeat(count);
      // Time of this process alone: others may keep the machine busy.
      const before = process.cpuUsage();
      findDestructive(line);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    time(500);
    let small = Infinity;
    let large = Infinity;
    for (let round = 0; round < 9; round += 1) {
      small = Math.min(small, time(500));
      large = Math.min(large, time(4_000));
    }
    // Eight times the text: linear is 8, squared 64, and what takes next to no time is fine.
    expect(large / Math.max(small, 2)).toBeLessThan(32);
  });
});
