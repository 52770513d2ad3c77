import type { FinishReason, ModelEvent, Usage } from '@haft/core';

const reasons: ReadonlySet<unknown> = new Set<FinishReason>([
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'error',
  'unknown',
]);

/**
 * Validates an event of a model's stream. Returns the same object if it is valid, and undefined if it is not an event.
 * A call with an invalid id or name gets an empty one, so that it is answered.
 */
export function readEvent(given: unknown): ModelEvent | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const event = given as ModelEvent;
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return typeof event.text === 'string' ? event : undefined;
    case 'tool-call-start':
      return isText(event.id) && isText(event.name)
        ? event
        : { type: event.type, id: asText(event.id), name: asText(event.name) };
    case 'tool-call-delta':
      return isText(event.id) && isText(event.text) ? event : undefined;
    case 'tool-call':
      return isText(event.id) && isText(event.name) && event.arguments !== undefined
        ? event
        : { type: event.type, id: asText(event.id), name: asText(event.name), arguments: event.arguments ?? '' };
    case 'usage':
      return { type: event.type, usage: readUsage(event.usage) };
    case 'finish':
      return reasons.has(event.reason) ? event : { type: event.type, reason: 'unknown' };
    default:
      return undefined;
  }
}

/** Keeps only numeric counters. */
function readUsage(given: unknown): Usage {
  if (typeof given !== 'object' || given === null) return {};
  const isCount = ([, value]: readonly [string, unknown]): boolean => typeof value === 'number' && value >= 0;
  return Object.fromEntries(Object.entries(given).filter(isCount)) as Usage;
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
