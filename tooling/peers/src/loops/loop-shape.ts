import type { MakeWork } from '@haft-tooling/measure';

/** The script of a model in one run: a number of turns with a number of calls each, and then an answer. */
export interface LoopShape {
  readonly turns: number;
  readonly calls: number;
}

/** Plays one run and throws if it differs from its shape. */
export type PlayLoop = (shape: LoopShape) => Promise<void>;

const once: LoopShape = { turns: 1, calls: 1 };
/** Number of measured operations that a run has in addition to the baseline. */
const more = 10;

/**
 * Creates the work of a contender from a function that plays a run: ten more calls in a turn, or (`turn`) ten more
 * turns with one call.
 */
export function workOf(options: Parameters<MakeWork>[0], play: PlayLoop): Awaited<ReturnType<MakeWork>> {
  const shape = options['turn'] === true ? { turns: 1 + more, calls: 1 } : { turns: 1, calls: 1 + more };
  return { run: () => play(shape), baseline: () => play(once), operations: more };
}
