import type { Message } from '@haft/core';
import { expect, test } from 'vitest';
import { findTask, remarkOn } from './find-task.ts';

const callOf = (id: string): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id, name: 'write', arguments: {} }],
});

test('findTask returns the message that led to a call, without remarks about undone changes', () => {
  const remark = remarkOn('undone', ['a.txt restored']);
  const messages: readonly Message[] = [
    { role: 'user', content: 'first' },
    callOf('one'),
    { role: 'user', content: `${remark}\n\n${remarkOn('brought back', ['changed a.txt'])}\n\nsecond` },
    callOf('two'),
    callOf('twice'),
    { role: 'user', content: 'third' },
    callOf('twice'),
  ];
  expect(findTask(messages, 'one')).toBe('first');
  expect(findTask(messages, 'two')).toBe('second');
  expect(findTask(messages, 'twice')).toBeUndefined();
  expect(findTask(messages, 'none')).toBeUndefined();
});
