import { wrapLine } from '../show/wrap-line.ts';
import type { Command, OptionTable } from './command.ts';
import { commonOptions } from './parse-command-line.ts';

/** The `--help` page of the program, wrapped to a width. */
export function describeProgram(commands: readonly Command[], width: number): string {
  const rows = commands.map((command): Row => [
    [command.name, command.operands].filter(Boolean).join(' '),
    command.summary,
  ]);
  return page(width, [
    'haft: from the text a model wrote to tools that ran',
    '',
    'Usage: haft [COMMAND] [OPTIONS]',
    'In this repository: npm run demo -- [COMMAND] [OPTIONS]',
    '',
    'Commands (without one: the tour)',
    ...columns(rows),
    '',
    'Options of every command',
    ...columns(optionRows(commonOptions)),
    '',
    'haft COMMAND --help shows more. Exit codes: 0 success, 1 failure, 2 invalid command line.',
  ]);
}

/** The `--help` page of a command, wrapped to a width. */
export function describeCommand(command: Command, width: number): string {
  const operands = command.operands === undefined ? '' : ` ${command.operands}`;
  return page(width, [
    `haft ${command.name}: ${command.summary}`,
    '',
    `Usage: haft ${command.name}${operands} [OPTIONS]`,
    `In this repository: npm run demo -- ${command.name}${operands} [OPTIONS]`,
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

const gap = '  ';

function columns(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${gap}${left.padEnd(width)}${gap}${right}`);
}

/** Wrapped rows of {@link columns} continue in their right column, other lines at their own indentation. */
function page(width: number, lines: readonly string[]): string {
  return lines.map((line) => `${wrapLine(line, width, ' '.repeat(hangOf(line, width))).join('\n')}\n`).join('');
}

function hangOf(line: string, width: number): number {
  const [row] = /^ {2}\S.*? {2,}(?=\S)/.exec(line) ?? [];
  if (row !== undefined && row.length < width - narrowest) return row.length;
  return line.length - line.trimStart().length;
}

/** Minimum width of the right column. */
const narrowest = 24;
