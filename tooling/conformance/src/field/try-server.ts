import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { allowAll, createDispatcher, ToolRegistry, type ToolResult } from '@haft/core';
import { createConnection, type ConnectionOptions } from '@haft/mcp';
import { countSurvivors, findMarked, markName } from './processes.ts';
import type { FieldServer } from './servers.ts';

/** The observations of one server. */
export interface FieldOutcome {
  readonly package: string;
  readonly version: string;
  readonly startMs: number;
  readonly era: string;
  readonly tools: number;
  /** `ok`, the code of the failure, or `-` without a call. */
  readonly call: string;
  /**
   * The outcome of a call that was cancelled, the outcome of a call after `kill -9` of the server, and the number of
   * processes that were left.
   */
  readonly cancelled: string;
  readonly afterKill: string;
  readonly left: { readonly close: number; readonly interrupt: number; readonly kill: number };
  /** Why the server did not start, or an empty text. */
  readonly problem: string;
}

const restartMs = 30_000;
// If `HAFT_BUILT` is set, the built packages are used, which start faster than their sources.
const fromSource = process.env['HAFT_BUILT'] === undefined ? ['--conditions=@haft/source'] : [];
const host = fileURLToPath(new URL('host.ts', import.meta.url));

/** Runs one installed server through its life: list, calls, `kill -9`, close, and the end of its host. */
export async function tryServer(server: FieldServer, installed: string, folder: string): Promise<FieldOutcome> {
  const place = join(installed, 'node_modules', server.package);
  const { version, bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly bin: string | Readonly<Record<string, string>>;
  };
  const script = typeof bin === 'string' ? bin : (Object.values(bin)[0] ?? '');
  const fill = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll('{folder}', folder)) as Value;
  const optionsOf = (mark: string): ConnectionOptions => ({
    name: 'field',
    command: process.execPath,
    args: [join(place, script), ...fill(server.args ?? [])],
    env: { ...fill(server.env ?? {}), [markName]: mark },
    cwd: folder,
    startTimeoutMs: 60_000,
  });
  const outcome = {
    package: server.package,
    version,
    startMs: 0,
    era: '-',
    tools: 0,
    call: '-',
    cancelled: '-',
    afterKill: '-',
  };
  const mark = randomUUID();
  const registry = new ToolRegistry();
  const started = performance.now();
  try {
    let onReady = (): void => undefined;
    const connection = await createConnection({
      ...optionsOf(mark),
      registry,
      onEvent: (event) => {
        if (event.type === 'state-change' && event.state === 'ready') onReady();
      },
    });
    const startMs = Math.round(performance.now() - started);
    const dispatcher = createDispatcher({ registry, permission: allowAll });
    const run = async (signal?: AbortSignal): Promise<string> => {
      if (!server.call) return '-';
      const { tool, arguments: args } = fill(server.call);
      const call = { id: randomUUID(), name: `field_${tool}`, arguments: args };
      return codeOf(await dispatcher.dispatch(call, signal ? { signal } : {}));
    };
    const call = await run();
    const stopped = new AbortController();
    const running = run(stopped.signal);
    stopped.abort();
    const cancelled = await running;
    const isBack = new Promise<void>((resolve) => (onReady = resolve));
    findMarked(mark).forEach(killNow);
    // Keeps this program running while the server is not running.
    const waited = new AbortController();
    await Promise.race([isBack, delay(restartMs, undefined, { signal: waited.signal }).catch(() => undefined)]);
    waited.abort();
    const afterKill = server.call ? await run() : connection.state;
    const { era } = connection.protocol;
    const tools = connection.tools.length;
    await connection.close();
    const left = {
      close: await countSurvivors(mark),
      interrupt: await endHost(optionsOf, 'SIGINT'),
      kill: await endHost(optionsOf, 'SIGKILL'),
    };
    return { ...outcome, startMs, era, tools, call, cancelled, afterKill, left, problem: '' };
  } catch (error) {
    const problem = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const left = { close: await countSurvivors(mark), interrupt: 0, kill: 0 };
    return { ...outcome, left, problem };
  }
}

/** Kills a process. One that has ended meanwhile, with its parent, is fine. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function codeOf(result: ToolResult): string {
  return result.ok ? 'ok' : result.error.code;
}

/** Ends a program that uses the server, by a signal to its process group. Resolves to the number of processes left. */
async function endHost(optionsOf: (mark: string) => ConnectionOptions, signal: NodeJS.Signals): Promise<number> {
  const mark = randomUUID();
  const child = spawn(process.execPath, [...fromSource, host, JSON.stringify(optionsOf(mark))], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
  await ended;
  return countSurvivors(mark);
}
