import { describe, expect, it } from 'vitest';
import { maxShown, readSession } from './read-session.ts';

const line = (at: number, from: string, message: object): string => `${JSON.stringify({ at, from, message })}\n`;
const ask = line(0, 'client', { jsonrpc: '2.0', id: 1, method: 'tools/list' });

describe('the file of a recorded session', () => {
  it('is read with the titles of its messages, and without a last line that was cut off', () => {
    const answer = line(12, 'server', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } });
    const { messages, more } = readSession('a.jsonl', `${ask}\n${answer}{"at":13,"fr`);
    expect(messages).toMatchObject([
      { at: 0, from: 'client', title: 'tools/list', isError: false, text: expect.stringContaining('\n  "id": 1,') },
      { at: 12, from: 'server', title: 'answer to tools/list', isError: true },
    ]);
    expect(more).toBe(0);
  });

  it.each([
    ['another line', `${ask}{}\n`, 'line 2: not a recorded message'],
    ['a run of an agent', '{"type":"run"}\n', 'line 1: not a recorded message'],
    ['a number', '7', 'line 1: not a recorded message'],
    ['nothing', '\n', 'no recorded messages'],
  ])('is refused with the line when it holds %s', (_what, text, message) => {
    expect(() => readSession('a.jsonl', text)).toThrow(message);
  });

  it('is shown up to a limit', () => {
    const { messages, more } = readSession('a.jsonl', ask.repeat(maxShown + 5));
    expect([messages.length, more]).toEqual([maxShown, 5]);
  });
});
