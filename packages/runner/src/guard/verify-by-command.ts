import type { ProcessRunner } from '@haft/core';
import {
  aBoolean,
  absolutePath,
  aFunction,
  aProcessRunner,
  arrayOf,
  aString,
  checkOptions,
  nonEmptyString,
  recordOf,
  required,
  type OptionTable,
} from '@haft/core/options';
import type { Verifier } from './verify-changes.ts';

/** Which program {@link verifyByCommand} runs, and how. */
export interface VerifyingCommand {
  /** A program; it is started without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Absolute working directory. */
  readonly cwd: string;
  /** Starts programs and sees to it that they end: `import * as sandbox from '@haft/sandbox'` is one. */
  readonly processes: ProcessRunner;
  /** Variables it gets besides those of a clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gives it the changed files as its last arguments. Default false: it looks at the whole project. */
  readonly passPaths?: boolean;
  /** For the model; default: the command. */
  readonly name?: string;
  /** Which changes it is for; default: all. */
  readonly matches?: (path: string) => boolean;
}

const table: OptionTable<VerifyingCommand> = {
  command: required(nonEmptyString),
  args: arrayOf(aString),
  cwd: required(absolutePath),
  processes: required(aProcessRunner),
  env: recordOf(aString),
  passPaths: aBoolean,
  name: aString,
  matches: aFunction,
};

/** Whoever runs a verifier ends it sooner, by its signal. */
const maxTimeoutMs = 3_600_000;

/**
 * Makes a verifier of a program, such as a compiler, a linter or tests: an exit code of 0 means that all is well, with any
 * other the model is told what it printed. One that can't be started is not content either, and says so.
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
