import { describe, expect, it } from 'vitest';

import { judgeLost, type LostJob } from './judge-lost.ts';

const job: LostJob = { state: 'started', ifLost: 'unknown', isRecovering: false, lost: 1, cancelReason: null };
const judge = (changes: Partial<LostJob>): string => {
  const verdict = judgeLost({ ...job, ...changes });
  return verdict.state === 'queued' && verdict.isRecovering ? 'recovered' : verdict.state;
};

describe('judgeLost', () => {
  it('queues a job again if its body did not start, whatever the tool', () => {
    expect(judge({ state: 'leased', ifLost: null })).toBe('queued');
  });

  it('never repeats a started call that is not idempotent', () => {
    for (const lost of [1, 2, 3, 9]) expect(judge({ lost })).toBe('unknown');
  });

  it.each([
    ['read-only', 'queued'],
    ['retry', 'queued'],
    ['recover', 'recovered'],
  ] as const)('treats a started %s call as %s', (ifLost, expected) => {
    expect(judge({ ifLost })).toBe(expected);
  });

  it('gives up after three lost workers, and fails the job only if the call cannot have had an effect', () => {
    expect(judge({ state: 'leased', ifLost: null, lost: 3 })).toBe('failed');
    expect(judge({ ifLost: 'read-only', lost: 3 })).toBe('failed');
    expect(judge({ ifLost: 'retry', lost: 3 })).toBe('unknown');
    expect(judge({ ifLost: 'recover', lost: 3 })).toBe('unknown');
    expect(judge({ state: 'leased', isRecovering: true, lost: 3 })).toBe('unknown');
  });

  it('does not claim that a call had no effect if an earlier attempt started', () => {
    expect(judge({ state: 'leased', ifLost: 'retry', lost: 3 })).toBe('unknown');
    expect(judge({ state: 'leased', ifLost: 'retry', cancelReason: 'by user' })).toBe('unknown');
    expect(judge({ state: 'leased', ifLost: 'read-only', lost: 3 })).toBe('failed');
  });

  it('remembers that a job is recovering when the next worker is lost as well', () => {
    expect(judge({ state: 'leased', ifLost: 'recover', isRecovering: true, lost: 2 })).toBe('recovered');
  });

  it('cancels a job on request only if the call cannot have had an effect', () => {
    const cancelReason = 'by user';
    expect(judge({ state: 'leased', ifLost: null, cancelReason })).toBe('cancelled');
    expect(judge({ ifLost: 'read-only', cancelReason })).toBe('cancelled');
    expect(judge({ ifLost: 'retry', cancelReason })).toBe('unknown');
    expect(judge({ state: 'leased', isRecovering: true, cancelReason })).toBe('unknown');
  });
});
