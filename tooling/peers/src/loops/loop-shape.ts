import type { MakeWork } from '@haft-tooling/measure';

/** What a model does in one run: so many turns with so many calls each, and then an answer. */
export interface LoopShape {
  readonly turns: number;
  readonly calls: number;
}

/** Plays one run and throws when it was not as its shape says. */
export type PlayLoop = (shape: LoopShape) => Promise<void>;

const once: LoopShape = { turns: 1, calls: 1 };
/** How many more of what is measured a run has than the one it is compared with. */
const more = 10;

/** Makes the work of a contender of the way it plays a run: ten more calls in a turn, or (`turn`) ten more turns of a call. */
export function workOf(options: Parameters<MakeWork>[0], play: PlayLoop): Awaited<ReturnType<MakeWork>> {
  const shape = options['turn'] === true ? { turns: 1 + more, calls: 1 } : { turns: 1, calls: 1 + more };
  return { run: () => play(shape), baseline: () => play(once), operations: more };
}
