/**
 * Creates a function that returns the IDs `prefix_1`, `prefix_2` …, which are unique within this source.
 *
 * @example
 * import { createIdSource } from '@haft/core';
 * const nextId = createIdSource('call');
 * [nextId(), nextId()]; // => ['call_1', 'call_2']
 */
export function createIdSource(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}_${(count += 1)}`;
}
