import type { ProcessRunner } from '@haft/core';
import type { HookName } from '@haft/core/hooks';

/** How a hook's program is started. */
export interface HookCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** What each hook's program is told besides which hook it is. */
const members: Readonly<Record<HookName, readonly string[]>> = {
  beforeCall: ['call'],
  afterCall: ['call', 'result'],
  beforeTurn: ['turn'],
  afterTurn: ['turn', 'answer'],
};
const maxOutput = 1_000_000;

/** Asks a program; resolves to what it prints as JSON, or to a no. Rejects when it can't be started, is too slow or prints anything else. */
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
  const said = printed.trim();
  if (outcome.exitCode !== 0)
    return { deny: said === '' ? `${command} ended with ${outcome.exitCode ?? outcome.signal ?? 'a signal'}` : said };
  if (said === '') return undefined;
  try {
    return JSON.parse(said) as unknown;
  } catch {
    throw new Error(`${command} printed what is no JSON object: ${said.slice(0, 100)}`);
  }
}
