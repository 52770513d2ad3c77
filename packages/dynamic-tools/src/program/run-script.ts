import type { LaunchPlan } from '../isolation/launch/launch-plan.ts';
import { explainExit, type PluginExit } from '../isolation/process/plugin-exit.ts';
import { maxHostMessageBytes } from '../isolation/channel/messages.ts';
import { startPlugin } from '../isolation/process/running-plugin.ts';
import { type LooseMessage, type MessageVerdict } from '../isolation/process/process-handle.ts';
import { createOwnTime } from './own-time.ts';
import type { ProgramLimits } from './program-limits.ts';
import type { ScriptCalls } from './script-calls.ts';
import type { ToScript } from '../isolation/channel/script-messages.ts';

/** How a script ended. */
export type ScriptEnd =
  | { readonly kind: 'returned'; readonly value: unknown }
  | {
      readonly kind: 'syntax' | 'threw' | 'value';
      readonly message: string;
      readonly line: number | undefined;
      readonly call: unknown;
    }
  /** It exceeded a limit, or its process ended. */
  | { readonly kind: 'time' | 'memory' | 'flood' | 'denied' | 'cancelled' }
  | { readonly kind: 'exit'; readonly message: string };

/** The outcome of a script. */
export interface RanScript {
  readonly end: ScriptEnd;
  readonly printed: string;
  /** Whether it printed more than was stored. */
  readonly isCut: boolean;
}

/** How to run a script. */
export interface ScriptRunOptions {
  readonly script: string;
  readonly names: readonly string[];
  readonly plan: LaunchPlan;
  readonly limits: Required<ProgramLimits>;
  readonly calls: ScriptCalls;
  /** Ends the script. */
  readonly signal: AbortSignal;
  readonly onPrint: (line: string) => void;
}

/** Maximum characters of output read from a script: far more than a model reads, since the rest is stored. */
const maxPrinted = 4_000_000;
const maxMessageLength = 4_000;
/** Maximum number of answered calls beyond the limit. A script that ignores more failures would never stop calling. */
const maxRefused = 1_000;

/**
 * Runs a script in its own process and makes its calls, until the script ends or exceeds a limit. The process is
 * untrusted: every message is a call, which is checked like any call, a printed line, or the end. When the promise
 * resolves, the process and all of its calls have ended.
 */
export async function runScript(options: ScriptRunOptions): Promise<RanScript> {
  const { script, names, plan, limits, calls, signal, onPrint } = options;
  const running = startPlugin(plan, {
    unresponsiveMs: limits.ownTimeMs,
    // The clock is paused during calls, so the processor time is limited too. The limit is doubled, because Node's
    // helper threads count as well.
    maxProcessorMs: 2 * limits.ownTimeMs,
    maxMemoryBytes: limits.memoryMegabytes * 1_048_576,
  });
  const used = new Set<number>();
  let printed = '';
  let isCut = false;
  let refused = 0;
  let open = 0;
  let settle: (end: ScriptEnd) => void = () => undefined;
  const ended = new Promise<ScriptEnd>((resolve) => (settle = resolve));
  let isOver = false;
  /** Ends the run. Later messages are ignored. */
  const finish = (end: ScriptEnd): void => {
    isOver = true;
    settle(end);
  };
  const ownTime = createOwnTime(limits.ownTimeMs, () => finish({ kind: 'time' }));
  const onAbort = (): void => finish({ kind: 'cancelled' });

  const answer = (message: ToScript): void => {
    try {
      running.send(message);
    } catch {
      const reply = `its answer is not JSON, or exceeds ${maxHostMessageBytes / 1_048_576} MiB: ask for less at once`;
      running.send({
        t: 'answer',
        id: (message as { readonly id: number }).id,
        ok: false,
        code: 'OUTPUT_INVALID',
        message: reply,
      });
    }
  };
  const make = async (id: number, name: string, args: unknown): Promise<void> => {
    open += 1;
    ownTime.rest();
    const reply = await calls.make(id, name, args);
    open -= 1;
    if (isOver) return;
    if (calls.denied >= limits.denials) return finish({ kind: 'denied' });
    if (open === 0) ownTime.run();
    answer(reply);
  };
  const invoke = ({ id, name, args }: LooseMessage): MessageVerdict => {
    if (typeof id !== 'number' || typeof name !== 'string' || used.has(id)) return 'stray';
    if (calls.count >= limits.toolCalls) {
      answer({
        t: 'answer',
        id,
        ok: false,
        code: 'LIMIT_REACHED',
        message: `a script may make at most ${limits.toolCalls} calls`,
      });
      refused += 1;
      return refused > maxRefused ? 'stray' : 'news';
    }
    used.add(id);
    void make(id, name, args);
    return 'news';
  };
  running.listen({
    onOutput: () => undefined,
    onMessage(message) {
      if (isOver) return 'news';
      switch (message['t']) {
        case 'invoke':
          return invoke(message);
        case 'print': {
          const line = typeof message['text'] === 'string' ? message['text'] : '';
          if (printed.length + line.length > maxPrinted) isCut = true;
          else {
            printed += `${line}\n`;
            onPrint(line);
          }
          return 'news';
        }
        case 'cut':
          isCut = true;
          return 'news';
        case 'done':
          finish(readEnd(message));
          return 'answer';
        default:
          return 'stray';
      }
    },
  });
  void running.exited.then((exit) => finish(endOf(exit)));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  running.watch('busy');
  ownTime.run();
  running.send({ t: 'script', text: script, names, maxPrinted });

  const end = await ended;
  ownTime.end();
  signal.removeEventListener('abort', onAbort);
  running.kill('closed');
  await Promise.all([running.exited, calls.end('the script has ended')]);
  return { end, printed, isCut };
}

function readEnd(message: LooseMessage): ScriptEnd {
  const { ok, value, reason, message: words, line, call } = message;
  if (ok === true) return { kind: 'returned', value };
  return {
    kind: reason === 'syntax' || reason === 'value' ? reason : 'threw',
    message: typeof words === 'string' ? words.slice(0, maxMessageLength) : 'it failed without a message',
    line: typeof line === 'number' && Number.isInteger(line) && line > 0 ? line : undefined,
    call,
  };
}

function endOf(exit: PluginExit): ScriptEnd {
  switch (exit.cause) {
    case 'unresponsive':
      return { kind: 'time' };
    case 'memory':
    case 'flood':
      return { kind: exit.cause };
    case 'protocol':
      return { kind: 'flood' };
    default:
      // V8's message when its heap is full.
      if (exit.output.includes('heap out of memory')) return { kind: 'memory' };
      return { kind: 'exit', message: explainExit(exit) };
  }
}
