import type { HostMessage } from '../channel/messages.ts';
import type { ExceededBudget, PluginExit } from './plugin-exit.ts';
import type { ToScript } from '../channel/script-messages.ts';

/** An untrusted message of a plugin. */
export type LooseMessage = Readonly<Record<string, unknown>>;

/** A running plugin process. It sends no message before the host asks it to load a plugin. */
export interface RunningPlugin {
  /** Replaces the listener. */
  listen(listener: RunningPluginListener): void;
  readonly isAlive: boolean;
  /**
   * Sends a message. Returns false if the process no longer accepts messages. Throws for values that JSON can't
   * represent.
   */
  send(message: HostMessage | ToScript): boolean;
  /** Changes the phase, which determines the limits. The first phase is `starting`. */
  watch(phase: PluginPhase): void;
  /** Ends the process unless it responds in time. */
  demandLife(withinMs: number): void;
  /** Ends the process immediately. */
  kill(cause: PluginExit['cause'], budget?: ExceededBudget): void;
  /** Asks the process to end, and ends it after the given time. */
  close(graceMs: number): Promise<PluginExit>;
  readonly exited: Promise<PluginExit>;
}

/**
 * The phase of a process. Memory is limited in every phase. Responses are checked often while the process is `busy`
 * with calls, and less often while it is `idle`.
 */
export type PluginPhase = 'starting' | 'idle' | 'busy' | 'ending';

/**
 * The kind of a message: an `answer` to a question, `news` that the process may send at any time, or a `stray` message,
 * which violates the protocol.
 */
export type MessageVerdict = 'answer' | 'news' | 'stray';

/** Callbacks for what a process sends. */
export interface RunningPluginListener {
  onMessage(message: LooseMessage): MessageVerdict;
  /** Called with each printed line. */
  onOutput(line: string): void;
}
