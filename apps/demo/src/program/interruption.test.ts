import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { listenForInterruption } from './interruption.ts';

function fakeProcess(): {
  readonly source: NodeJS.Process;
  readonly exits: readonly number[];
  readonly send: (signal: string) => void;
} {
  const emitter = new EventEmitter();
  const exits: number[] = [];
  const source = Object.assign(emitter, { exit: (code: number) => void exits.push(code) }) as unknown as NodeJS.Process;
  return { source, exits, send: (signal) => void emitter.emit(signal, signal) };
}

describe('listenForInterruption', () => {
  test('aborts on the first signal and remembers it', () => {
    const { source, send, exits } = fakeProcess();
    const interruption = listenForInterruption(source);
    expect(interruption.exitCode()).toBeUndefined();
    send('SIGTERM');
    expect(interruption.signal.aborted).toBe(true);
    expect(interruption.exitCode()).toBe(143);
    expect(exits).toEqual([]);
  });

  test('counts the echoes of one Ctrl-C as one', () => {
    const { source, send, exits } = fakeProcess();
    const interruption = listenForInterruption(source);
    send('SIGINT');
    send('SIGINT');
    expect(interruption.exitCode()).toBe(130);
    expect(exits).toEqual([]);
  });

  test('lets the newest handler handle Ctrl-C, and only Ctrl-C', () => {
    const { source, send } = fakeProcess();
    const interruption = listenForInterruption(source);
    const received: string[] = [];
    interruption.onInterrupt(() => received.push('outer'));
    const giveBack = interruption.onInterrupt(() => received.push('inner'));
    send('SIGINT');
    expect(received).toEqual(['inner']);
    giveBack();
    expect(interruption.signal.aborted).toBe(false);
    send('SIGTERM');
    expect(interruption.signal.aborted).toBe(true);
    expect(received).toEqual(['inner']);
  });
});
