import type { ProcessRunner } from '@haft/core';
import {
  booleanKind,
  absolutePathKind,
  functionKind,
  processRunnerKind,
  arrayOf,
  stringKind,
  checkOptions,
  nonEmptyStringKind,
  recordOf,
  required,
  type OptionTable,
} from '@haft/core/options';
import type { Verifier } from './verify-changes.ts';

/** Program of {@link verifyByCommand}. */
export interface VerifyingCommand {
  /** Program to start without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Absolute working directory. */
  readonly cwd: string;
  /** Starts and ends programs, for example `import * as sandbox from '@haft/sandbox'`. */
  readonly processes: ProcessRunner;
  /** Environment variables in addition to the default environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Appends the changed files to the arguments. Default false: the program checks the whole project. */
  readonly passPaths?: boolean;
  /** Name for the model; default: the command. */
  readonly name?: string;
  /** Selects the changes to verify; default: all. */
  readonly matches?: (path: string) => boolean;
}

const table: OptionTable<VerifyingCommand> = {
  command: required(nonEmptyStringKind),
  args: arrayOf(stringKind),
  cwd: required(absolutePathKind),
  processes: required(processRunnerKind),
  env: recordOf(stringKind),
  passPaths: booleanKind,
  name: stringKind,
  matches: functionKind,
};

/** Upper bound; the caller's signal ends the program earlier. */
const maxTimeoutMs = 3_600_000;

/**
 * Creates a verifier from a program such as a compiler, a linter or a test runner. Exit code 0 passes; otherwise the
 * model receives the output. A program that cannot be started fails too.
 */
export function verifyByCommand(given: VerifyingCommand): Verifier {
  checkOptions('verifyByCommand', given, table, '{ command: "npm", args: ["test"], cwd, processes }');
  const { command, args = [], cwd, processes, env = {}, passPaths = false, name = command, matches } = given;
  return {
    name,
    ...(matches && { matches }),
    async run(paths, signal) {
      const { failure, exitCode, output } = await processes.runProcess({
        command,
        args: passPaths ? [...args, ...paths] : args,
        cwd,
        env: processes.createCleanEnvironment({ set: env }),
        signal,
        timeoutMs: maxTimeoutMs,
        onOutput: () => undefined,
      });
      if (failure) return { ok: false, output: `${command} can't be started: ${failure.message}` };
      return exitCode === 0 ? { ok: true } : { ok: false, output: output.text };
    },
  };
}
