import type { HostMessage } from '../channel/messages.ts';
import type { ExceededBudget, PluginExit } from './plugin-exit.ts';
import type { ToScript } from '../channel/script-messages.ts';

/** An untrusted message of a plugin. */
export type LooseMessage = Readonly<Record<string, unknown>>;

/** A running plugin process. It sends nothing before the host asks it to load a plugin. */
export interface RunningPlugin {
  /** Who hears it from now on. */
  listen(listener: RunningPluginListener): void;
  readonly isAlive: boolean;
  /** False when it takes nothing more; throws for what JSON can't tell. */
  send(message: HostMessage | ToScript): boolean;
  /** What it has to keep to from now on; at first that of one that is `starting`. */
  watch(phase: PluginPhase): void;
  /** It has to show a sign of life soon, or is ended. */
  demandLife(withinMs: number): void;
  /** Ends it at once. */
  kill(cause: PluginExit['cause'], budget?: ExceededBudget): void;
  /** Lets it end by itself, for so long. */
  close(graceMs: number): Promise<PluginExit>;
  readonly exited: Promise<PluginExit>;
}

/** Memory counts in every phase; signs of life while it is `busy` with calls, and, looked for less often, while it is `idle`. */
export type PluginPhase = 'starting' | 'idle' | 'busy' | 'ending';

/**
 * What a message of the process was: an `answer` to what it was asked, `news` that it may send at any time, or a `stray`, which
 * no process sends that keeps to the protocol.
 */
export type MessageVerdict = 'answer' | 'news' | 'stray';

/** What is heard of it. */
export interface RunningPluginListener {
  onMessage(message: LooseMessage): MessageVerdict;
  /** A line that it printed. */
  onOutput(line: string): void;
}
