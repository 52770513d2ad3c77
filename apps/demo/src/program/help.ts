import type { Command, OptionTable } from './command.ts';
import { commonOptions } from './parse-command-line.ts';

/** The page that `--help` shows without a command. */
export function describeProgram(commands: readonly Command[]): string {
  const rows = commands.map((command): Row => [
    [command.name, command.operands].filter(Boolean).join(' '),
    command.summary,
  ]);
  return page([
    'haft: from the text a model wrote to tools that ran',
    '',
    'Usage: haft [COMMAND] [OPTIONS]        in this repository: npm run demo -- [COMMAND] [OPTIONS]',
    '',
    'Commands (without one: the tour)',
    ...columns(rows),
    '',
    'Options of every command',
    ...columns(optionRows(commonOptions)),
    '',
    'haft COMMAND --help says more. Exit codes: 0 done, 1 something failed, 2 the command can not be carried out as typed.',
  ]);
}

/** The page that a command's own `--help` shows. */
export function describeCommand(command: Command): string {
  const operands = command.operands === undefined ? '' : ` ${command.operands}`;
  return page([
    `haft ${command.name}: ${command.summary}`,
    '',
    `Usage: haft ${command.name}${operands} [OPTIONS]        in this repository: npm run demo -- ${command.name} …`,
    '',
    'Options',
    ...columns(optionRows({ ...command.options, ...commonOptions })),
    ...(command.notes === undefined ? [] : ['', ...command.notes]),
  ]);
}

type Row = readonly [left: string, right: string];

function optionRows(options: OptionTable): readonly Row[] {
  return Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? '' : `-${option.short}, `;
    const value = option.type === 'string' ? ` ${option.value ?? 'VALUE'}` : '';
    return [`${short}--${name}${value}`, option.description];
  });
}

function columns(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function page(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
