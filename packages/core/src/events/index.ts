/**
 * Details of the events of calls and runs, and an observer that queues them.
 *
 * @packageDocumentation
 */
export { queueObserver, type QueuedObserver, type QueueObserverOptions } from './queue-observer.ts';
export type {
  ToolCancelledEvent,
  ToolEndEvent,
  ToolEventAction,
  ToolEventBase,
  ToolEventData,
  ToolProgressEvent,
  ToolStartEvent,
} from './tool-event.ts';
