import type { InferOutput, SchemaInput } from '@haft/schema';
import { checkOption } from '../options/check-options.ts';
import { aProcessRunner } from '../options/contract-kinds.ts';
import { custom } from '../options/option-kinds.ts';
import type { NoInput } from '../define/compile-input.ts';
import type { ProcessRunner } from '../contracts/workspace/process-runner.ts';
import type { Tool, ToolReturn } from '../contracts/tools/tool.ts';
import { defineTool } from '../define/define-tool.ts';
import { type ToolDefinition } from '../define/tool-definition.ts';
import { validation } from '../results/tool-error.ts';
import { failure } from '../results/tool-result.ts';
import { concludeCommand, notFound } from './conclude-command.ts';
import { findOptionValue } from './find-option-value.ts';

/** What {@link defineCliTool} takes: a tool whose body is a program. */
export interface CliToolDefinition<
  Input extends SchemaInput = NoInput,
  Output extends SchemaInput = SchemaInput,
> extends Omit<ToolDefinition<Input, Output>, 'execute' | 'available' | 'availabilityTtlMs' | 'type'> {
  /** The program: a name that is looked up on the `PATH`, or a path. */
  readonly command: string;
  /** Its arguments, one text each: no shell reads them. Default: none. */
  args?(args: InferOutput<Input>): readonly string[];
  /** What it reads on its standard input; default: nothing. */
  stdin?(args: InferOutput<Input>): string;
  /** What starts it: `import * as sandbox from '@haft/sandbox'`. */
  readonly processes: ProcessRunner;
  /** Names of variables it gets besides the usual harmless ones, such as `GITHUB_TOKEN`. */
  readonly allowEnvironment?: readonly string[];
  /** Exit codes that mean success; default 0 alone. */
  readonly successCodes?: readonly number[];
  /**
   * Lets texts of the model that begin with `-` stand where the program reads options. Default false: they are refused with
   * `INVALID_ARGS`, unless `--` stands before them in `args`.
   */
  readonly allowOptions?: boolean;
  /** Makes the answer of what it printed; default: the text itself. */
  read?(output: string, args: InferOutput<Input>): ToolReturn;
}

/** So that the command is ended with its output in hand before the call is. */
const toEndMs = 7_000;
const maxTitleLength = 200;

const commandKind = custom('the name of a program, without arguments', isCommand);

/**
 * Makes a tool of a program. It runs without a shell, in the workspace's folder, without the secrets of this process's
 * environment; it is available while its command is found, else the reason is `<command> not found in PATH`. Another
 * exit code than 0 is a failure `EXIT_CODE` with all it printed.
 *
 * @throws HaftError `INVALID_TOOL` as `defineTool` does, `INVALID_OPTION` for a command or `processes` that can't be used.
 */
export function defineCliTool<
  const Input extends SchemaInput = NoInput,
  const Output extends SchemaInput = SchemaInput,
>(definition: CliToolDefinition<Input, Output>): Tool<InferOutput<Input>> {
  const { name, command, processes, successCodes = [0], timeoutMs = 120_000, traits } = definition;
  checkOption('defineCliTool', 'command', command, commandKind);
  checkOption('defineCliTool', 'processes', processes, aProcessRunner);
  const environment = (): Readonly<Record<string, string>> =>
    processes.createCleanEnvironment({ allow: definition.allowEnvironment ?? [] });
  const argumentsOf = (given: InferOutput<Input>): readonly string[] => definition.args?.(given) ?? [];

  return defineTool<Input, Output>({
    initialTitle: (given) => showCommand(command, argumentsOf(given)),
    ...withoutOwn(definition),
    type: 'cli',
    timeoutMs: timeoutMs + toEndMs,
    traits: { ...traits, requires: traits?.requires ?? ['process'] },
    available: () =>
      processes.findExecutable(command, environment(), '/') === undefined ? { reason: notFound(command) } : true,
    async execute(given, context) {
      const { callId, cwd, signal, deadline } = context;
      const argumentList = argumentsOf(given);
      const option = definition.allowOptions === true ? undefined : findOptionValue(argumentList, given);
      if (option !== undefined) {
        const reason = `${JSON.stringify(option)} begins with "-", so that ${command} would read it as an option`;
        return failure(callId, validation(name, reason, { hint: 'Give a value that does not begin with "-".' }));
      }
      const left = deadline - context.now();
      const request = {
        command,
        args: argumentList,
        cwd,
        env: environment(),
        ...(definition.stdin ? { stdin: definition.stdin(given) } : {}),
        signal,
        timeoutMs: Math.max(1, Math.min(timeoutMs, left > 2 * toEndMs ? left - toEndMs : left / 2)),
        onOutput: (output: string) => context.progress({ output }),
      };
      const outcome = await processes.runProcess(request);
      const concluded = concludeCommand(callId, request, outcome, successCodes);
      if (!concluded.ok || !definition.read) return concluded;
      return definition.read(outcome.output.text, given);
    },
  });
}

const own: ReadonlySet<string> = new Set([
  'command',
  'args',
  'stdin',
  'processes',
  'allowEnvironment',
  'successCodes',
  'allowOptions',
  'read',
]);

/** What is left for `defineTool`. */
function withoutOwn<Input extends SchemaInput, Output extends SchemaInput>(
  definition: CliToolDefinition<Input, Output>,
): Omit<ToolDefinition<Input, Output>, 'execute'> {
  const entries = Object.entries(definition).filter(([key]) => !own.has(key));
  return Object.fromEntries(entries) as unknown as Omit<ToolDefinition<Input, Output>, 'execute'>;
}

/** A command line as a person reads it, in one line; texts that are not plain words stand in quotes. */
function showCommand(command: string, list: readonly string[]): string {
  const words = [command, ...list].map((text) => (/^[\w./:=@%+,-]+$/.test(text) ? text : JSON.stringify(text)));
  const line = words.join(' ');
  return line.length <= maxTitleLength
    ? line
    : `${line.slice(0, maxTitleLength)}… (${line.length - maxTitleLength} more)`;
}

function isCommand(command: unknown): boolean {
  if (typeof command !== 'string' || command === '' || command.includes('\0')) return false;
  // A whole line is a mistake; folders may have blanks in their names.
  return !/\s/.test(command) || /[/\\]/.test(command);
}
