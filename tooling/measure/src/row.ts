/** One line of a benchmark's outcome. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly haft: number;
  /** What the others took, by name, in the same unit and the same run. */
  readonly peers: Readonly<Record<string, number>>;
  /** What Haft has to reach, in words: `≤ 5 µs`. */
  readonly bar: string;
  readonly holds: boolean;
}

/** A row with what only people read. */
export interface MeasuredRow extends Row {
  /** How many times what Haft took each peer took, by the best of all rounds: steadier than the values themselves. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** A benchmark: one file that measures and returns its rows. */
export interface Benchmark {
  readonly summary: string;
  run(options: BenchmarkOptions): Promise<readonly MeasuredRow[]>;
}

/** How a benchmark is to be run. */
export interface BenchmarkOptions {
  /** Rounds in which every contender is measured once. */
  readonly rounds: number;
  /** Every case, not only as many as a few minutes allow. For benchmarks that count cases. */
  readonly full: boolean;
  /** Whether the outcome is written into the pages of the repository. */
  readonly isWritten: boolean;
  /** Takes Markdown that belongs to the section of the benchmark, beside its rows. */
  readonly attach: (markdown: string) => void;
  /** Tells a person how far it is; goes to standard error. */
  readonly log: (line: string) => void;
}
