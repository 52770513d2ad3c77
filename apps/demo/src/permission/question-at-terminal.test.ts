import { expect, test } from 'vitest';
import type { PersonQuestion } from '@haft/builtins';
import { createTerminalQuestioner, readAnswer } from './question-at-terminal.ts';
import type { TerminalDevice } from './terminal-device.ts';

const question: PersonQuestion = {
  question: 'Which way?\nBoth work.',
  options: [{ label: 'left', description: 'longer' }, { label: 'right' }],
  multiple: false,
  sessionId: 's',
  callId: 'c',
};

test.each([
  ['2', { kind: 'chosen', labels: ['right'] }],
  [' 1 ', { kind: 'chosen', labels: ['left'] }],
  ['3', { kind: 'text', text: '3' }],
  ['1 2', { kind: 'text', text: '1 2' }],
  ['straight on', { kind: 'text', text: 'straight on' }],
  ['', { kind: 'dismissed' }],
  [undefined, { kind: 'dismissed' }],
] as const)('readAnswer reads %j as %j', (line, answer) => {
  expect(readAnswer(question, line)).toEqual(answer);
});

test('readAnswer accepts several numbers if several choices are allowed', () => {
  expect(readAnswer({ ...question, multiple: true }, '2, 1')).toEqual({ kind: 'chosen', labels: ['right', 'left'] });
});

test('createTerminalQuestioner shows the question and its options without control characters', async () => {
  let written = '';
  const device: TerminalDevice = {
    paint: (_, text) => text,
    write: (text) => void (written += text),
    printAbove: (print) => print(),
    forget: () => {},
    readLine: async () => '1',
    close: () => {},
  };
  const ask = createTerminalQuestioner(() => device);
  const hostile = { ...question, question: 'Which\u001b[2J way?' };
  expect(await ask(hostile, new AbortController().signal)).toEqual({ kind: 'chosen', labels: ['left'] });
  expect(written).toContain('1. left: longer\n  2. right\n');
  expect(written).not.toContain('\u001b');
});

test('createTerminalQuestioner does not ask without a terminal', async () => {
  const ask = createTerminalQuestioner(() => undefined);
  expect(await ask(question, new AbortController().signal)).toEqual({ kind: 'unavailable' });
});
