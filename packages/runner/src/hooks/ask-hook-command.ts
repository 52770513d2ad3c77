import type { ProcessRunner } from '@haft/core';
import type { HookName } from '@haft/core/hooks';

/** How to start a hook's program. */
export interface HookCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** Members of the JSON input of each hook, besides `hook`. */
const members: Readonly<Record<HookName, readonly string[]>> = {
  beforeCall: ['call'],
  afterCall: ['call', 'result'],
  beforeTurn: ['turn'],
  afterTurn: ['turn', 'answer'],
};
const maxOutput = 1_000_000;

/**
 * Asks a program and returns its JSON output or a refusal. Rejects if the program cannot be started, times out or
 * prints anything else.
 */
export async function askCommand(
  processes: ProcessRunner,
  { command, args, env, cwd, timeoutMs }: HookCommand,
  hook: HookName,
  given: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  const input = Object.fromEntries(members[hook].map((name, index) => [name, given[index]]));
  let printed = '';
  const outcome = await processes.runProcess({
    command,
    args,
    cwd,
    env: processes.createCleanEnvironment({ set: env }),
    stdin: JSON.stringify({ hook, ...input }),
    signal,
    timeoutMs,
    onOutput: (text) => void (printed = printed.length < maxOutput ? printed + text : printed),
  });
  if (outcome.failure) throw new Error(`${command} can't be started: ${outcome.failure.message}`);
  if (outcome.timedOut) throw new Error(`${command} did not end in ${timeoutMs} ms`);
  const output = printed.trim();
  if (outcome.exitCode !== 0)
    return {
      deny: output === '' ? `${command} ended with ${outcome.exitCode ?? outcome.signal ?? 'a signal'}` : output,
    };
  if (output === '') return undefined;
  try {
    return JSON.parse(output) as unknown;
  } catch {
    throw new Error(`${command} did not print a JSON object: ${output.slice(0, 100)}`);
  }
}
