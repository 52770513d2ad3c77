import type { DurableAgent, ToolSource } from '@haft/core';

/** Limits the calls of some tools on all hosts together. */
export interface JobLimit {
  /** Name of the tools, or a glob such as `github_*`. All workers must have the same limits. */
  readonly tool: string;
  /** Maximum number of calls that run at the same time. */
  readonly parallel?: number;
  /** Maximum number of calls that start in a period. */
  readonly rate?: { readonly calls: number; readonly perMs: number };
}

/** Options of `work`. */
export interface WorkOptions {
  /** Runs the calls, with its own permissions and middleware. */
  readonly dispatcher: ToolSource;
  /** Agents whose runs this worker takes, such as those of `createDurableAgent`. Their tools are those of `dispatcher`. */
  readonly agents?: readonly DurableAgent[];
  /** Queues to take jobs from. Default: `default`. */
  readonly queues?: readonly string[];
  /** Maximum number of jobs that this worker runs at the same time. Default: 8. */
  readonly maxParallel?: number;
  /**
   * Milliseconds without a report after which the jobs of a worker count as lost. A worker reports three times in this
   * period. Default: 10,000.
   */
  readonly leaseMs?: number;
  readonly limits?: readonly JobLimit[];
  /** Working directory for the footprints of relative paths. Default: that of the process. */
  readonly cwd?: string;
  /** Name in `JobInfo.worker`. Default: host, process ID and a random part. */
  readonly name?: string;
}

/** How a worker is doing, for the probes of a supervisor. */
export interface WorkerHealth {
  /** `unreachable`: it has not reached the database for the time of its lease. `stopping` also after it has stopped. */
  readonly state: 'starting' | 'ready' | 'unreachable' | 'stopping';
  /** Number of jobs that it runs now. */
  readonly running: number;
  /** Milliseconds since it last reached the database. `undefined` before the first time. */
  readonly sinceReachedMs: number | undefined;
}

/** A running worker. */
export interface Worker {
  readonly name: string;
  /** Resolves when the worker has reached the database and takes jobs. It tries until it succeeds or is stopped. */
  readonly ready: Promise<void>;
  /** Number of jobs that this worker runs now. */
  readonly running: number;
  /** Returns how the worker is doing, without asking the database. */
  health(): WorkerHealth;
  /**
   * Takes no further jobs and waits until the running ones end. After `timeoutMs` (default: 30,000), hands back the jobs
   * that another worker can run again, and aborts the others.
   */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
}
