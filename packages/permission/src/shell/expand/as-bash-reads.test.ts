import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { expandCommands } from './expand-commands.ts';
import { parseShell } from './parse-evaluated-shell.ts';

const folder = mkdtempSync(join(tmpdir(), 'haft-bash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const [hasBash] = runBash(['printf yes']).map((printed) => printed === 'yes');

/**
 * Returns the output of bash for each line, or undefined where bash fails. Each line runs in a bash of its own, in an empty
 * folder with an almost empty environment. Another bash starts them, which takes a fraction of the time that Node takes.
 */
function runBash(lines: readonly string[]): readonly (string | undefined)[] {
  const each = `while IFS= read -r -d '' line; do bash -c "$line" </dev/null; printf '\\0%s\\0' "$?"; done`;
  let output = '';
  try {
    output = execFileSync('bash', ['-c', each], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
      input: lines.map((line) => `${line}\0`).join(''),
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: 300_000,
    });
  } catch {
    // There is no bash.
  }
  const parts = output.split('\0');
  return lines.map((_, index) => (parts[2 * index + 1] === '0' ? parts[2 * index] : undefined));
}

/**
 * Creates a random number generator (linear congruential) that returns numbers from 0 to 1 and repeats for the same
 * seed.
 */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

function makeLine(random: () => number, pieces: readonly string[], most: number): string {
  return Array.from(
    { length: 1 + Math.floor(random() * most) },
    () => pieces[Math.floor(random() * pieces.length)]!,
  ).join('');
}

const print = "printf '<%s>' ";
const signs = [
  'a',
  'b',
  ' ',
  '\t',
  '\r',
  '\v',
  '\u00A0',
  '"',
  '"',
  "'",
  "'",
  '\\',
  '#',
  '$',
  '`',
  '{',
  '}',
  ',',
  '~',
  '=',
  '-',
  '!',
  '\n',
  '\\\n',
  ';',
  '&',
  '|',
  '(',
  ')',
  '<',
  '>',
  '*',
  '?',
  '[',
  ']',
  "$'",
  "$'\\x61'",
  "$'\\n'",
  "$'\\'a'",
  "$'\\x{62}c'",
  "$'a\\0b'",
  "$'\\141'",
  "$'\\c'",
  "$'\\c\\\\a'",
  "$'\\c\\'b'",
  "$'\\c?\\ca'",
  '$"',
  '""',
  "''",
  'é',
  '^',
  '%',
  '@',
  '+',
  ':',
];

describe.skipIf(!hasBash)('parsed lines have the same words as in bash (skipped if bash is not installed)', () => {
  it('a simple line has exactly the words that bash passes on', () => {
    const random = createRandom(11);
    const cases: { readonly line: string; readonly printed: string }[] = [];
    for (let round = 0; cases.length < (isLong ? 4_000 : 250) && round < 200_000; round += 1) {
      const line = print + makeLine(random, signs, 7);
      const parsed = parseShell(line);
      if (!parsed.isSimple) continue;
      const words = parsed.commands[0]!.words.slice(2).map(({ text }) => text);
      const expected = words.length === 0 ? '<>' : words.map((word) => `<${word}>`).join('');
      cases.push({ line, printed: expected });
    }
    expect(cases.length).toBeGreaterThan(100);
    const printed = runBash(cases.map(({ line }) => line));
    expect(cases.map(({ line }, index) => ({ line, printed: printed[index] }))).toEqual(cases);
  }, 600_000);

  it('a line with variables and braces has one of its readings in common with bash', () => {
    const random = createRandom(5);
    const pieces = [
      'a',
      'b',
      '$X',
      '${X}',
      '"$X"',
      '${X:-c}',
      '${Z:-c}',
      '${X:+d}',
      '${#X}',
      '$Y',
      '"$Y"',
      '$Z',
      '"$Z"',
      '$IFS',
      '${IFS}',
      '$@',
      '$1',
      '$#',
      '{a,b}',
      '{a,$X}',
      '{,c}',
      '{1..3}',
      '{b..a}',
      '{a}',
      '{',
      '}',
      ',',
      '$(echo a b)',
      '"$(echo a b)"',
      '`echo c`',
      '$((1+1))',
      ' ',
      ' ',
      '"',
      "'",
      "''",
      '\\',
      '\\$',
      '~',
      '-',
    ];
    const values = ['a', "' b '", "''", "'b c'", 'x', "'{a,b}'", "'~'"];
    const pick = (): string => values[Math.floor(random() * values.length)]!;
    const cases: { readonly line: string; readonly readings: ReturnType<typeof expandCommands>['commands'] }[] = [];
    for (let round = 0; cases.length < (isLong ? 4_000 : 250) && round < 200_000; round += 1) {
      const words = makeLine(random, pieces, 5);
      const appended = random() < 0.3 ? `X+=${pick()}; ` : '';
      // The number of possible values, once for each word that results from brace expansion. More values are not told
      // apart.
      const choices = words.split(appended === '' ? /[Z:]/ : /[XZ:]/).length - 1;
      if (choices * (words.includes('{') ? 3 : 1) > 3) continue;
      const line = `X=${pick()}; Y=${pick()}; ${appended}${print}${words}`;
      const expanded = expandCommands(line, { cwd: folder, home: '/home/ann' });
      const readings = expanded.commands.filter(({ program, isDirect }) => program === 'printf' && isDirect);
      if (!expanded.isWhole || expanded.runsUnknownText || readings.length === 0) continue;
      if (readings.some(({ args }) => args.some(({ glob }) => glob !== undefined))) continue;
      cases.push({ line, readings });
    }
    const outputs = runBash(cases.map(({ line }) => `HOME=/home/ann; ${line}`));
    let compared = 0;
    for (const [index, { line, readings }] of cases.entries()) {
      const printed = outputs[index];
      if (printed === undefined) continue;
      compared += 1;
      // An unknown word can match any part of the output; an unknown number can only match a number.
      const fits = readings.some(({ args }) => {
        const words = args.slice(1);
        const pattern = words
          .map(({ text, isKnown }) => (isKnown ? `<${escape(text).replaceAll('0', '\\d+')}>` : '[^]*'))
          .join('');
        return new RegExp(`^${words.length === 0 ? '<>' : pattern}$`).test(printed);
      });
      expect({
        line,
        printed,
        fits,
        readings: readings.map(({ args }) => args.slice(1).map(({ text }) => text)),
      }).toMatchObject({ fits: true });
    }
    expect(compared).toBeGreaterThan(100);
  }, 600_000);
});

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
