import { integerKind, objectOf, type OptionKind } from '@haft/core/options';

/** How far one script may go. */
export interface ProgramLimits {
  /** Calls of tools; default 100. Those beyond fail with `LIMIT_REACHED`. */
  readonly toolCalls?: number;
  /** Calls at once, as far as they do not touch the same; default 8. */
  readonly parallel?: number;
  /** Milliseconds of its own, without the time in which calls are under way; of a processor twice as many, whatever is under way (Linux). Default 30,000. */
  readonly ownTimeMs?: number;
  /** Total milliseconds, including the user's answers; default 600,000. */
  readonly wallTimeMs?: number;
  /** Megabytes that its process may hold; default 256. */
  readonly memoryMegabytes?: number;
  /**
   * Bytes of output and result that the model reads; default 51,200. The rest is stored if the workspace can store it.
   */
  readonly outputBytes?: number;
  /** Characters that it may be long; default 100,000. */
  readonly scriptCharacters?: number;
  /** Denied calls after which the script is ended, to limit the questions to the user; default 3. */
  readonly denials?: number;
}

const defaultLimits: Required<ProgramLimits> = {
  toolCalls: 100,
  parallel: 8,
  ownTimeMs: 30_000,
  wallTimeMs: 600_000,
  memoryMegabytes: 256,
  outputBytes: 51_200,
  scriptCharacters: 100_000,
  denials: 3,
};
const maxTimerMs = 2 ** 31 - 1;

const count = integerKind({ min: 1, max: maxTimerMs });
export const programLimitKind: OptionKind<ProgramLimits> = objectOf<ProgramLimits>(
  {
    toolCalls: count,
    parallel: count,
    ownTimeMs: count,
    wallTimeMs: count,
    memoryMegabytes: count,
    outputBytes: count,
    scriptCharacters: count,
    denials: count,
  },
  '{ toolCalls: 20 }',
);

/** Fills in the default limits. */
export function readProgramLimits(given: ProgramLimits = {}): Required<ProgramLimits> {
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(known) };
}
