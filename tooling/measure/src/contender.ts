/** Something to measure: a program that lives in a process of its own. */
export interface Contender {
  readonly name: string;
  /** The file whose default export makes the work. */
  readonly module: URL;
  /** Passed to that function. Must be serializable as JSON. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The value that the default export of a contender's module resolves to. */
export interface Work {
  /** Does the work once. */
  readonly run: () => Promise<unknown>;
  /** The same work without the measured part. Its cost is subtracted. */
  readonly baseline?: () => Promise<unknown>;
  /** Number of operations in one `run` minus those in `baseline`. Default: 1. */
  readonly operations?: number;
}

/** The default export of a contender's module. */
export type MakeWork = (options: Readonly<Record<string, unknown>>) => Promise<Work> | Work;

/** One round of one contender. */
export interface Sample {
  /** Processor time of the whole process for one operation, in microseconds: garbage collection included. */
  readonly cpuMicroseconds: number;
  readonly wallMicroseconds: number;
  /** The two terms of the difference: processor time of the work and of its baseline, per operation. */
  readonly cpuOfWork: number;
  readonly cpuOfBaseline: number;
}

/** Duration of a contender's warm-up and of one round, in milliseconds of its own processor time. */
export interface Pace {
  readonly warmUpMs: number;
  readonly roundMs: number;
}
