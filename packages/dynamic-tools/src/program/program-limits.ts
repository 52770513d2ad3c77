import { integerKind, objectOf, type OptionKind } from '@haft/core/options';

/** Limits of a script. */
export interface ProgramLimits {
  /** Maximum number of tool calls. Further calls fail with `LIMIT_REACHED`. Default 100. */
  readonly toolCalls?: number;
  /** Maximum number of parallel calls, if their footprints do not conflict. Default 8. */
  readonly parallel?: number;
  /**
   * Running time in milliseconds, without the time in which calls are running. On Linux, the processor time is limited
   * to twice this value. Default 30,000.
   */
  readonly ownTimeMs?: number;
  /** Total milliseconds, including the user's answers; default 600,000. */
  readonly wallTimeMs?: number;
  /** Memory limit of the script's process, in megabytes. Default 256. */
  readonly memoryMegabytes?: number;
  /**
   * Maximum bytes of output and result for the model. The rest is stored if the workspace can store it. Default 51,200.
   */
  readonly outputBytes?: number;
  /** Maximum characters of the script. Default 100,000. */
  readonly scriptCharacters?: number;
  /** Number of denied calls after which the script is ended, to limit the questions to the user. Default 3. */
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
