import { describe, expect, it } from 'vitest';

import type { FuzzProgress } from './fuzz-process.ts';
import type { Failure } from './inputs/input.ts';
import { watchProcess } from './watch-process.ts';
import type { WatchOptions } from './watch-process.ts';

const order = { seed: 'test', count: 300, deadline: Number.MAX_SAFE_INTEGER, maxCpuMs: 60_000 };

async function watch(
  options: Partial<WatchOptions>,
): Promise<{ readonly reached: FuzzProgress; readonly failures: readonly Failure[] }> {
  const failures: Failure[] = [];
  const onFailure = (failure: Failure): void => void failures.push(failure);
  return { reached: await watchProcess({ order, onProgress: () => {}, onFailure, ...options }), failures };
}

describe('watchProcess', () => {
  it('returns the progress of a process that ends regularly', async () => {
    const { reached, failures } = await watch({});
    expect(reached.done).toBe(300);
    expect(reached.full).toBeGreaterThan(30);
    expect(failures).toEqual([]);
  }, 60_000);

  it('returns the progress of a process that was asked to end', async () => {
    const ending = new AbortController();
    const endless = { ...order, count: 1_000_000_000 };
    const onProgress = ({ done }: FuzzProgress): void => void (done > 0 && ending.abort());
    const { reached, failures } = await watch({ order: endless, signal: ending.signal, onProgress });
    expect(reached.done).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  }, 60_000);

  it('stops a process when one text exceeds its processor time, and keeps earlier failures', async () => {
    const module = new URL('fixtures/hanging-process.ts', import.meta.url);
    const { reached, failures } = await watch({ order: { ...order, maxCpuMs: 600 }, module });
    expect(reached.done).toBe(512);
    expect(failures).toMatchObject([
      { law: 'some law', text: '[' },
      { law: 'reading comes to an end', target: 'json', text: '{"never', original: '{"never' },
    ]);
  }, 60_000);

  it('returns the input that crashed a process', async () => {
    const module = new URL('fixtures/dying-process.ts', import.meta.url);
    const { failures } = await watch({ module });
    expect(failures).toMatchObject([{ law: 'no text takes the process down', text: '<deep>' }]);
  }, 60_000);
});
