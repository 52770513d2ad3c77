import { describe, expect, it } from 'vitest';

import { watchProcess } from './watch-process.ts';

const order = { seed: 'test', count: 300, deadline: Number.MAX_SAFE_INTEGER };

describe('watchProcess', () => {
  it('gives the report of a process that comes to its end', async () => {
    const report = await watchProcess({ order, silenceMs: 60_000, onDone: () => {} });
    expect(report).toMatchObject({ done: 300, failures: [] });
  }, 60_000);

  it('ends a process that falls silent, and tells on which input', async () => {
    const seen: number[] = [];
    const module = new URL('fixtures/silent-process.ts', import.meta.url);
    const report = await watchProcess({ order, silenceMs: 1_500, onDone: (done) => void seen.push(done), module });
    const failure = { law: 'reading comes to an end', target: 'json', text: '{"never' };
    expect(report).toMatchObject({ done: 512, failures: [failure] });
    expect(seen).toEqual([512]);
  }, 60_000);

  it('tells which input took a process down', async () => {
    const module = new URL('fixtures/dying-process.ts', import.meta.url);
    const report = await watchProcess({ order, silenceMs: 60_000, onDone: () => {}, module });
    expect(report.failures).toMatchObject([{ law: 'no text takes the process down', text: '<deep>' }]);
  }, 60_000);
});
