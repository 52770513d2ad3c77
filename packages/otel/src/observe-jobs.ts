import { checkOptions, objectWith, type OptionTable } from '@haft/core/options';
import { metrics, type Meter } from '@opentelemetry/api';
import { instrumentationScope } from './tracing-options.ts';

/** Jobs that can be counted, such as those of `openJobs` of `@haft/jobs`. */
export interface CountedJobs {
  counts(): Promise<{
    readonly queued: number;
    readonly waiting: number;
    readonly leased: number;
    readonly started: number;
    readonly unknown: number;
    readonly oldestMs: number;
  }>;
}

/** Options of {@link observeJobs}. */
export interface JobMetricsOptions {
  /** Default: from the program's meter provider. */
  readonly meter?: Meter;
}

const table: OptionTable<JobMetricsOptions> = {
  meter: objectWith<Meter>('a Meter of OpenTelemetry', 'createHistogram'),
};

/**
 * Records the number of jobs by state and the age of the queue whenever metrics are collected. A ledger that can't be
 * reached has no values. One process of a group is enough, because the ledger is common to all.
 *
 * @returns a function that ends the recording.
 * @throws HaftError `INVALID_OPTION`.
 */
export function observeJobs(jobs: CountedJobs, options: JobMetricsOptions = {}): () => void {
  checkOptions('observeJobs', options, table, '{ meter }');
  const meter = options.meter ?? metrics.getMeter(instrumentationScope);
  const count = meter.createObservableGauge('haft.jobs.count', {
    unit: '{job}',
    description: 'Number of jobs that are not over, by state.',
  });
  const age = meter.createObservableGauge('haft.jobs.queue.age', {
    unit: 's',
    description: 'Age of the oldest job that could start now.',
  });
  const states = ['queued', 'waiting', 'leased', 'started', 'unknown'] as const;
  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    const counts = await jobs.counts().catch(() => undefined);
    if (counts === undefined) return;
    // A waiting job is queued, too. Each job is counted once.
    for (const state of states) {
      const value = state === 'queued' ? counts.queued - counts.waiting : counts[state];
      result.observe(count, value, { 'haft.job.state': state });
    }
    result.observe(age, counts.oldestMs / 1_000);
  };
  meter.addBatchObservableCallback(observe, [count, age]);
  return () => meter.removeBatchObservableCallback(observe, [count, age]);
}
