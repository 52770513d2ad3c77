import type { ToolEvent, ToolObserver } from '../events/tool-event.ts';

/** An observer that stores the events it receives. */
export interface EventCollector {
  readonly events: readonly ToolEvent[];
  readonly observer: ToolObserver;
  /** Returns the actions of one call, in order. */
  actionsOf(callId: string): readonly string[];
}

/** Creates an observer that stores every event, for tests. */
export function collectEvents(): EventCollector {
  const events: ToolEvent[] = [];
  return {
    events,
    observer: (event) => void events.push(event),
    actionsOf: (callId) => events.filter((event) => event.data.callId === callId).map((event) => event.action),
  };
}
