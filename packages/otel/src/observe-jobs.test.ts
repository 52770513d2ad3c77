import './fixtures/commonjs-api.ts';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { Meter } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { observeJobs } from './observe-jobs.ts';

let exporter: InMemoryMetricExporter;
let provider: MeterProvider;
let meter: Meter;
beforeEach(() => {
  exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  provider = new MeterProvider({ readers: [reader] });
  meter = provider.getMeter('test');
});
afterEach(() => provider.shutdown());

/** Collects once, and returns each value with its name and state. */
async function collect(): Promise<Record<string, unknown>> {
  exporter.reset();
  await provider.forceFlush();
  const found = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  return Object.fromEntries(
    found.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => [
        [descriptor.name, attributes['haft.job.state']].filter(Boolean).join(' '),
        value,
      ]),
    ),
  );
}

describe('observeJobs', () => {
  it('records the jobs of each state, every job once, and the age of the queue in seconds', async () => {
    const counts = { queued: 7, waiting: 2, leased: 1, started: 3, unknown: 1, oldestMs: 1_500 };
    observeJobs({ counts: async () => counts }, { meter });
    expect(await collect()).toEqual({
      'haft.jobs.count queued': 5,
      'haft.jobs.count waiting': 2,
      'haft.jobs.count leased': 1,
      'haft.jobs.count started': 3,
      'haft.jobs.count unknown': 1,
      'haft.jobs.queue.age': 1.5,
    });
  });

  it('records nothing while the ledger is unreachable, and nothing after its end', async () => {
    let isReachable = false;
    const counts = { queued: 0, waiting: 0, leased: 0, started: 0, unknown: 0, oldestMs: 0 };
    let requests = 0;
    const source = {
      counts: async () => {
        requests += 1;
        if (!isReachable) throw new Error('the database is gone');
        return counts;
      },
    };
    const stop = observeJobs(source, { meter });
    expect(await collect()).toEqual({});
    isReachable = true;
    expect(Object.keys(await collect())).toHaveLength(6);
    stop();
    await collect();
    expect(requests).toBe(2);
  });

  it('rejects options that would have no effect', () => {
    const source = { counts: async () => Promise.reject(new Error('not called')) };
    expect(() => observeJobs(source, { metre: meter } as never)).toThrow(/metre/);
  });
});
