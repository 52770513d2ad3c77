/**
 * Details of the events of calls and runs, the contract of tracing, and an observer that queues events.
 *
 * @packageDocumentation
 */
export { maskArguments, maskResult } from './mask-event-data.ts';
export { queueObserver, type QueuedObserver, type QueueObserverOptions } from './queue-observer.ts';
export type { RunStep, RunStepOutcome, RunTracing, TracedStep } from './run-tracing.ts';
export type {
  ToolCancelledEvent,
  ToolEndEvent,
  ToolEventAction,
  ToolEventBase,
  ToolEventData,
  ToolProgressEvent,
  ToolStartEvent,
} from './tool-event.ts';
