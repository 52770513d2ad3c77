import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import type { Lease } from '../../contracts/calls/call-queue.ts';
import type { Footprint } from '../../contracts/permission/footprint.ts';
import { conflicts } from './call-footprint.ts';
import { createLeaseQueue } from './lease-queue.ts';

const keys = ['*', 'a/', 'a/b', 'a/b/', 'a/b/c', 'a', 'x', 'y', ''];
const key = fc.constantFrom(...keys);
const footprint = fc.record({
  reads: fc.array(key, { maxLength: 2 }),
  writes: fc.array(key, { maxLength: 2 }),
});

/** The state of one call: its last footprint and its progress. */
interface Known {
  readonly lease: Lease;
  footprint: Footprint;
  state: 'planning' | 'waiting' | 'running' | 'done';
}

/** A queue next to a reference model that compares calls pair by pair. */
function createWatched(maxParallel: number) {
  const queue = createLeaseQueue(maxParallel);
  const calls: Known[] = [];
  const count = (state: Known['state']): number => calls.filter((call) => call.state === state).length;
  /** Whether a call may start: a slot is free and no earlier call conflicts. */
  const mayStart = (call: Known): boolean => {
    const index = calls.indexOf(call);
    const isFree = calls.every((other, position) => {
      if (other === call || other.state === 'done') return true;
      if (other.state === 'planning') return position > index;
      if (other.state === 'waiting' && position > index) return true;
      return !conflicts(other.footprint, call.footprint);
    });
    return isFree && count('running') < maxParallel;
  };
  const check = async (): Promise<void> => {
    await Promise.resolve();
    await Promise.resolve();
    const running = calls.filter((call) => call.state === 'running');
    expect(running.length).toBeLessThanOrEqual(maxParallel);
    for (const [index, one] of running.entries()) {
      for (const other of running.slice(index + 1)) expect(conflicts(one.footprint, other.footprint)).toBe(false);
    }
    // No call waits that may start.
    for (const call of calls) if (call.state === 'waiting') expect(mayStart(call)).toBe(false);
  };
  return {
    calls,
    check,
    enter: () => void calls.push({ lease: queue.enter(), footprint: { reads: [], writes: [] }, state: 'planning' }),
    acquire: (call: Known, wanted: Footprint) => {
      call.footprint = wanted;
      call.state = 'waiting';
      const waiting = call.lease.acquire(wanted);
      const start = (): void => {
        if (call.state === 'waiting') call.state = 'running';
      };
      if (waiting) void waiting.then(start);
      else start();
    },
    release: (call: Known) => {
      call.state = 'done';
      call.lease.release();
    },
  };
}

describe('the lease queue', () => {
  it('runs exactly the calls that the rule allows, for any order of entering, acquiring and releasing', async () => {
    const step = fc.record({
      what: fc.constantFrom('come', 'come', 'enter', 'ask', 'end'),
      which: fc.nat(50),
      footprint,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 40 }),
        async (maxParallel, steps) => {
          const watched = createWatched(maxParallel);
          for (const { what, which, footprint: wanted } of steps) {
            const { calls } = watched;
            if (what === 'enter' || what === 'come' || calls.length === 0) watched.enter();
            if (what === 'come') watched.acquire(calls.at(-1)!, wanted);
            const planning = calls.filter((call) => call.state === 'planning');
            const running = calls.filter((call) => call.state === 'running');
            if (what === 'ask' && planning.length > 0) watched.acquire(planning[which % planning.length]!, wanted);
            if (what === 'end' && running.length > 0) watched.release(running[which % running.length]!);
            await watched.check();
          }
          // Every call eventually runs.
          for (const call of watched.calls) if (call.state === 'planning') watched.release(call);
          await watched.check();
          for (let left = watched.calls.length; left > 0; left -= 1) {
            const next = watched.calls.find((call) => call.state === 'running');
            if (next) watched.release(next);
            await watched.check();
          }
          expect(watched.calls.every((call) => call.state === 'done')).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('terminates and separates conflicting calls when calls change their footprint or are cancelled', async () => {
    const step = fc.record({
      what: fc.constantFrom('come', 'come', 'come', 'enter', 'ask', 'again', 'end', 'give up'),
      which: fc.nat(50),
      footprint,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { maxLength: 40 }),
        async (maxParallel, steps) => {
          const watched = createWatched(maxParallel);
          const settle = async (): Promise<void> => {
            for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
            const running = watched.calls.filter((call) => call.state === 'running');
            expect(running.length).toBeLessThanOrEqual(maxParallel);
            for (const [index, one] of running.entries()) {
              for (const other of running.slice(index + 1))
                expect(conflicts(one.footprint, other.footprint)).toBe(false);
            }
          };
          const pick = (state: Known['state'], which: number): Known | undefined => {
            const some = watched.calls.filter((call) => call.state === state);
            return some[which % Math.max(1, some.length)];
          };
          for (const { what, which, footprint: wanted } of steps) {
            if (what === 'enter' || what === 'come') watched.enter();
            if (what === 'come') watched.acquire(watched.calls.at(-1)!, wanted);
            const asking =
              what === 'ask' ? pick('planning', which) : what === 'again' ? pick('running', which) : undefined;
            if (asking) watched.acquire(asking, wanted);
            const leaving =
              what === 'end' ? pick('running', which) : what === 'give up' ? pick('waiting', which) : undefined;
            if (leaving) watched.release(leaving);
            await settle();
          }
          for (let left = watched.calls.length * 2; left > 0; left -= 1) {
            const next = pick('planning', 0) ?? pick('running', 0);
            if (next) watched.release(next);
            await settle();
          }
          expect(watched.calls.every((call) => call.state === 'done')).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes linear time in the number of calls, regardless of their footprints', async () => {
    const touches: readonly ((index: number) => Footprint)[] = [
      () => ({ reads: [], writes: ['*'] }),
      () => ({ reads: ['*'], writes: [] }),
      (index) => ({ reads: [], writes: [`file:/a/${index}`] }),
      (index) => (index % 2 === 0 ? { reads: ['file:/a/'], writes: [] } : { reads: [], writes: [`file:/a/${index}`] }),
      (index) => ({ reads: [`file:/a/${index % 10}`], writes: [`file:/a/${(index * 7) % 10}`, 'process:'] }),
    ];
    const runAll = (footprints: readonly Footprint[]): void => {
      const queue = createLeaseQueue(8);
      const leases = footprints.map(() => queue.enter());
      for (const [index, lease] of leases.entries()) void lease.acquire(footprints[index]!);
      for (const lease of leases) lease.release();
      expect(queue.size).toBe(0);
    };
    for (const touch of touches) {
      const make = (size: number): readonly Footprint[] => Array.from({ length: size }, (_, index) => touch(index));
      expect(await growthOf(make, runAll, 1_000), touch(2).writes.join()).toBeLessThan(linearGrowth);
    }
  });
});
