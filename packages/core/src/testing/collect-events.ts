import type { ToolEvent, ToolObserver } from '../events/tool-event.ts';

/** An observer that keeps what it hears. */
export interface EventCollector {
  readonly events: readonly ToolEvent[];
  readonly observer: ToolObserver;
  /** The actions heard about one call, in order. */
  actionsOf(callId: string): readonly string[];
}

/** Makes an observer that keeps every event, for tests. */
export function collectEvents(): EventCollector {
  const events: ToolEvent[] = [];
  return {
    events,
    observer: (event) => void events.push(event),
    actionsOf: (callId) => events.filter((event) => event.data.callId === callId).map((event) => event.action),
  };
}
