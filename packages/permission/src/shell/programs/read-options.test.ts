import { describe, expect, it } from 'vitest';
import { compileOptions, findValues, hasOption, readOptions } from './read-options.ts';
import type { RunWord } from '../run/run-word.ts';

const words = (line: string): readonly RunWord[] =>
  line.split(' ').map((text) => ({ text, isKnown: true, glob: undefined, hasQuotedPattern: false, nested: [] }));

const table = compileOptions({
  plain: '-n -l# -i? -o= --verbose --version --output=',
  code: '-e= --eval= -run=',
});

describe('readOptions', () => {
  it.each([
    ['-n x', 'plain -n', 'x'],
    ['-ne code x', 'plain -n, code -e=code', 'x'],
    ['-necode x', 'plain -n, code -e=code', 'x'],
    ['-l0777ne code', 'plain -l, plain -n, code -e=code', ''],
    ['-i.bak -e code', 'plain -i=.bak, code -e=code', ''],
    ['-oe x', 'plain -o=e', 'x'],
    ['--eval code x', 'code --eval=code', 'x'],
    ['--eval=code x', 'code --eval=code', 'x'],
    ['--ev code x', 'code --ev=code', 'x'],
    ['--ver x', 'plain --ver', 'x'],
    ['-run code x', 'code --run=code', 'x'],
    ['-- -e x', '', '-e x'],
    ['x -e y', '', 'x -e y'],
    ['- -e y', '', '- -e y'],
    ['-nq x', 'plain -n, unknown -q', 'x'],
    ['--other x', 'unknown --other', 'x'],
  ])('for %j, returns the options %j', (line, options, operands) => {
    const read = readOptions(words(line), table);
    const shown = read.options.map(
      ({ name, effect, value }) => `${effect ?? 'unknown'} ${name}${value ? `=${value.text}` : ''}`,
    );
    expect([shown.join(', '), read.operands.map(({ text }) => text).join(' ')]).toEqual([options, operands]);
  });

  it('stops after an option that ends the options', () => {
    const modules = compileOptions({ module: '-m=', plain: '-v' });
    const read = readOptions(words('-v -m pytest -k x'), modules, 'module');
    expect(read.operands.map(({ text }) => text)).toEqual(['-k', 'x']);
  });

  it.each([
    ['-cI gzip x', 'gzip'],
    ['x -Igzip', 'gzip'],
    ['x --use-compress-program=gzip', 'gzip'],
    ['x --use-comp gzip', 'gzip'],
  ])('returns the value in %j at any position', (line, value) => {
    const lines = compileOptions({ line: '-I= --use-compress-program=' });
    expect(findValues(words(line), lines).map(({ text }) => text)).toEqual([value]);
    expect(hasOption(words(line), lines)).toBe(true);
  });
});
