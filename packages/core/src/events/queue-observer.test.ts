import { describe, expect, it } from 'vitest';
import { body, run } from '../fixtures/run-call.ts';
import { queueObserver } from './queue-observer.ts';
import type { ToolEvent, ToolEventAction } from './tool-event.ts';

const event = (callId: string, action: ToolEventAction): ToolEvent =>
  ({ layer: 'tool', version: 1, action, timestamp: 0, data: { callId } }) as unknown as ToolEvent;

describe('queueObserver', () => {
  it('delivers every event in order, and never during the call', async () => {
    const received: string[] = [];
    const queue = queueObserver(async ({ action }) => {
      await Promise.resolve();
      received.push(action);
    });
    const within: number[] = [];
    const observer = (one: ToolEvent): void => {
      const before = received.length;
      queue.observer(one);
      within.push(received.length - before);
    };
    await run({}, [body(() => 'x')], { observer });
    expect(within).toEqual([0, 0]);
    await queue.drained();
    expect(received).toEqual(['execute_start', 'execute_end']);
    expect(queue.dropped).toBe(0);
  });

  it('drops progress before the start and end of calls, and never exceeds its limit', async () => {
    const received: string[] = [];
    const queue = queueObserver(({ data, action }) => void received.push(`${data.callId} ${action}`), { maxEvents: 4 });
    const { observer } = queue;
    observer(event('a', 'execute_start'));
    for (let times = 0; times < 10; times += 1) observer(event('a', 'execute_progress'));
    observer(event('b', 'execute_start'));
    observer(event('a', 'execute_end'));
    observer(event('b', 'execute_end'));
    observer(event('c', 'execute_start'));
    await queue.drained();
    expect(received).toEqual(['a execute_start', 'b execute_start', 'a execute_end', 'b execute_end']);
    expect(queue.dropped).toBe(11);
    observer(event('d', 'execute_start'));
    await queue.drained();
    expect(received.at(-1)).toBe('d execute_start');
  });

  it('continues after a failure and reports it once', async () => {
    const failures: string[] = [];
    let received = 0;
    const queue = queueObserver(
      () => {
        received += 1;
        throw new Error('disk full');
      },
      { onFailure: (reason) => failures.push(reason) },
    );
    for (let times = 0; times < 200; times += 1) queue.observer(event('a', 'execute_start'));
    await queue.drained();
    expect([received, failures]).toEqual([200, ['disk full']]);
  });

  it('accepts events while it delivers others', async () => {
    const received: string[] = [];
    const queue = queueObserver(({ data }) => {
      received.push(data.callId);
      if (received.length < 100) queue.observer(event(`${received.length}`, 'execute_start'));
    });
    queue.observer(event('0', 'execute_start'));
    await queue.drained();
    expect(received).toHaveLength(100);
  });

  it('rejects an invalid observer and an invalid limit', () => {
    expect(() => queueObserver(5 as never)).toThrow(/observer is not valid \(expected a function, got 5\)/);
    expect(() => queueObserver(() => undefined, { maxEvents: 0 })).toThrow(/maxEvents/);
  });
});
