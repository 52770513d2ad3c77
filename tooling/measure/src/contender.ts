/** Something to measure: a program that lives in a process of its own. */
export interface Contender {
  readonly name: string;
  /** The file whose default export makes the work. */
  readonly module: URL;
  /** Handed to that function; must survive JSON. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What the default export of a contender's module resolves to. */
export interface Work {
  /** Does the work once. */
  readonly run: () => Promise<unknown>;
  /** The same without what is to be measured; its cost is subtracted. */
  readonly baseline?: () => Promise<unknown>;
  /** How many operations one `run` does more than `baseline`; default 1. */
  readonly operations?: number;
}

/** The default export of a contender's module. */
export type MakeWork = (options: Readonly<Record<string, unknown>>) => Promise<Work> | Work;

/** One round of one contender. */
export interface Sample {
  /** Processor time of the whole process for one operation, in microseconds: garbage collection included. */
  readonly cpuMicroseconds: number;
  readonly wallMicroseconds: number;
  /** What the difference is one of: the processor time of the work and of its baseline, for one operation. */
  readonly cpuOfWork: number;
  readonly cpuOfBaseline: number;
}

/** How long a contender warms up, and how long one of its rounds is, in milliseconds of its own processor time. */
export interface Pace {
  readonly warmUpMs: number;
  readonly roundMs: number;
}
