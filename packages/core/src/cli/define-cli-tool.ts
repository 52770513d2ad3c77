import type { InferOutput, SchemaInput } from '@haft/schema';
import { checkOption } from '../options/check-options.ts';
import { processRunnerKind } from '../options/contract-kinds.ts';
import { custom } from '../options/option-kinds.ts';
import type { NoInput } from '../define/compile-input.ts';
import type { ProcessRunner } from '../contracts/workspace/process-runner.ts';
import type { Tool, ToolReturn } from '../contracts/tools/tool.ts';
import { defineTool } from '../define/define-tool.ts';
import { type ToolDefinition } from '../define/tool-definition.ts';
import { validation } from '../results/tool-error.ts';
import { failure } from '../results/tool-result.ts';
import { concludeCommand, notFound } from './conclude-cli-command.ts';
import { findOptionValue } from './find-cli-option.ts';

/** Options of {@link defineCliTool}: a tool that runs a program. */
export interface CliToolDefinition<
  Input extends SchemaInput = NoInput,
  Output extends SchemaInput = SchemaInput,
> extends Omit<ToolDefinition<Input, Output>, 'execute' | 'available' | 'availabilityTtlMs' | 'type'> {
  /** The program: a name to look up on the `PATH`, or a path. */
  readonly command: string;
  /** Arguments of the program. No shell interprets them. Default: no arguments. */
  args?(args: InferOutput<Input>): readonly string[];
  /** Text to write to standard input. Default: empty. */
  stdin?(args: InferOutput<Input>): string;
  /** Starts the program, for example `import * as sandbox from '@haft/sandbox'`. */
  readonly processes: ProcessRunner;
  /** Names of environment variables to pass in addition to the safe defaults, such as `GITHUB_TOKEN`. */
  readonly allowEnvironment?: readonly string[];
  /** Exit codes that mean success. Default: only 0. */
  readonly successCodes?: readonly number[];
  /**
   * Allows model-written values that begin with `-` in positions where the program reads options. Default: false.
   * Otherwise, such values fail with `INVALID_ARGS` unless `args` puts `--` before them.
   */
  readonly allowOptions?: boolean;
  /** Converts the output into the return value of the tool. Default: the output as text. */
  read?(output: string, args: InferOutput<Input>): ToolReturn;
}

/** Ends the command before the call times out, so that its output is not lost. */
const toEndMs = 7_000;
const maxTitleLength = 200;

const commandKind = custom('the name of a program, without arguments', isCommand);

/**
 * Defines a tool that runs a program. The program runs without a shell, in the working directory of the workspace and
 * without the secrets in the environment of this process. The tool is available if the command is found; otherwise the
 * reason is `<command> not found in PATH`. An exit code other than 0 results in the error `EXIT_CODE`, which includes
 * all output.
 *
 * @throws HaftError `INVALID_TOOL` under the same conditions as `defineTool`, `INVALID_OPTION` if the command or
 * `processes` is invalid.
 */
export function defineCliTool<
  const Input extends SchemaInput = NoInput,
  const Output extends SchemaInput = SchemaInput,
>(definition: CliToolDefinition<Input, Output>): Tool<InferOutput<Input>> {
  const { name, command, processes, successCodes = [0], timeoutMs = 120_000, traits } = definition;
  checkOption('defineCliTool', 'command', command, commandKind);
  checkOption('defineCliTool', 'processes', processes, processRunnerKind);
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
      processes.findExecutable(command, environment(), '/') === undefined
        ? { reason: notFound(command), retryable: false }
        : true,
    async execute(given, context) {
      const { callId, cwd, signal, deadline } = context;
      const argumentList = argumentsOf(given);
      const option = definition.allowOptions === true ? undefined : findOptionValue(argumentList, given);
      if (option !== undefined) {
        const reason = `${JSON.stringify(option)} begins with "-", so ${command} would read it as an option`;
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

/** Returns the members of the definition that `defineTool` accepts. */
function withoutOwn<Input extends SchemaInput, Output extends SchemaInput>(
  definition: CliToolDefinition<Input, Output>,
): Omit<ToolDefinition<Input, Output>, 'execute'> {
  const entries = Object.entries(definition).filter(([key]) => !own.has(key));
  return Object.fromEntries(entries) as unknown as Omit<ToolDefinition<Input, Output>, 'execute'>;
}

/** Formats a command line for display on one line. Quotes arguments that are not plain words. */
function showCommand(command: string, list: readonly string[]): string {
  const words = [command, ...list].map((text) => (/^[\w./:=@%+,-]+$/.test(text) ? text : JSON.stringify(text)));
  const line = words.join(' ');
  return line.length <= maxTitleLength
    ? line
    : `${line.slice(0, maxTitleLength)}… (${line.length - maxTitleLength} more)`;
}

function isCommand(command: unknown): boolean {
  if (typeof command !== 'string' || command === '' || command.includes('\0')) return false;
  // A command with arguments is a mistake, but directory names may contain spaces.
  return !/\s/.test(command) || /[/\\]/.test(command);
}
