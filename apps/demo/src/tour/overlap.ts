import type { DispatchMiddleware } from '@haft/core';

/** From when to when the body of a call ran, on one clock, in milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How many of these were going on at the same moment, at most. One that begins as another ends does not overlap it. */
export function countOverlap(spans: readonly Span[]): number {
  const edges = spans.flatMap(({ start, end }) => [
    { at: start, step: 1 },
    { at: end, step: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || a.step - b.step);
  let open = 0;
  let most = 0;
  for (const { step } of edges) {
    open += step;
    most = Math.max(most, open);
  }
  return most;
}

/** Middleware that keeps when each body ran, by call id. */
export interface Stopwatch extends DispatchMiddleware {
  spanOf(callId: string): Span | undefined;
}

/** Makes a stopwatch; it changes nothing about the calls. */
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
