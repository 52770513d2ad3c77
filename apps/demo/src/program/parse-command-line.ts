import { parseArgs } from 'node:util';
import type { Command, CommandOption, OptionTable } from './command.ts';
import { UsageError } from './usage-error.ts';

/** Options of every command. */
export const commonOptions: OptionTable = {
  config: { type: 'string', value: 'FILE', description: 'read options from this file (default: haft.config.json)' },
  cwd: { type: 'string', value: 'DIR', description: 'work in this folder instead of the current one' },
  help: { type: 'boolean', short: 'h', description: 'show this help' },
  version: { type: 'boolean', description: 'print the version' },
};

/** The parsed and checked command line. */
export interface CommandLine {
  /** The named command; `undefined` if none was named. */
  readonly command: Command | undefined;
  readonly positionals: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Parses the arguments: command, operands, options. Options may precede the command. Rejects with a UsageError for an
 * unknown command or option, a missing value or a superfluous one.
 */
export async function parseCommandLine(
  typed: readonly string[],
  commands: readonly Command[],
  fallback: Command,
): Promise<CommandLine> {
  // `help chat`, as in other programs.
  const asked = typed[0] === 'help' ? [...typed.slice(1), '--help'] : typed;
  const argv = asked[0] === 'new' && asked[1] === 'plugin' ? ['new-plugin', ...asked.slice(2)] : asked;
  const named = await findCommand(argv, commands);
  const command = named?.command ?? fallback;
  const rest = named ? argv.filter((_, index) => index !== named.index) : argv;
  const options: OptionTable = { ...command.options, ...commonOptions };
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokenize(rest, options)) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) throw new UsageError(await unknownOption(token.rawName, command, options));
    if (option.type === 'boolean') flags.add(takeFlag(token));
    else values.set(token.name, takeValue(token, option));
  }
  const surplus = positionals[command.maximumOperands];
  if (surplus !== undefined && !flags.has('help')) {
    throw new UsageError(
      `${command.name} takes ${countOf(command.maximumOperands)}; ${JSON.stringify(surplus)} is too many`,
    );
  }
  return { command: named?.command, positionals, flags, values };
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

/** Never throws: Haft has its own checks and messages. */
function tokenize(argv: readonly string[], options: OptionTable): readonly Token[] {
  const table = Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [name, short === undefined ? { type } : { type, short }]),
  );
  return parseArgs({ args: [...argv], options: table, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** The first word that is neither an option nor an option's value names the command. */
async function findCommand(
  argv: readonly string[],
  commands: readonly Command[],
): Promise<{ readonly command: Command; readonly index: number } | undefined> {
  const every: OptionTable = Object.assign({}, ...commands.map((command) => command.options), commonOptions);
  const first = tokenize(argv, every).find((token) => token.kind === 'positional');
  if (first?.kind !== 'positional') return undefined;
  const command = commands.find((candidate) => candidate.name === first.value);
  if (command) return { command, index: first.index };
  const names = commands.map((candidate) => candidate.name);
  const nearest = await nearestOf(first.value, names);
  const advice = nearest === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${nearest}?`;
  throw new UsageError(`unknown command ${JSON.stringify(first.value)}; ${advice}`);
}

function takeFlag(token: OptionToken): string {
  if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
  return token.name;
}

function takeValue(token: OptionToken, option: CommandOption): string {
  const { value } = token;
  const looksLikeOption = !token.inlineValue && value !== undefined && value.length > 1 && value.startsWith('-');
  if (value === undefined || value === '' || looksLikeOption) {
    throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${option.value ?? 'VALUE'}`);
  }
  return value;
}

/** Loaded only after a typo. */
async function nearestOf(given: string, known: readonly string[]): Promise<string | undefined> {
  const { findNearestNames } = await import('@haft/core');
  return findNearestNames(given, known, 1)[0];
}

async function unknownOption(rawName: string, command: Command, options: OptionTable): Promise<string> {
  const nearest = await nearestOf(rawName, Object.keys(options));
  const advice = nearest === undefined ? `see ${command.name} --help` : `did you mean --${nearest}?`;
  return `${command.name} has no option ${rawName}; ${advice}`;
}

function countOf(maximum: number): string {
  return maximum === 0 ? 'no operands' : maximum === 1 ? 'at most one operand' : `at most ${maximum} operands`;
}
