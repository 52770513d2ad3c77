import type { DispatchMiddleware } from '@haft/core';

/** Start and end of a call's body on one clock, in milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the indices of the largest set of spans that were active at the same time. A span that begins when another
 * ends does not overlap it.
 */
export function findOverlap(spans: readonly Span[]): readonly number[] {
  const edges = spans.flatMap(({ start, end }, index) => [
    { at: start, index, begins: true },
    { at: end, index, begins: false },
  ]);
  edges.sort((a, b) => a.at - b.at || Number(a.begins) - Number(b.begins));
  const open = new Set<number>();
  let most: readonly number[] = [];
  for (const { index, begins } of edges) {
    if (begins) open.add(index);
    else open.delete(index);
    if (open.size > most.length) most = [...open];
  }
  return most.toSorted((a, b) => a - b);
}

/** Middleware that records when each body ran, by call id. */
export interface Stopwatch extends DispatchMiddleware {
  spanOf(callId: string): Span | undefined;
}

/** Creates a stopwatch. It changes nothing about the calls. */
export function createStopwatch(): Stopwatch {
  const spans = new Map<string, Span>();
  return {
    name: 'stopwatch',
    async around(info, next) {
      const start = performance.now();
      try {
        return await next();
      } finally {
        spans.set(info.call.id, { start, end: performance.now() });
      }
    },
    spanOf: (callId) => spans.get(callId),
  };
}
