import { failure, toolError, type Logger, type ToolContext, type ToolResult } from '@haft/core';
import type { LoadProblem } from '../../plugin-report.ts';
import type { ThrownText } from '../../thrown-text.ts';
import { createCallBroker, toWireContext, type CallBroker } from './call-broker.ts';
import type { LaunchPlan } from '../launch/launch-plan.ts';
import type { HostMessage, RemoteMethod, WireTarget } from '../channel/messages.ts';
import { explainExit, type PluginExit } from './plugin-exit.ts';
import { prepareValue, writeForWire } from '../channel/wire-value.ts';
import type { StrippedSources } from '../stripper/type-stripper.ts';
import { startPlugin, type ProcessLimits } from './running-plugin.ts';
import { type LooseMessage, type MessageVerdict, type RunningPlugin } from './process-handle.ts';

/** The description that a plugin's process returned, or why the plugin can't be used. */
export type LoadedInProcess = { readonly plugin: unknown } | LoadProblem;

/** One process of a plugin, from its start to its end. */
export interface PluginProcess {
  readonly loaded: Promise<LoadedInProcess>;
  readonly exited: Promise<PluginExit>;
  /** Number of running calls. */
  readonly calls: number;
  /**
   * Runs a method of a tool. Resolves to a failure if the process ends during the call. Rejects with what the method
   * threw.
   */
  call(tool: number, method: RemoteMethod, args: unknown, context: ToolContext | undefined): Promise<unknown>;
  /**
   * Runs a prompt, a resource or a hook. Forwards an abort of an `AbortSignal` among the arguments. Rejects if the
   * process ends during the call.
   */
  run(target: WireTarget, given: readonly unknown[]): Promise<unknown>;
  /** Notifies a tool of a failure. */
  reportFailure(tool: number, result: ToolResult, args: unknown): void;
  kill(): void;
  /** Asks the plugin to dispose of its resources, with a time limit. Resolves to the reason if this failed. */
  close(graceMs: number): Promise<string | undefined>;
}

/** How to start the process. */
export interface PluginProcessOptions {
  readonly id: string;
  readonly plan: LaunchPlan;
  readonly load: Extract<HostMessage, { readonly t: 'load' }>;
  /** Strips types from the plugin's sources. Default: the process does this itself. */
  readonly strip?: (() => Promise<StrippedSources>) | undefined;
  readonly loadTimeoutMs: number;
  readonly limits: ProcessLimits;
  readonly logger: Logger;
  /** Called with every imported file. */
  readonly onFiles: (files: readonly unknown[]) => void;
  /** Finds the source position of a thrown value. */
  readonly locate: (thrown: ThrownText) => Promise<Omit<LoadProblem, 'phase'>>;
}

/** Time in which the process must respond after a call was cancelled, in milliseconds. */
const windUpMs = 2_000;
/**
 * Time after which a cancelled call that still runs is abandoned, in milliseconds. If the process runs no other call,
 * it is ended too.
 */
const overdueMs = 10_000;

/**
 * Starts a plugin's process and loads the plugin in it.
 *
 * @param started a running process with the same plan, to use instead of a new one.
 */
export function startPluginProcess(
  options: PluginProcessOptions,
  onCallsChange: (calls: number) => void,
  started?: RunningPlugin,
): PluginProcess {
  const { id, load, loadTimeoutMs, limits, logger } = options;
  let handleLoaded: (outcome: LoadedInProcess) => void = () => undefined;
  let hasDisposed = false;
  let disposeProblem: string | undefined;

  let hasReported = false;
  let isClosing = false;
  const onMessage = (message: LooseMessage): MessageVerdict => {
    switch (message['t']) {
      case 'files':
        if (Array.isArray(message['files'])) options.onFiles(message['files']);
        return 'news';
      case 'described':
      case 'failed':
        // The process is told to load only once.
        if (hasReported) return 'stray';
        hasReported = true;
        if (message['t'] === 'failed') void readProblem(message, options).then(handleLoaded);
        else handleLoaded({ plugin: message['plugin'] });
        return 'answer';
      case 'disposed':
        if (!isClosing || hasDisposed) return 'stray';
        hasDisposed = true;
        disposeProblem = typeof message['problem'] === 'string' ? message['problem'].slice(0, 1_000) : undefined;
        return 'answer';
      default:
        return broker.take(message);
    }
  };
  const running = started ?? startPlugin(options.plan, limits);
  running.listen({ onMessage, onOutput: (line) => logger.info(line) });
  const broker = createCallBroker(
    (message) => void running.send(message),
    logger,
    (calls) => {
      running.watch(calls > 0 ? 'busy' : 'idle');
      onCallsChange(calls);
    },
  );
  const exited = running.exited.then((exit) => {
    const ended = `it ${explainExit(exit, ' while loading')}`;
    handleLoaded({ phase: 'import', message: ended, file: load.entry });
    broker.abandon(
      (context) => context && crashed(id, context, exit),
      `the plugin ${id} ${explainExit(exit, ' meanwhile')}`,
    );
    return exit;
  });
  const loaded = new Promise<LoadedInProcess>((resolve) => {
    const message = `it did not finish loading within ${loadTimeoutMs} ms: an endless loop, a top-level await or setup that never settles, or a machine that is too busy`;
    const timer = setTimeout(() => handleLoaded({ phase: 'import', message, file: load.entry }), loadTimeoutMs);
    handleLoaded = (outcome) => {
      clearTimeout(timer);
      if ('phase' in outcome) running.kill('closed');
      else running.watch('idle');
      resolve(outcome);
    };
    // The process starts at the same time.
    const sendLoad = (stripped?: StrippedSources): void => {
      try {
        running.send(stripped ? { ...load, stripped } : load);
      } catch {
        // Larger sources exceed the message limit. The process strips them itself.
        running.send(load);
      }
    };
    if (options.strip) options.strip().then(sendLoad, () => sendLoad());
    else sendLoad();
  });

  return {
    loaded,
    exited,
    get calls() {
      return broker.size;
    },
    call(tool, method, args, context) {
      const { id: call, answer } = broker.open(context);
      try {
        const request: HostMessage = { t: 'call', id: call, tool, method, args };
        if (!running.send(context ? { ...request, context: toWireContext(context) } : request)) running.kill('exit');
      } catch (error) {
        broker.drop(call);
        return Promise.reject(error);
      }
      if (context) broker.whenClosed(call, cancelWith(context.signal, running, call, broker));
      return answer;
    },
    async run(target, given) {
      const signal = given.find((one) => one instanceof AbortSignal);
      const travelling = given.filter((one) => one !== signal);
      // Resources passed to a prompt are read here because the child can't read them.
      const request = JSON.parse(writeForWire(await Promise.all(travelling.map(prepareList)))) as readonly unknown[];
      const { id: run, answer } = broker.open('part');
      try {
        if (!running.send({ t: 'run', id: run, target, given: request })) running.kill('exit');
      } catch (error) {
        broker.drop(run);
        throw error;
      }
      if (signal) broker.whenClosed(run, cancelWith(signal, running, run, broker));
      return answer;
    },
    reportFailure(tool, result, args) {
      try {
        running.send({ t: 'failure', tool, result, args });
      } catch {
        // A message that can't be serialized is dropped.
      }
    },
    kill: () => running.kill('closed'),
    async close(graceMs) {
      isClosing = true;
      const exit = await running.close(graceMs);
      return exit.signal === 'SIGKILL' && !hasDisposed ? `dispose did not end within ${graceMs} ms` : disposeProblem;
    },
  };
}

async function prepareList(value: unknown): Promise<unknown> {
  return Array.isArray(value) ? Promise.all(value.map(prepareValue)) : value;
}

function crashed(id: string, context: ToolContext, exit: PluginExit): ToolResult {
  const { cause, budget, exitCode, signal, output } = exit;
  const error = toolError('PLUGIN_FAILED', `the plugin ${id} ${explainExit(exit, ' during the call')}`, {
    details: { cause, ...(budget !== undefined && { budget }), exitCode, signal, output },
    hint: 'The call may have taken effect: check before you try again.',
  });
  return failure(context.callId, error);
}

/** Forwards a cancellation. A call may continue after it for a limited time, but not as an endless loop. */
function cancelWith(signal: AbortSignal, running: RunningPlugin, id: number, broker: CallBroker): () => void {
  let overdue: ReturnType<typeof setTimeout> | undefined;
  const onAbort = (): void => {
    const { name, message } = (signal.reason ?? {}) as { readonly name?: unknown; readonly message?: unknown };
    running.send({ t: 'cancel', id, name: asText(name, 'AbortError'), message: asText(message, 'cancelled') });
    running.demandLife(windUpMs);
    overdue = setTimeout(() => {
      if (broker.giveUp(id)) running.kill('unresponsive');
    }, overdueMs).unref();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return () => {
    clearTimeout(overdue);
    signal.removeEventListener('abort', onAbort);
  };
}

async function readProblem(message: LooseMessage, { locate, load }: PluginProcessOptions): Promise<LoadProblem> {
  const { phase: given, message: words, thrown } = message;
  const phase = given === 'validate' || given === 'setup' ? given : 'import';
  if (typeof words === 'string') return { phase, message: words, file: load.entry };
  const { name, message: said, stack } = (thrown ?? {}) as Readonly<Record<string, unknown>>;
  const located = await locate({ name: asText(name, ''), message: asText(said, ''), stack: asText(stack, '') });
  return { phase, file: load.entry, ...located };
}

function asText(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value.slice(0, 20_000) : fallback;
}
