import type { RunningPlugin, PluginPhase, RunningPluginListener } from './process-handle.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { LaunchPlan } from '../launch/launch-plan.ts';
import { createChildBudget, hostTime, type ChildCost } from '../channel/child-budget.ts';
import { finalOutputMs, openChildChannel } from './child-channel.ts';
import type { LineChannel } from '../channel/line-channel.ts';
import { maxHostMessageBytes, type HostMessage } from '../channel/messages.ts';
import { createOutputLines } from '../channel/output-lines.ts';
import type { ExceededBudget, PluginExit } from './plugin-exit.ts';
import type { ToScript } from '../channel/script-messages.ts';
import { endWithHost, killGroup, leadsGroup, useOf } from './process-watch.ts';

/** Limits of a process. */
export interface ProcessLimits {
  /** Time without a response after which a loaded process is ended, in milliseconds. */
  readonly unresponsiveMs: number;
  readonly maxMemoryBytes: number;
  /**
   * Maximum total processor time in milliseconds. A process that exceeds it counts as unresponsive. Default: unlimited.
   * Linux only.
   */
  readonly maxProcessorMs?: number;
  /** Maximum processor time in milliseconds per idle minute. Default 30,000: half of one processor. Linux only. */
  readonly maxIdleProcessorMs?: number;
}

/** Maximum bytes of the last output that are reported after the process has ended. Errors of HTTP clients are long. */
const outputBytes = 16_000;
/**
 * Maximum time between two checks of a process, in milliseconds. Idle processes are checked less often, because no call
 * waits for them.
 */
const maxHeartbeatMs: Readonly<Record<PluginPhase, number>> = { starting: 500, idle: 2_000, busy: 500, ending: 500 };
const idleMinuteMs = 60_000;
const defaultIdleProcessorMs = 30_000;
/** Maximum bytes that wait for a process that does not read. */
const maxUnreadBytes = 4 * maxHostMessageBytes;

/** Starts a plugin's process. Never throws: a failed start is reported by `exited`. */
export function startPlugin(plan: LaunchPlan, limits: ProcessLimits): RunningPlugin {
  let listener: RunningPluginListener = { onMessage: () => 'stray', onOutput: () => undefined };
  plan.hold();
  const child = spawn(plan.command, [...plan.args], {
    env: plan.env,
    cwd: plan.cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: leadsGroup,
    windowsHide: true,
  });
  let cause: PluginExit['cause'] = 'exit';
  let exceeded: ExceededBudget | undefined;
  let output: Buffer = Buffer.alloc(0);
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let isGone = false;
  let lastMessageAt = 0;
  let lastBeatAt = 0;
  /** The nonce of the ping without an answer. */
  let nonce: string | undefined;
  const budget = createChildBudget();
  const endRest = child.pid === undefined ? undefined : endWithHost(child.pid);
  for (const stream of [child.stdout, child.stderr]) {
    const lines = createOutputLines((line) => listener.onOutput(line));
    stream?.on('data', (chunk: Buffer) => {
      const began = hostTime();
      output = Buffer.concat([output, chunk.subarray(-outputBytes)]).subarray(-outputBytes);
      lines.feed(chunk);
      charge({ bytes: chunk.length, messages: 1, hostMs: hostTime() - began });
    });
    stream?.on('error', () => undefined);
  }

  const kill = (why: PluginExit['cause'], budget?: ExceededBudget): void => {
    if (cause === 'exit') {
      cause = why;
      exceeded = budget;
    }
    if (child.pid !== undefined) killGroup(child.pid);
    if (why !== 'flood' && why !== 'protocol') return;
    // Messages that the process has already sent are ignored.
    channel?.stop();
    for (const stream of child.stdio) stream?.destroy();
  };
  const charge = (cost: ChildCost): void => {
    const over = budget.charge(cost);
    if (over !== undefined) kill('flood', over);
  };
  const channel: LineChannel | undefined = openChildChannel(child, {
    budget,
    charge,
    kill,
    onPong,
    onMessage: (message) => listener.onMessage(message),
  });
  const send = (message: HostMessage | ToScript): boolean => {
    if (!channel?.send(message)) return false;
    if (channel.unreadBytes > maxUnreadBytes) kill('flood', 'unread messages');
    return true;
  };
  const exited = awaitExit(child, () => ({
    cause,
    ...(exceeded !== undefined && { budget: exceeded }),
    output: output.toString('utf8'),
  })).then((exit) => {
    isGone = true;
    clearInterval(heartbeat);
    // Its descendants may still be running: those it started, or the inside of a jail that ended while it was starting.
    endRest?.();
    plan.release();
    if (child.pid === undefined) return exit;
    // The system may have detected the limit before the regular check did.
    const limit = plan.settle(child.pid);
    return limit === 'memory' && exit.cause === 'exit' ? { ...exit, cause: limit } : exit;
  });

  /** Sends a ping, unless an earlier one is still unanswered. */
  function ping(): void {
    if (nonce !== undefined) return;
    nonce = randomUUID();
    send({ t: 'ping', nonce });
  }
  function onPong(answered: unknown): void {
    if (nonce === undefined || answered !== nonce) return kill('protocol');
    nonce = undefined;
    lastMessageAt = Date.now();
  }
  const beat = (phase: PluginPhase, beatMs: number): void => {
    const now = Date.now();
    // This program's event loop was blocked, so the process could not be heard.
    if (now - lastBeatAt > 4 * beatMs) lastMessageAt = now;
    lastBeatAt = now;
    if (phase === 'idle' || phase === 'busy') {
      if (now - lastMessageAt > limits.unresponsiveMs) return kill('unresponsive');
      ping();
    }
    const { pid } = child;
    if (pid === undefined) return;
    void judge(pid, phase);
  };

  let idleFrom: { readonly at: number; readonly processorMs: number } | undefined;
  async function judge(pid: number, phase: PluginPhase): Promise<void> {
    const { memoryBytes, processorMs } = await useOf(pid);
    const now = Date.now();
    // The time limit of a call covers what the process does during the call.
    if (phase !== 'idle') idleFrom = undefined;
    else if (!idleFrom || now - idleFrom.at > idleMinuteMs) idleFrom = { at: now, processorMs };
    const idleMs = processorMs - (idleFrom?.processorMs ?? processorMs);
    if (memoryBytes > limits.maxMemoryBytes) kill('memory');
    else if (processorMs > (limits.maxProcessorMs ?? Infinity)) kill('unresponsive');
    else if (idleMs > (limits.maxIdleProcessorMs ?? defaultIdleProcessorMs)) kill('processor');
  }

  let watched: PluginPhase | undefined;
  let wanted: PluginPhase | undefined;
  function watch(phase: PluginPhase): void {
    wanted = phase;
    if (isGone) return;
    // Calls start and end too often to change the timer each time. A busy process counts as busy until the next check.
    if (watched === phase || (watched === 'busy' && phase === 'idle')) return;
    watched = phase;
    clearInterval(heartbeat);
    lastMessageAt = lastBeatAt = Date.now();
    const beatMs = Math.min(maxHeartbeatMs[phase], limits.unresponsiveMs / 4);
    heartbeat = setInterval(() => {
      if (wanted === 'idle' && phase === 'busy') watchAnew();
      else beat(phase, beatMs);
    }, beatMs);
    // The channel of the process keeps this program alive, so the timer need not.
    heartbeat.unref();
  }
  function watchAnew(): void {
    watched = undefined;
    watch('idle');
  }
  watch('starting');

  return {
    exited,
    get isAlive() {
      return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    },
    listen: (next) => void (listener = next),
    send,
    watch,
    demandLife(withinMs) {
      const since = Date.now();
      ping();
      setTimeout(() => {
        if (lastMessageAt < since) kill('unresponsive');
      }, withinMs).unref();
    },
    kill,
    async close(graceMs) {
      watch('ending');
      send({ t: 'dispose' });
      const timer = setTimeout(() => kill('closed'), graceMs);
      if (cause === 'exit') cause = 'closed';
      const exit = await exited;
      clearTimeout(timer);
      return exit;
    },
  };
}

function awaitExit(
  child: ChildProcess,
  rest: () => Pick<PluginExit, 'cause' | 'budget' | 'output'>,
): Promise<PluginExit> {
  return new Promise((resolve) => {
    const end = (exitCode: number | null, signal: string | null, message = ''): void => {
      const { output, ...why } = rest();
      resolve({ ...why, exitCode, signal, output: message || output });
    };
    child.once('error', (error) => end(null, null, error.message));
    // Some output may arrive after the exit. A descendant that keeps the streams open may prevent `close`.
    child.once('exit', (exitCode, signal) => {
      const timer = setTimeout(() => end(exitCode, signal), finalOutputMs);
      child.once('close', () => {
        clearTimeout(timer);
        end(exitCode, signal);
      });
    });
  });
}
