import { describe, expect, test } from 'vitest';
import type { Command } from './command.ts';
import { describeCommand, describeProgram } from './help.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { UsageError } from './usage-error.ts';

function command(name: string, extra: Partial<Command> = {}): Command {
  return { name, summary: `does ${name}`, maximumOperands: 0, options: {}, run: async () => 0, ...extra };
}

const tour = command('tour');
const send = command('send', {
  operands: '[FILE|-]',
  maximumOperands: 1,
  options: {
    json: { type: 'boolean', description: 'print JSON' },
    model: { type: 'string', short: 'm', value: 'NAME', description: 'which model' },
  },
});
const all = [tour, send];
const parse = (...argv: readonly string[]): ReturnType<typeof parseCommandLine> => parseCommandLine(argv, all, tour);

async function complaint(...argv: readonly string[]): Promise<string> {
  try {
    await parse(...argv);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }
  throw new Error(`nothing was wrong with ${argv.join(' ')}`);
}

describe('parseCommandLine', () => {
  test('returns no command without arguments', async () => {
    expect((await parse()).command).toBeUndefined();
  });

  test('accepts options before and after the command, and a dash as an operand', async () => {
    const line = await parse('--cwd', '/x', 'send', '-', '--json', '--model=a b');
    expect(line.command).toBe(send);
    expect(line.positionals).toEqual(['-']);
    expect([...line.flags]).toEqual(['json']);
    expect(Object.fromEntries(line.values)).toEqual({ cwd: '/x', model: 'a b' });
  });

  test('treats words after two dashes as operands', async () => {
    expect((await parse('send', '--', '--json')).positionals).toEqual(['--json']);
  });

  test('accepts an option of a command before its name', async () => {
    expect((await parse('--model', 'tour', 'send')).command).toBe(send);
  });

  test.each([
    [['sendd'], 'unknown command "sendd"; did you mean send?'],
    [['zzz'], 'unknown command "zzz"; expected one of tour, send'],
    [['send', '--jsn'], 'send has no option --jsn; did you mean --json?'],
    [['send', '--wat'], 'send has no option --wat; see send --help'],
    [['--json'], 'tour has no option --json; see tour --help'],
    [['send', '-x'], 'send has no option -x; see send --help'],
    [['send', '--model'], '--model needs a value: --model NAME'],
    [['send', '-m', '--json'], '-m needs a value: -m NAME'],
    [['send', '--model='], '--model needs a value: --model NAME'],
    [['send', '--json=yes'], '--json takes no value'],
    [['send', 'a', 'b'], 'send takes at most one operand; "b" is too many'],
    [['tour', 'x'], 'tour takes no operands; "x" is too many'],
    [['send', '--constructor'], 'send has no option --constructor; see send --help'],
    [['send', '--__proto__'], 'send has no option --__proto__; see send --help'],
  ] as const)('explains what is wrong with %j', async (argv, expected) => {
    expect(await complaint(...argv)).toBe(expected);
  });
});

describe('help', () => {
  test('is available as a word and as an option', async () => {
    expect(await parse('help')).toMatchObject({ command: undefined, flags: new Set(['help']) });
    expect(await parse('help', 'send')).toMatchObject({ command: send, flags: new Set(['help']) });
    expect(await complaint('help', 'sendd')).toContain('did you mean send?');
  });

  test('wraps below its own column on a narrow terminal', () => {
    const summary = 'sends what it is given to whoever wants to have it';
    const lines = describeProgram([{ ...send, summary }], 50).split('\n');
    expect(lines).toContain('  send [FILE|-]  sends what it is given to whoever');
    expect(lines).toContain('                 wants to have it');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(50);
  });

  test('lists every command with its summary', () => {
    const text = describeProgram(all, 100);
    expect(text).toMatch(/^ {2}tour {11}does tour$/m);
    expect(text).toMatch(/^ {2}send \[FILE\|-\] {2}does send$/m);
  });

  test("lists a command's own options and the common ones", () => {
    const text = describeCommand(send, 100);
    expect(text).toContain('\nIn this repository: npm run demo -- send [FILE|-] [OPTIONS]\n');
    for (const option of ['--json', '-m, --model NAME', '--cwd DIR', '-h, --help', '--version'])
      expect(text).toContain(option);
  });
});
