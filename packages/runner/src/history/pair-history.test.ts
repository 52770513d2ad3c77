import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import type { Message } from '@haft/core';
import { expectPaired } from '../fixtures/expect-paired.ts';
import { createCallIds } from './call-ids.ts';
import { pairHistory } from './pair-history.ts';

const user: Message = { role: 'user', content: 'Go' };
const calling = (...ids: string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'act', arguments: {} })),
});
const answer = (callId: string, text = callId): Message => ({
  role: 'tool',
  callId,
  name: 'act',
  content: [{ type: 'text', text }],
  isError: false,
});

const pair = (messages: readonly Message[]) => pairHistory(messages, createCallIds());
const kinds = (messages: readonly Message[]) => pair(messages).changes.map((change) => change.kind);

describe('pairHistory', () => {
  it('returns a valid conversation unchanged', () => {
    const messages = [user, calling('a', 'b'), answer('a'), answer('b'), user, calling('c'), answer('c')];
    const paired = pair(messages);
    expect(paired.messages).toBe(messages);
    expect(paired.changes).toEqual([]);
  });

  it.each([
    ['at the end', [user, calling('a')], ['orphan-call']],
    ['with an answer before it', [user, calling('a', 'b'), answer('a'), user], ['orphan-call']],
    ['with an answer after it', [user, calling('a', 'b'), answer('b'), user], ['orphan-call']],
    [
      'twice in a conversation',
      [calling('a', 'b'), user, calling('c', 'd'), answer('d'), user],
      ['orphan-call', 'orphan-call', 'orphan-call'],
    ],
  ] as const)('answers an orphan call %s', (_, messages, expected) => {
    const paired = pair(messages);
    expectPaired(paired.messages);
    expect(paired.changes.map((change) => change.kind)).toEqual(expected);
    for (const message of messages) expect(paired.messages).toContain(message);
  });

  it('tells the model that the outcome is unknown', () => {
    expect(pair([calling('a')]).messages[1]).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('interrupted') }],
    });
  });

  it('removes answers without a call, second answers, and answers before their call', () => {
    expect(kinds([user, answer('a'), calling('a'), answer('a'), answer('a'), answer('b')])).toEqual([
      'stray-result',
      'stray-result',
      'stray-result',
    ]);
    expectPaired(pair([user, answer('a'), calling('a'), answer('a'), answer('a'), answer('b')]).messages);
  });

  it('puts answers in call order, directly after their calls', () => {
    const messages = [calling('a', 'b'), user, answer('b'), answer('a')];
    expect(pair(messages).messages).toEqual([messages[0], messages[3], messages[2], user]);
  });

  it('replaces empty and repeated ids in the call and its answer', () => {
    const messages = [
      calling('a', 'a', ''),
      answer('a', '1'),
      answer('a', '2'),
      answer('', '3'),
      calling('a'),
      answer('a', '4'),
    ];
    const paired = pair(messages);
    expectPaired(paired.messages);
    expect(paired.messages.flatMap((message) => (message.role === 'tool' ? message.content : []))).toEqual(
      ['1', '2', '3', '4'].map((text) => ({ type: 'text', text })),
    );
    expect(paired.changes.map((change) => change.kind)).toEqual(['renamed-call', 'renamed-call', 'renamed-call']);
  });

  it('assigns an answer to the nearest call with its id', () => {
    const messages = [calling('a'), user, calling('a'), answer('a', 'second')];
    const paired = pair(messages).messages;
    expect(paired[1]).toMatchObject({ role: 'tool', isError: true });
    expect(paired.at(-1)).toMatchObject({ content: [{ text: 'second' }] });
  });

  it('changes nothing the second time', () => {
    const once = pair([answer('x'), calling('a', 'a', 'b'), answer('b'), user, calling(''), user]).messages;
    expect(pair(once).messages).toBe(once);
  });
});

describe('createCallIds', () => {
  it('takes constant time per id, however often one id repeats', async () => {
    const claimOften = (count: number): void => {
      const ids = createCallIds();
      const claimed = new Set<string>();
      for (let at = 0; at < count; at += 1) claimed.add(ids.claim('a'));
      expect(claimed.size).toBe(count);
    };
    expect(await growthOf((count) => count, claimOften, 10_000)).toBeLessThan(linearGrowth);
  });
});
