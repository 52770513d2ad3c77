import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../../engine/create-permission-engine.ts';
import { running } from '../../fixtures/create-request.ts';
import { destructiveCommands, notSimpleCommands, ordinaryCommands } from '../../fixtures/shell-commands.ts';
import { findDestructive } from './destructive-commands.ts';
import { parseShell } from '../expand/parse-evaluated-shell.ts';

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const cases = Object.entries(destructiveCommands).flatMap(([key, commands]) =>
  commands.map((command) => [command, key] as const),
);

describe('destructive commands', () => {
  it.each(cases)('%j is refused as %s (B27)', (command, key) => {
    expect(findDestructive(command, '/home/ann')?.key).toBe(key);
  });

  it.each(ordinaryCommands)('finds nothing destructive in %j', (command) => {
    expect(findDestructive(command, '/home/ann')).toBeUndefined();
  });

  it('are found for a home directory at any path', () => {
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
  ])('%j is one, with the words %j', (command, words) => {
    const parsed = parseShell(command);
    expect({ isSimple: parsed.isSimple, words: parsed.commands[0]?.words.map(({ text }) => text) }).toEqual({
      isSimple: true,
      words,
    });
  });

  it('is not an empty, huge or endlessly nested line', () => {
    expect(parseShell('').isSimple).toBe(false);
    expect(parseShell(`cat ${'a'.repeat(200_000)}`)).toMatchObject({ isWhole: false, isSimple: false });
    expect(parseShell(`${'$('.repeat(5_000)}rm${')'.repeat(5_000)}`)).toMatchObject({
      isWhole: false,
      isSimple: false,
    });
    expect(parseShell('('.repeat(5_000)).isWhole).toBe(false);
  });
});

describe('judging a command line', () => {
  const engine = createPermissionEngine({
    rules: [
      { action: 'deny', command: ['npm publish *', 'terraform *'] },
      { action: 'allow', command: 'npm test' },
    ],
  });
  // The engine caches the last line, so a different line in between makes each line new.
  const judge = async (line: string): Promise<void> => {
    await engine.ask(running(line));
    await engine.ask(running('true'));
  };
  const fill = (piece: string | ((index: number) => string), length: number): string => {
    let line = '';
    for (let index = 0; line.length < length; index += 1) line += typeof piece === 'string' ? piece : piece(index);
    return line.slice(0, length);
  };

  it.each<[string, string | ((index: number) => string)]>([
    ['quotes', '"a" '],
    ['substitutions', '$(a) '],
    ['open substitutions', '$('],
    ['backticks', '`a` '],
    ['braces', '${a} '],
    ['open braces', '${'],
    ['subshells', '(a) '],
    ['here-documents', '<<E '],
    ['redirections', '>a '],
    ['operators', 'a;'],
    ['lines', 'a\n'],
    ['wrappers', 'sudo '],
    ['nested shells', 'bash -c '],
    ['wrapped shells', 'sudo bash -c '],
    ['escapes', '\\'],
    ['letters', 'a'],
    ['modes', 'chmod ooooo '],
    ['options', '-rrrr '],
    ['shells behind wrappers', 'sudo eval '],
    ['downloads', 'curl -o a;sh b;'],
    ['text for shells', 'echo a|sh;'],
    ['unclosed braces of words', '{'],
    ['braces with commas', '{a,'],
    ['words in braces', '{a,b} '],
    ['joined braces', '{a,b}'],
    ['variables', '$a '],
    ['joined variables', '$a'],
    ['blanks in variables', 'a$IFS'],
    ['assignments', (index) => `a${index}=b;`],
    ['values that grow out of each other', (index) => `a${index + 1}=$a${index};`],
    ['values of one variable', (index) => `a=${index};$a $a;`],
    ['folders', (index) => `cd a${index};`],
    ['patterns', (index) => `*${index} `],
    ['files', (index) => `a/b/c${index} `],
    ['arithmetic', '$((1+1))'],
    ['open arithmetic', '$((1+'],
    ['split texts', 'env -S "a b" '],
    ['remote commands', 'ssh h "a b" '],
    ['formats', "printf '%s' a|sh;"],
    ['escaped texts', "echo -e '\\x41'|sh;"],
    ['subscripts', 'a[x ]=1;'],
    ['open subscripts', 'a[ '],
    ['arithmetic commands', '((a));'],
    ['open arithmetic commands', '(('],
    ['conditions', '[[ a -eq b ]];'],
    ['cases', 'case a in b) c;; esac;'],
    ['arrays', 'a=(b c);'],
    ['names that stand for each other', (index) => `let a${index}=a${index + 1};`],
    ['evaluated names', 'printf -v a[$b] c;'],
    ['loops', 'for f in a b; do cat $f; done;'],
    ['names behind signs', (index) => `sudo f${index}@${index}:x=${index},y `],
  ])('takes time proportional to its %s', async (_, piece) => {
    expect(await growthOf((length) => fill(piece, length), judge, isLong ? 1_200 : 200)).toBeLessThan(linearGrowth);
  });

  it('takes no more time for a line above the length limit', async () => {
    const piece = isLong ? 'sudo bash -c ' : 'sudo ';
    // Eight times the text in the same time means an eighth of the time for each character.
    expect(await growthOf((length) => fill(piece, length), judge, isLong ? 80_000 : 25_000)).toBeLessThan(1);
  });

  it('finds a refused command at the beginning of a line above the length limit', () => {
    expect(findDestructive(`rm -rf /; ${'a '.repeat(20_000)}`)?.key).toBe('destructive/remove-wide');
    expect(findDestructive(`${'a '.repeat(9_994)}; rm -rf /tmp/some/where`)).toBeUndefined();
    expect(parseShell(`cat ${'a '.repeat(9_997)}`)).toMatchObject({ isWhole: true, isSimple: true });
    expect(parseShell(`cat ${'a '.repeat(9_999)}`)).toMatchObject({ isWhole: false, isSimple: false });
  });
});
