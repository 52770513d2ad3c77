import type { ManagedState } from '@haft/mcp';
import { type Logger } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { ToolkitError } from './toolkit-error.ts';

/** What was not as it should be; the toolkit goes on without it. */
export interface ToolkitDiagnostic {
  readonly kind:
    /** A name or URI has further meanings; `keys` says which, the one that was taken first. */
    | 'ambiguous'
    /** The prompts or resources of a namespace could not be listed; what others have is there. */
    | 'namespace-failed'
    /** Nothing is in a namespace that was asked for; `keys` says which there are. */
    | 'unknown-namespace'
    /** Something that a namespace listed can't be used. */
    | 'invalid-item'
    /** A server could not be connected, or did something that is not as it should be. */
    | 'connection'
    /** A plugin could not be loaded, or crashed. */
    | 'plugin';
  readonly message: string;
  readonly namespace?: string;
  readonly keys?: readonly string[];
}

/** What happens to a toolkit, in order; `namespace` says where. */
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
  /** A resource that was there before has other content now. */
  | { readonly type: 'resource-updated'; readonly namespace: string; readonly uri: string }
  /** A connection is in another state than before. */
  | {
      readonly type: 'state-change';
      readonly namespace: string;
      readonly state: Exclude<ManagedState, 'connecting'>;
      readonly server?: { readonly name: string; readonly version: string };
      readonly reason?: string;
    }
  | { readonly type: 'diagnostic'; readonly diagnostic: ToolkitDiagnostic };

/** Hears events. What it throws, or rejects with, is logged and disturbs nobody. */
export type ToolkitListener = (event: ToolkitEvent) => void | Promise<void>;

/** Where events go. */
export interface EventQueue {
  emit(event: ToolkitEvent): void;
  listen(listener: ToolkitListener): () => void;
}

/**
 * Makes a queue that tells listeners of events in order, and never while the change that caused one is still being made: a
 * listener may list, add and remove.
 */
export function createEventQueue(logger: Logger): EventQueue {
  const listeners = new Set<ToolkitListener>();
  const waiting: ToolkitEvent[] = [];
  let isDue = false;

  const report = (cause: unknown): void =>
    logger.warn(`a listener of the toolkit failed: ${describeCause(cause)}`, { cause });
  const tell = (listener: ToolkitListener, event: ToolkitEvent): void => {
    try {
      const told = listener(event);
      if (told instanceof Promise) told.catch(report);
    } catch (cause) {
      report(cause);
    }
  };
  const deliver = (): void => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift())
      for (const listener of Array.from(listeners)) tell(listener, event);
    isDue = false;
  };

  return {
    emit(event) {
      if (listeners.size === 0) {
        // What failed while the toolkit was made would otherwise be told to nobody.
        if (event.type === 'diagnostic') logger.warn(event.diagnostic.message);
        return;
      }
      waiting.push(event);
      if (isDue) return;
      isDue = true;
      queueMicrotask(deliver);
    },
    listen(listener) {
      if (typeof listener !== 'function')
        throw new ToolkitError(
          'BAD_PARAMETER',
          'onEvent: expected a function, which is given every event; its type says which',
        );
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
