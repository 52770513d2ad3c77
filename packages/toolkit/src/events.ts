import type { ManagedState } from '@haft/mcp';
import { type Logger } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { ToolkitError } from './toolkit-error.ts';

/** A problem that did not stop the toolkit. */
export interface ToolkitDiagnostic {
  readonly kind:
    /** A name or URI matches several items. `keys` lists all of them; the first was used. */
    | 'ambiguous'
    /** The prompts or resources of a namespace could not be listed. Other namespaces are not affected. */
    | 'namespace-failed'
    /** A tool of the program hides the built-in tool of the same name. `keys` contains the name. */
    | 'hidden-tool'
    /** A requested namespace does not exist. `keys` lists the existing namespaces. */
    | 'unknown-namespace'
    /** A namespace listed an invalid item. */
    | 'invalid-item'
    /** A server could not be connected, or it behaved incorrectly. */
    | 'connection'
    /** A plugin could not be loaded, or crashed. */
    | 'plugin';
  readonly message: string;
  readonly namespace?: string;
  readonly keys?: readonly string[];
}

/** Events of a toolkit, in order. `namespace` names the source. */
export type ToolkitEvent =
  | {
      readonly type: 'tool-list-changed';
      readonly namespace: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly replaced: readonly string[];
    }
  | { readonly type: 'prompt-list-changed'; readonly namespace: string }
  | { readonly type: 'resource-list-changed'; readonly namespace: string }
  /** The content of an existing resource changed. */
  | { readonly type: 'resource-updated'; readonly namespace: string; readonly uri: string }
  /** The state of a connection changed. */
  | {
      readonly type: 'state-change';
      readonly namespace: string;
      readonly state: Exclude<ManagedState, 'connecting'>;
      readonly server?: { readonly name: string; readonly version: string };
      readonly reason?: string;
    }
  | { readonly type: 'diagnostic'; readonly diagnostic: ToolkitDiagnostic };

/** Receives events. Errors and rejections of the listener are logged and have no other effect. */
export type ToolkitListener = (event: ToolkitEvent) => void | Promise<void>;

/** A queue of toolkit events. */
export interface EventQueue {
  /** @param isLogged whether the log has the same message already. */
  emit(event: ToolkitEvent, isLogged?: boolean): void;
  listen(listener: ToolkitListener): () => void;
}

/**
 * Creates a queue that delivers events in order. Events are delivered after the change that caused them is complete, so
 * a listener can list, add and remove items.
 */
export function createEventQueue(logger: Logger): EventQueue {
  const listeners = new Set<ToolkitListener>();
  const waiting: ToolkitEvent[] = [];
  let isDue = false;

  const report = (cause: unknown): void =>
    logger.warn(`a listener of the toolkit failed: ${describeCause(cause)}`, { cause });
  const notify = (listener: ToolkitListener, event: ToolkitEvent): void => {
    try {
      const received = listener(event);
      if (received instanceof Promise) received.catch(report);
    } catch (cause) {
      report(cause);
    }
  };
  const deliver = (): void => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift())
      for (const listener of Array.from(listeners)) notify(listener, event);
    isDue = false;
  };

  return {
    emit(event, isLogged = false) {
      if (listeners.size === 0) {
        // Diagnostics from the creation of the toolkit have no listener yet, so they are logged.
        if (event.type === 'diagnostic' && !isLogged) logger.warn(event.diagnostic.message);
        return;
      }
      waiting.push(event);
      if (isDue) return;
      isDue = true;
      queueMicrotask(deliver);
    },
    listen(listener) {
      if (typeof listener !== 'function')
        throw new ToolkitError('BAD_PARAMETER', 'onEvent: the listener must be a function');
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
