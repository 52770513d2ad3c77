import type { ProgressUpdate } from '@haft/core';

/** Progress in the protocol's form: a number that grows with every message. */
export interface ProgressStep {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Converts updates, which may have only a message, to steps with a growing number. */
export function createProgressCounter(): (update: ProgressUpdate) => ProgressStep {
  let last = 0;
  let counted = true;
  return (update) => {
    const { done, total, message, output } = update;
    if (done !== undefined) counted = false;
    const least = counted ? last + 1 : last + Math.max(1e-9, Math.abs(last) * 1e-12);
    last = done !== undefined && done > last ? done : least;
    const text = message ?? output;
    return {
      progress: last,
      ...(total === undefined ? {} : { total }),
      ...(text === undefined ? {} : { message: text.slice(0, 2_000) }),
    };
  };
}
