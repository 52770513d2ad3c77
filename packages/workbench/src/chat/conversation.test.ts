import { describe, expect, it } from 'vitest';
import { Conversation, type ChatEvent } from './conversation.ts';

const raw = 'I pay.\n<tool_call>{"name": "pay"}</tool_call>';
const call = { id: 'c1', name: 'pay', arguments: {} };

function conversationOf(events: readonly ChatEvent[]): Conversation {
  const conversation = new Conversation();
  conversation.add({ kind: 'user', text: 'Pay.' });
  for (const event of events) conversation.apply(event);
  return conversation;
}

describe('Conversation', () => {
  it('shows an answer without its textual calls as soon as they are found, and keeps the whole text', () => {
    const { entries } = conversationOf([
      { type: 'text', turn: 1, text: raw.slice(0, 20) },
      { type: 'text', turn: 1, text: raw.slice(20) },
      { type: 'calls', turn: 1, calls: [call], origin: 'text', text: 'I pay.' },
    ]);
    expect(entries[1]).toEqual({ kind: 'assistant', turn: 1, text: 'I pay.', reasoning: '', written: raw });
    expect(entries[2]).toMatchObject({ kind: 'call', isFromText: true, state: 'running' });
  });

  it('keeps the whole text at the end of a turn, too, if the calls came without the text', () => {
    const { entries } = conversationOf([
      { type: 'text', turn: 1, text: raw },
      { type: 'calls', turn: 1, calls: [call], origin: 'text' },
      { type: 'turn-end', turn: 1, text: 'I pay.' },
    ]);
    expect(entries[1]).toMatchObject({ text: 'I pay.', written: raw });
  });

  it('keeps an answer that consists of a call only', () => {
    const { entries } = conversationOf([
      { type: 'text', turn: 1, text: '<tool_call>{}</tool_call>' },
      { type: 'calls', turn: 1, calls: [call], origin: 'text', text: '' },
      { type: 'turn-end', turn: 1, text: '' },
    ]);
    expect(entries[1]).toMatchObject({ text: '', written: '<tool_call>{}</tool_call>' });
  });

  it('does not repeat the text of an answer with structured calls', () => {
    const { entries } = conversationOf([
      { type: 'text', turn: 1, text: 'I pay. ' },
      { type: 'calls', turn: 1, calls: [call], origin: 'structured', text: 'I pay. ' },
      { type: 'turn-end', turn: 1, text: 'I pay.' },
    ]);
    expect(entries[1]).toEqual({ kind: 'assistant', turn: 1, text: 'I pay.', reasoning: '' });
  });
});
