import type { Usage } from '@haft/core';

const counters = ['inputTokens', 'outputTokens', 'totalTokens', 'costUsd'] as const;

/** Adds two reports counter by counter. Counters missing in both stay missing. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum: { -readonly [Counter in keyof Usage]: Usage[Counter] } = {};
  for (const counter of counters) {
    const value = (one[counter] ?? 0) + (other[counter] ?? 0);
    if (one[counter] !== undefined || other[counter] !== undefined) sum[counter] = value;
  }
  return sum;
}
