import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PermissionAnswer, PermissionQuestion } from './permission-question.ts';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { calling, editing, reading, running } from '../fixtures/create-request.ts';
import { at, no, once, outside, root, said, session, useGround, withUser } from '../fixtures/permission-ground.ts';

useGround();

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

  it('asks equal questions once and different ones one after the other', async () => {
    const open: { readonly question: PermissionQuestion; readonly answer: (answer: PermissionAnswer) => void }[] = [];
    const engine = createPermissionEngine({
      roots: [root],
      ask: (question) => new Promise((answer) => open.push({ question, answer })),
    });
    const first = [running('a'), running('a'), running('a')].map((request) => said(engine.ask(request)));
    const second = said(engine.ask(running('b')));
    await new Promise(setImmediate);
    expect(open.map(({ question }) => question.command)).toEqual(['a']);
    open[0]!.answer(once);
    expect(await Promise.all(first)).toEqual(['allow', 'allow', 'allow']);
    await new Promise(setImmediate);
    expect(open.map(({ question }) => question.command)).toEqual(['a', 'b']);
    open[1]!.answer(no);
    expect(await second).toBe('deny: person');
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
