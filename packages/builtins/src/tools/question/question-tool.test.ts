import { createDispatcher, renderForModel } from '@haft/core';
import { describe, expect, it } from 'vitest';
import { createBuiltins } from '../../create/create-builtins.ts';
import { codeOf, createGround, type Ground } from '../../fixtures/create-ground.ts';
import type { AskQuestion, PersonAnswer, PersonQuestion } from '../../options/ask-dependency.ts';
import { createQuestionTool } from './question-tool.ts';

const open = (ask: AskQuestion): Ground => createGround({ builtins: { ask } });
const answering = (answer: PersonAnswer): Ground => open(async () => answer);

describe('question', () => {
  it('shows the question to the user without terminal control sequences', async () => {
    const questions: PersonQuestion[] = [];
    const ground = open(async (question) => {
      questions.push(question);
      return { kind: 'chosen', labels: ['B'] };
    });
    const args = { question: 'Which\u001b[31m?', choices: ['A', { label: 'B', description: 'the \u202eother' }] };
    const result = await ground.call('question', args, { sessionId: 's' });
    expect(questions).toEqual([
      {
        question: 'Which?',
        options: [{ label: 'A' }, { label: 'B', description: 'the other' }],
        multiple: false,
        sessionId: 's',
        callId: 'call_1',
      },
    ]);
    expect(renderForModel(result)).toBe('The user chose: B');
    expect(result.structured).toEqual({ answered: true, chosen: ['B'] });
    ground.remove();
  });

  it.each<[PersonAnswer, object, string]>([
    [{ kind: 'text', text: ' neither, but C ' }, { options: ['A', 'B'] }, 'The user says: neither, but C'],
    [{ kind: 'text', text: '' }, {}, 'The user gave an empty answer.'],
    [{ kind: 'chosen', labels: ['A', 'B'] }, { options: ['A', 'B'], multiple: true }, 'The user chose: A; B'],
    [{ kind: 'chosen', labels: ['A', 'B'] }, { options: ['A', 'B'] }, 'The user chose: A'],
    [{ kind: 'chosen', labels: ['Z'] }, { options: ['A', 'B'] }, 'The user chose none of them.'],
    [
      { kind: 'chosen', labels: ['A'], text: 'soon' },
      { options: ['A', 'B'] },
      'The user chose: A\nThe user says: soon',
    ],
  ])('describes the answer %j to %j for the model', async (answer, args, said) => {
    const ground = answering(answer);
    expect(await ground.say('question', { question: 'Which?', ...args })).toBe(said);
    ground.remove();
  });

  it('reports a declined answer as cancelled', async () => {
    const ground = answering({ kind: 'dismissed' });
    const result = await ground.call('question', { question: 'Which?' });
    expect(result).toMatchObject({ ok: false, error: { code: 'ABORTED', fault: 'cancelled' } });
    expect(renderForModel(result)).toContain("Don't ask it again.");
    ground.remove();
  });

  it('answers without the user when the user is unavailable', async () => {
    const headless = createDispatcher({ registry: [createQuestionTool()] });
    const result = await headless.dispatch({ id: '1', name: 'question', arguments: { question: 'Which?' } });
    expect(result).toMatchObject({ ok: true, structured: { answered: false, reason: 'unavailable' } });
    expect(renderForModel(result)).toMatch(/^The user can't be asked here\. Follow your recommendation/);
    const ground = answering({ kind: 'unavailable' });
    expect((await ground.call('question', { question: 'Which?' })).structured).toEqual({
      answered: false,
      reason: 'unavailable',
    });
    ground.remove();
  });

  it('stops waiting when the call ends, and aborts the callback', async () => {
    let ended: unknown;
    const ground = open((_, signal) => {
      signal.addEventListener('abort', () => (ended = signal.aborted));
      return new Promise(() => {});
    });
    const result = await ground.call('question', { question: 'Which?' }, { timeoutMs: 400 });
    expect(result.structured).toEqual({ answered: false, reason: 'timeout' });
    expect(ended).toBe(true);
    const controller = new AbortController();
    const waiting = ground.call('question', { question: 'Which?' }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(codeOf(await waiting)).toBe('ABORTED');
    ground.remove();
  });

  it('accepts 2 to 9 options', async () => {
    const ground = answering({ kind: 'text', text: 'x' });
    const named = (amount: number): readonly string[] =>
      Array.from({ length: amount }, (_, index) => `option ${index}`);
    for (const amount of [1, 10])
      expect(codeOf(await ground.call('question', { question: 'Which?', options: named(amount) }))).toBe(
        'INVALID_ARGS',
      );
    for (const amount of [2, 9])
      expect(codeOf(await ground.call('question', { question: 'Which?', options: named(amount) }))).toBe('ok');
    ground.remove();
  });

  it('reports a failing callback as a fault of the host', async () => {
    const ground = open(() => Promise.reject(new Error('secret path')));
    const result = await ground.call('question', { question: 'Which?' });
    expect(codeOf(result)).toBe('EXECUTION_ERROR');
    expect(renderForModel(result)).not.toContain('secret');
    ground.remove();
  });

  it('is created only with an ask callback', () => {
    expect(createBuiltins().map(({ name }) => name)).not.toContain('question');
    expect(createBuiltins({ ask: async () => ({ kind: 'unavailable' }) }).map(({ name }) => name)).toContain(
      'question',
    );
    expect(() => createBuiltins({ ask: 'me' as never })).toThrow(/ask is not valid \(expected a function, got "me"\)/);
  });
});
