import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { editing, running } from '../fixtures/create-request.ts';
import { at, no, once, outside, root, said, session, useGround, withUser } from '../fixtures/permission-ground.ts';
import type { Grant } from './grant.ts';
import type { PermissionAnswer } from './permission-question.ts';

useGround();

const always: PermissionAnswer = { action: 'allow', scope: 'always' };

/** A store that records the saved grants and can be made to fail. */
function createStore(first?: unknown) {
  const saved: (readonly Grant[])[] = [];
  const state = { isBroken: false, loads: 0 };
  const store = {
    load: () => {
      state.loads += 1;
      if (state.isBroken) throw new Error('disk full');
      return (saved.at(-1) ?? first) as readonly Grant[];
    },
    save: async (grants: readonly Grant[]) => {
      await Promise.resolve();
      if (state.isBroken) throw new Error('disk full');
      saved.push(JSON.parse(JSON.stringify(grants)) as readonly Grant[]);
    },
  };
  return { store, saved, state };
}

describe('a grant for always', () => {
  it('covers the same call in every session and no other call', async () => {
    const { engine, asked } = withUser([always, no]);
    expect(await said(engine.ask(running('npm test')))).toBe('allow');
    expect(await said(engine.ask(running('npm test', { sessionId: 'other' })))).toBe('allow');
    engine.forgetSession('session');
    expect(await said(engine.ask(running('npm test')))).toBe('allow');
    expect(asked).toHaveLength(1);
    for (const request of [
      running('npm test; rm x'),
      running('npm test', { cwd: outside }),
      running('npm test', { tool: 'shell' }),
      running('npm test', { provider: 'dynamic/plugin/x' }),
    ])
      expect(await said(engine.ask(request))).toBe('deny: person');
  });

  it('is saved in the store without the grants for a session', async () => {
    const { store, saved, state } = createStore();
    const { engine } = withUser([always, session, once], { grantStore: store });
    await engine.ask(running('npm test'));
    await engine.ask(running('npm run a'));
    await engine.ask(running('npm run b'));
    expect(saved.at(-1)).toMatchObject([{ scope: 'always', title: '$ npm test', tool: 'bash', provider: 'builtin' }]);
    const { engine: next, asked } = withUser([no], { grantStore: store });
    expect(await said(next.ask(running('npm test', { sessionId: 'tomorrow' })))).toBe('allow');
    expect(await said(next.ask(running('npm run a')))).toBe('deny: person');
    expect(asked).toHaveLength(1);
    expect(state.loads).toBe(2);
    expect(next.revoke(next.grants()[0]!.key)).toBe(true);
    expect(await said(next.ask(running('npm test')))).toBe('deny: person');
    expect(saved.at(-1)).toEqual([]);
  });

  it('refuses the call when the store cannot save it, and covers the next attempt', async () => {
    const { store, saved, state } = createStore();
    const { engine, asked } = withUser([always], { grantStore: store });
    await expect(engine.ask(running('a'))).resolves.toMatchObject({ action: 'allow' });
    state.isBroken = true;
    await expect(engine.ask(running('b'))).rejects.toThrow('disk full');
    state.isBroken = false;
    expect(await said(engine.ask(running('b')))).toBe('allow');
    await engine.ask(running('c'));
    expect(saved.at(-1)?.map(({ title }) => title)).toEqual(['$ a', '$ b', '$ c']);
    expect(asked).toHaveLength(3);
  });

  it('refuses calls until the store can be read', async () => {
    const { store, state } = createStore();
    state.isBroken = true;
    const { engine, asked } = withUser([always], { grantStore: store });
    await expect(engine.ask(running('a'))).rejects.toThrow('disk full');
    expect(asked).toEqual([]);
    state.isBroken = false;
    expect(await said(engine.ask(running('a')))).toBe('allow');
  });

  it.each([
    'grants',
    { a: 1 },
    [null, 7, 'x', []],
    [{ key: 'k', scope: 'session', sessionId: 's', tool: 'bash', provider: 'builtin', title: 't' }],
    [{ key: 'k', scope: 'always', sessionId: 's', tool: 'bash', provider: 'builtin' }],
    [{ key: 'k', scope: 'always', sessionId: 's', tool: 'bash', provider: 'builtin', title: 't', command: 'a *' }],
    [
      {
        key: 'k',
        scope: 'always',
        sessionId: 's',
        tool: 'bash',
        provider: 'builtin',
        title: 't',
        command: 'a; b',
        cwd: '/',
      },
    ],
    [{ key: 'k', scope: 'always', sessionId: 's', tool: 'bash', provider: 'builtin', title: 't', expiresAt: 'never' }],
  ])('ignores an invalid grant from the store: %j', async (kept) => {
    const engine = createPermissionEngine({ grantStore: createStore(kept).store });
    expect(await said(engine.ask(running('a b')))).toBe('deny: no-approver');
    expect(engine.grants()).toEqual([]);
  });

  it('does not override protection, rules that deny, or the mode', async () => {
    const { store } = createStore();
    const { engine } = withUser([always], { grantStore: store, defaults: { readInside: 'ask' } });
    await engine.ask(running('npm test'));
    await engine.ask(editing(at('a.txt')));
    const denying = withUser([always], { grantStore: store, rules: [{ action: 'deny', command: 'npm *' }] }).engine;
    expect(await said(denying.ask(running('npm test')))).toBe('deny: rule');
    const reading = withUser([always], { grantStore: store, mode: 'read-only' }).engine;
    expect(await said(reading.ask(editing(at('a.txt'))))).toBe('deny: mode');
    const guarding = withUser([always], { grantStore: store, protectedGlobs: ['**/a.txt'] }).engine;
    expect(await said(guarding.ask(editing(at('a.txt'))))).toBe('deny: protected');
  });
});

describe('a grant with a time limit', () => {
  it.each(['session', 'always'] as const)('lasts exactly that long with the scope %s', async (scope) => {
    let time = 1_000;
    const { store } = createStore();
    const { engine, asked } = withUser([{ action: 'allow', scope, forMs: 60_000 }], {
      now: () => time,
      grantStore: store,
    });
    await engine.ask(running('npm test'));
    time = 60_999;
    expect(await said(engine.ask(running('npm test')))).toBe('allow');
    expect(asked).toHaveLength(1);
    expect(engine.grants()).toMatchObject([{ expiresAt: 61_000 }]);
    time = 61_000;
    expect(engine.grants()).toEqual([]);
    await engine.ask(running('npm test'));
    expect(asked).toHaveLength(2);
  });

  it('ends when the clock cannot be read', async () => {
    const { engine, asked } = withUser([{ action: 'allow', scope: 'session', forMs: 60_000 }], { now: () => NaN });
    await engine.ask(running('npm test'));
    await engine.ask(running('npm test'));
    expect(asked).toHaveLength(2);
  });
});

describe('a grant for a command pattern', () => {
  const forRuns: PermissionAnswer = { action: 'allow', scope: 'session', command: 'npm run *' };

  it('covers matching lines of one simple command in the same folder, session and tool (B12)', async () => {
    const { engine, asked } = withUser([forRuns, no]);
    expect(await said(engine.ask(running('npm run build', { cwd: root })))).toBe('allow');
    for (const command of ['npm run lint', 'npm run test -- --watch', 'npm run "a b"', 'npm run'])
      expect([command, await said(engine.ask(running(command, { cwd: root })))]).toEqual([command, 'allow']);
    expect(asked).toHaveLength(1);
    for (const command of [
      'npm run x; rm -rf y',
      'npm run x && make',
      'npm run $(make)',
      'npm run `make`',
      'npm run x > y',
      'npm run x\nmake',
      'npm run x | sh',
      'npm run x &',
      'X=1 npm run x',
      'sudo npm run x',
      'npm run $X',
      'npm test',
      'npm runx',
      '/tmp/npm run x',
    ])
      expect([command, await said(engine.ask(running(command, { cwd: root })))]).toEqual([command, 'deny: person']);
    for (const other of [{ cwd: outside }, { sessionId: 'b' }, { tool: 'shell' }, { provider: 'dynamic/x' }])
      expect(await said(engine.ask(running('npm run lint', { cwd: root, ...other })))).toBe('deny: person');
  });

  it('covers every session when given for always, but never protected secrets or commands that may reach them', async () => {
    const { engine, asked } = withUser([{ action: 'allow', scope: 'always', command: 'grep *' }, no]);
    expect(await said(engine.ask(running('grep x a.txt', { cwd: root })))).toBe('allow');
    expect(await said(engine.ask(running('grep y a.txt', { cwd: root, sessionId: 'b' })))).toBe('allow');
    expect(await said(engine.ask(running('grep x .env', { cwd: root })))).toBe('deny: protected');
    expect(await said(engine.ask(running('grep -r x .', { cwd: root })))).toBe('deny: person');
    expect(asked).toHaveLength(2);
  });

  it('also answers waiting questions that it covers', async () => {
    const { engine, asked } = withUser([forRuns, no]);
    const answers = ['a', 'b', 'c'].map((name) => said(engine.ask(running(`npm run ${name}`))));
    expect(await Promise.all(answers)).toEqual(['allow', 'allow', 'allow']);
    expect(asked).toHaveLength(1);
  });
});

describe('an invalid or ambiguous answer', () => {
  it.each<[unknown, RegExp]>([
    [{ action: 'allow', scope: 'forever' }, /has scope: "forever" \(expected "once", "session"/],
    [{ action: 'allow', scope: 'session', forMs: 0 }, /forMs: 0 \(expected milliseconds/],
    [{ action: 'allow', scope: 'session', forMs: Infinity }, /forMs/],
    [{ action: 'allow', scope: 'session', forMs: '5' }, /forMs/],
    [{ action: 'allow', forMs: 5 }, /with the scope session or always/],
    [{ action: 'allow', command: 'npm *' }, /with the scope session or always/],
    [{ action: 'allow', scope: 'session', command: 'make *' }, /matches the command in question/],
    [{ action: 'allow', scope: 'session', command: '*' }, /begins with a program/],
    [{ action: 'allow', scope: 'session', command: '* *' }, /begins with a program/],
    [{ action: 'allow', scope: 'session', command: 'n* *' }, /begins with a program/],
    [{ action: 'allow', scope: 'session', command: '{npm,rm} *' }, /begins with a program/],
    [{ action: 'allow', scope: 'session', command: 'npm run x; rm *' }, /command/],
    [{ action: 'allow', scope: 'session', command: 7 }, /command: 7/],
  ])('allows nothing: %j', async (answer, message) => {
    const { engine } = withUser([answer as PermissionAnswer]);
    await expect(engine.ask(running('npm run x'))).rejects.toThrow(message);
    await expect(engine.ask(running('npm run x'))).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
    expect(engine.grants()).toEqual([]);
  });

  it('rejects a command pattern for a call that runs no command', async () => {
    const { engine } = withUser([{ action: 'allow', scope: 'session', command: 'edit *' }]);
    await expect(engine.ask(editing(at('a.txt')))).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
  });
});
