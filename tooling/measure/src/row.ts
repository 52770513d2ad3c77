/** One row of a benchmark's results. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly haft: number;
  /** The values of the others, by name, in the same unit and from the same run. */
  readonly peers: Readonly<Record<string, number>>;
  /** The bar that Haft has to meet, in words: `≤ 5 µs`. */
  readonly bar: string;
  readonly holds: boolean;
}

/** A row, with the fields that only people read. */
export interface MeasuredRow extends Row {
  /** The ratio of each peer to Haft by the best of all rounds, which is steadier than the values themselves. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** A benchmark: one file that measures and returns its rows. */
export interface Benchmark {
  readonly summary: string;
  run(options: BenchmarkOptions): Promise<readonly MeasuredRow[]>;
}

/** Options of a benchmark run. */
export interface BenchmarkOptions {
  /** Number of rounds; every contender is measured once per round. */
  readonly rounds: number;
  /** Whether to run every case, instead of as many as fit into a few minutes. For benchmarks that count cases. */
  readonly full: boolean;
  /** Whether the outcome is written into the pages of the repository. */
  readonly isWritten: boolean;
  /** Receives additional Markdown for the section of the benchmark. */
  readonly attach: (markdown: string) => void;
  /** Reports progress to a person, on standard error. */
  readonly log: (line: string) => void;
}
