import { statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import type { Environment } from './clean-environment.ts';
import { findExecutable } from './find-executable.ts';
import type { Jail } from '../jail/contract/jail.ts';
import { joinStreams } from '../jail/commands/jailed-shell-command.ts';
import { createFailure, errnoOf, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/** The program and arguments to start. */
export interface Invocation {
  readonly ok: true;
  readonly file: string;
  readonly args: readonly string[];
  /** True if standard error is joined to standard output and needs no separate pipe. */
  readonly isJoined: boolean;
  readonly windowsVerbatimArguments: boolean;
}

export interface InvocationRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly shell: boolean | string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly joinStreams: boolean;
  readonly jail?: Pick<Jail, 'wrap'> | undefined;
}

/** Determines what to start, or the reason why the command cannot be started. */
export function createInvocation(request: InvocationRequest): Invocation | SandboxFailure {
  return checkDirectory(request.cwd) ?? (process.platform === 'win32' ? invokeOnWindows(request) : invoke(request));
}

function invoke(request: InvocationRequest): Invocation | SandboxFailure {
  const { command, args, shell, cwd, environment, jail } = request;
  const program = shell === false ? command : shell === true ? '/bin/sh' : shell;
  const file = findExecutable(program, environment, cwd);
  if (file === undefined) return commandNotFound(program, shell === false && args.length === 0);
  const programArgs = shell === false ? args : ['-c', command, basename(file), ...args];
  const wrapped = jail?.wrap({ file, args: programArgs, cwd }) ?? { file, args: programArgs };
  const common = { ok: true, windowsVerbatimArguments: false } as const;
  const started = request.joinStreams ? joinStreams(wrapped) : wrapped;
  return { ...common, file: started.file, args: started.args, isJoined: request.joinStreams };
}

function invokeOnWindows({ command, args, shell, cwd, environment }: InvocationRequest): Invocation | SandboxFailure {
  const program =
    shell === false
      ? command
      : shell === true
        ? (environment['ComSpec'] ?? environment['COMSPEC'] ?? 'cmd.exe')
        : shell;
  const file = findExecutable(program, environment, cwd);
  if (file === undefined) return commandNotFound(program);
  const isCommandPrompt = /(?:^|[\\/])cmd(?:\.exe)?$/i.test(program);
  const line = isCommandPrompt ? ['/d', '/s', '/c', `"${command}"`] : ['-c', command];
  const programArgs = shell === false ? args : line;
  return {
    ok: true,
    file,
    args: programArgs,
    isJoined: false,
    windowsVerbatimArguments: shell !== false && isCommandPrompt,
  };
}

function commandNotFound(program: string, mayBeLine = false): SandboxFailure {
  const shown = JSON.stringify(basename(program));
  return createFailure(
    'COMMAND_NOT_FOUND',
    `command: ${JSON.stringify(program)} is not an executable${mayBeLine && /\s/.test(program) ? '; pass shell: true for a shell command line, or put arguments into args' : ''}`,
    `${shown} is not installed or not executable. Use another command.`,
  );
}

function checkDirectory(cwd: string): SandboxFailure | undefined {
  if (!isAbsolute(cwd) || cwd.includes('\0'))
    return createFailure('INVALID_PATH', `cwd: ${JSON.stringify(cwd)} is not an absolute path`);
  try {
    return statSync(cwd).isDirectory()
      ? undefined
      : createFailure('NOT_DIRECTORY', `cwd: ${JSON.stringify(cwd)} is not a directory`);
  } catch (error) {
    const { code, hint } = failureFromError(error, 'READ_ERROR', cwd);
    return createFailure(code, `cwd: ${JSON.stringify(cwd)} is not accessible (${errnoOf(error)})`, hint);
  }
}
