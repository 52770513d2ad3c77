import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { showCommand, titleOf } from './show-command.ts';

describe('the title of a command', () => {
  it.each([
    ['npm test', undefined, '$ npm test'],
    ['npm test', 'Runs the tests', '$ npm test (Runs the tests)'],
    ['rm -rf build', 'Lists files', '$ rm -rf build (Lists files)'],
    ['make all\n  make test\n', undefined, '$ make all ⏎ make test'],
    ['make', 'one\ntwo', '$ make (one ⏎ two)'],
    ['make', '  ', '$ make'],
    ['echo a\u001B[2K\u202Eb\u0000', undefined, '$ echo a\\u{1b}[2K\\u{202e}b\\u{0}'],
  ])('shows %j with the description %j as %j', (command, description, title) => {
    expect(titleOf(command, description)).toBe(title);
  });

  it('counts the omitted characters, and never replaces the command by its description', () => {
    const title = titleOf(`true ${' '.repeat(300)}; rm -rf build`, 'x'.repeat(300));
    expect(title).toMatch(/^\$ true .*… \(119 more characters\) \(x{80}… \(220 more characters\)\)$/);
    expect(showCommand('abcdef', 5)).toBe('abcde… (1 more character)');
    expect(showCommand('abcd😀f', 5)).toBe('abcd… (3 more characters)');
  });

  it.each([' ', ' \n', '\t', 'a ', '\u2028', '\u0000'])(
    'is created in linear time for a command of many %j',
    async (piece) => {
      const make = (length: number): string => `a${piece.repeat(length)}b`;
      expect(await growthOf(make, (command) => void titleOf(command, command), 20_000)).toBeLessThan(linearGrowth);
    },
  );
});
