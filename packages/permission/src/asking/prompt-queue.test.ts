import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PermissionAnswer, PermissionQuestion } from './permission-question.ts';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import type { RuleEngine } from '../options/permission-options.ts';
import { calling, editing, reading, running } from '../fixtures/create-request.ts';
import { at, no, once, outside, root, said, session, useGround, withUser } from '../fixtures/permission-ground.ts';

useGround();

interface Open {
  readonly question: PermissionQuestion;
  readonly answer: (answer: PermissionAnswer) => void;
}

/** Creates an engine whose questions the test answers itself. */
function withOpenQuestions(): { readonly engine: RuleEngine; readonly open: Open[] } {
  const open: Open[] = [];
  const ask = (question: PermissionQuestion) =>
    new Promise<PermissionAnswer>((answer) => open.push({ question, answer }));
  return { engine: createPermissionEngine({ roots: [root], ask }), open };
}

/** Waits until this number of questions was asked. Calls that name no files reach the queue without waiting. */
async function shown(open: readonly Open[], count: number): Promise<void> {
  await new Promise(setImmediate);
  expect(open).toHaveLength(count);
}

describe('asking the user', () => {
  it('shows what is about to happen, with resolved paths', async () => {
    const { engine, asked } = withUser([once]);
    expect(await said(engine.ask(editing(at('lib/a.ts'))))).toBe('allow');
    expect(asked).toMatchObject([
      {
        callId: 'call_1',
        tool: 'edit',
        title: expect.stringContaining('lib/a.ts'),
        writes: [at('src/a.ts')],
        reads: [],
        sessionId: 'session',
      },
    ]);
    await engine.ask(running('npm test'));
    expect(asked[1]).toMatchObject({ command: 'npm test' });
  });

  it('asks again after an answer with the scope once, but not with the scope session', async () => {
    const { engine, asked } = withUser([once, session]);
    for (let round = 0; round < 4; round += 1) expect(await said(engine.ask(running('npm test')))).toBe('allow');
    expect(asked).toHaveLength(2);
    expect(engine.grants()).toMatchObject([{ tool: 'bash', title: '$ npm test', sessionId: 'session' }]);
  });

  it('does not remember a denial', async () => {
    const { engine, asked } = withUser([{ action: 'deny', reason: 'not now' }, session]);
    expect(await engine.ask(running('npm test'))).toMatchObject({
      action: 'deny',
      denial: { source: 'person', reason: 'the user denied $ npm test: not now', hint: expect.any(String) },
    });
    expect(await said(engine.ask(running('npm test')))).toBe('allow');
    expect(asked).toHaveLength(2);
  });

  it('allows exactly the command that was shown, not a longer command with the same beginning (B12)', async () => {
    const { engine, asked } = withUser([session, no]);
    expect(await said(engine.ask(running('cat internal/main.go', { cwd: root })))).toBe('allow');
    for (const command of [
      'cat internal/x; rm -rf internal/y',
      'cat internal/main.go; rm x',
      'cat internal/main.go ',
      'cat internal/other.go',
      'cat internal/main.go\nrm x',
    ]) {
      expect([command, await said(engine.ask(running(command, { cwd: root })))]).toEqual([command, 'deny: person']);
    }
    expect(await said(engine.ask(running('cat internal/main.go', { cwd: outside })))).toBe('deny: person');
    expect(await said(engine.ask(running('cat internal/main.go', { cwd: root })))).toBe('allow');
    expect(asked).toHaveLength(7);
  });

  it('allows a file by any of its names, but no other file, tool, session or provider', async () => {
    const { engine } = withUser([session, no]);
    expect(await said(engine.ask(editing(at('src/a.ts'), { arguments: { path: 'src/a.ts', new_text: '1' } })))).toBe(
      'allow',
    );
    expect(await said(engine.ask(editing(at('lib/a.ts'), { arguments: { path: 'lib/a.ts', new_text: '2' } })))).toBe(
      'allow',
    );
    expect(await said(engine.ask(editing(at('src/b.ts'))))).toBe('deny: person');
    expect(await said(engine.ask(editing(at('src/a.ts'), { tool: 'write' })))).toBe('deny: person');
    expect(await said(engine.ask(editing(at('src/a.ts'), { sessionId: 'other' })))).toBe('deny: person');
    expect(await said(engine.ask(editing(at('src/a.ts'), { provider: 'dynamic/plugin/x' })))).toBe('deny: person');
  });

  it('allows other calls by their exact arguments in any order', async () => {
    const { engine } = withUser([session, no]);
    expect(await said(engine.ask(calling('mail', { to: 'ann', text: { a: 1, b: [2] } })))).toBe('allow');
    expect(await said(engine.ask(calling('mail', { text: { b: [2], a: 1 }, to: 'ann' })))).toBe('allow');
    expect(await said(engine.ask(calling('mail', { to: 'bob', text: { a: 1, b: [2] } })))).toBe('deny: person');
    expect(await said(engine.ask(calling('mail', { to: 'ann', text: { a: 1, b: ['2'] } })))).toBe('deny: person');
  });

  it('revokes a grant and forgets a session', async () => {
    const { engine, asked } = withUser([session]);
    await engine.ask(running('a'));
    await engine.ask(running('b', { sessionId: 'other' }));
    expect(engine.revoke(engine.grants()[0]!.key)).toBe(true);
    expect(engine.revoke('none')).toBe(false);
    await engine.ask(running('a'));
    expect(asked).toHaveLength(3);
    engine.forgetSession('other');
    expect(engine.grants().map(({ sessionId }) => sessionId)).toEqual(['session']);
  });

  it('does not ask again about files below an allowed search in the same call', async () => {
    const { engine, asked } = withUser([once, no], { rules: [{ action: 'ask', tool: 'grep' }] });
    const { signal } = new AbortController();
    const grep = { tool: 'grep', signal };
    expect(await said(engine.ask(reading(`${root}/`, grep)))).toBe('allow');
    expect(await said(engine.ask(reading(at('src/a.ts'), grep)))).toBe('allow');
    expect(asked).toHaveLength(1);
    expect(await said(engine.ask(reading(at('.env'), grep)))).toBe('deny: protected');
    expect(await said(engine.ask(reading(join(outside, 's.txt'), grep)))).toBe('deny: person');
    expect(await said(engine.ask(reading(at('src/a.ts'), { tool: 'grep' })))).toBe('deny: person');
    expect(await said(engine.ask(editing(at('src/a.ts'), grep)))).toBe('deny: person');
  });

  it('shows a copy of the arguments, so that changing it does not change the call', async () => {
    const { engine, asked } = withUser([once]);
    const request = calling('pay', { amount: 1, to: { name: 'ann' } });
    await engine.ask(request);
    (asked[0]!.arguments as { to: { name: string } }).to.name = 'eve';
    expect(request.arguments).toEqual({ amount: 1, to: { name: 'ann' } });
    expect(await said(engine.ask(calling('odd', { call: () => 1 })))).toBe('allow');
  });

  it('asks the questions of a session one after the other, and those of other sessions at the same time', async () => {
    const { engine, open } = withOpenQuestions();
    const first = said(engine.ask(calling('a', {})));
    const second = said(engine.ask(calling('b', {})));
    const other = said(engine.ask(calling('c', {}, { sessionId: 'other' })));
    const nameless = ['d', 'e'].map((tool) => said(engine.ask(calling(tool, {}, { sessionId: '' }))));
    await shown(open, 3);
    expect(open.map(({ question }) => question.tool)).toEqual(['a', 'c', 'd']);
    open[1]!.answer(no);
    expect(await other).toBe('deny: person');
    open[0]!.answer(once);
    open[2]!.answer(once);
    expect(await first).toBe('allow');
    await shown(open, 5);
    for (const { answer } of open) answer(no);
    expect([await second, ...(await Promise.all(nameless))]).toEqual(['deny: person', 'allow', 'deny: person']);
  });

  it('tells each call how many questions come first', async () => {
    const { engine, open } = withOpenQuestions();
    const counts: Record<string, number[]> = {};
    const asking = (tool: string): Promise<string> => {
      counts[tool] ??= [];
      const request = calling(tool, {}, { setQuestionsAhead: (count) => void counts[tool]!.push(count) });
      return said(engine.ask(request));
    };
    const calls = ['a', 'b', 'c'].map(asking);
    for (let next = 1; next <= 3; next += 1) {
      await shown(open, next);
      open.at(-1)!.answer(once);
    }
    expect(await Promise.all(calls)).toEqual(['allow', 'allow', 'allow']);
    expect(counts).toEqual({ a: [0, 0], b: [1, 0], c: [2, 0] });
  });

  it('asks once about equal calls that only read', async () => {
    const { engine, open } = withOpenQuestions();
    const { traits } = reading('');
    const calls = [1, 2].map(() => said(engine.ask(calling('look', {}, { traits }))));
    await shown(open, 1);
    open[0]!.answer(once);
    expect(await Promise.all(calls)).toEqual(['allow', 'allow']);
    expect(open).toHaveLength(1);
  });

  it('allows one call by an answer with the scope once, and asks again about equal calls', async () => {
    for (const sessionId of ['session', '']) {
      const { engine, open } = withOpenQuestions();
      const calls = ['1', '2', '3'].map((callId) => said(engine.ask(calling('pay', {}, { callId, sessionId }))));
      await shown(open, 1);
      // Without a session, an answer for the session counts once.
      open[0]!.answer(sessionId === '' ? session : once);
      expect(await calls[0]).toBe('allow');
      await shown(open, 2);
      open[1]!.answer(no);
      expect(await Promise.all(calls)).toEqual(['allow', 'deny: person', 'deny: person']);
      expect(open.map(({ question }) => question.callId)).toEqual(['1', '2']);
    }
  });

  it('cancels waiting calls and blocks no question when the user disconnects', async () => {
    const signals: AbortSignal[] = [];
    const engine = createPermissionEngine({
      roots: [root],
      ask: (question, signal) => (question.command === 'b' ? once : new Promise(() => signals.push(signal))),
    });
    const controller = new AbortController();
    const abandoned = said(engine.ask(running('a', { signal: controller.signal })));
    const next = said(engine.ask(running('b')));
    await new Promise(setImmediate);
    controller.abort();
    expect(await abandoned).toBe('deny: no-approver');
    expect(await next).toBe('allow');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await said(engine.ask(running('a', { signal: controller.signal })))).toBe('deny: no-approver');
  });

  it('still answers an equal question when one call is cancelled', async () => {
    let answer: (answer: PermissionAnswer) => void = () => {};
    const engine = createPermissionEngine({ roots: [root], ask: () => new Promise((resolve) => (answer = resolve)) });
    const controller = new AbortController();
    const cancelled = said(engine.ask(running('a', { signal: controller.signal })));
    const staying = said(engine.ask(running('a')));
    await new Promise(setImmediate);
    controller.abort();
    expect(await cancelled).toBe('deny: no-approver');
    answer(once);
    expect(await staying).toBe('allow');
  });

  it('reports an engine failure, not a denial, when the answer fails or is invalid', async () => {
    const throwing = createPermissionEngine({ ask: () => Promise.reject(new Error('terminal gone')) });
    await expect(throwing.ask(running('a'))).rejects.toThrow('terminal gone');
    const silly = createPermissionEngine({ ask: () => 'yes' as never });
    await expect(silly.ask(running('a'))).rejects.toThrow('neither allow nor deny');
    const vague = createPermissionEngine({ ask: () => ({ action: 'allow', scope: 'hour' }) as never });
    await expect(vague.ask(running('a'))).rejects.toThrow(expect.objectContaining({ code: 'INVALID_ANSWER' }));
    const { engine } = withUser([once]);
    expect(await said(engine.ask(running('a')))).toBe('allow');
  });

  it('settles equal waiting questions of other calls by an answer for the session', async () => {
    const { engine, asked } = withUser([session]);
    const answers = await Promise.all(
      [running('a'), running('b'), running('a')].map((request) => said(engine.ask(request))),
    );
    expect(answers).toEqual(['allow', 'allow', 'allow']);
    expect(asked).toHaveLength(2);
  });
});
