import { describe, expect, it } from 'vitest';
import { success, ToolRegistry, type ToolSource } from '@haft/core';
import { readProgramLimits } from './program-limits.ts';
import { runScript, type RanScript } from './run-script.ts';
import { createScriptCalls, type ScriptCalls } from './script-calls.ts';

/** Runs a process that sends arbitrary messages instead of running a script. */
async function forge(
  messages: readonly unknown[],
  dispatched: string[] = [],
): Promise<{ readonly ran: RanScript; readonly calls: ScriptCalls }> {
  const source = {
    dispatch: async ({ id, name }) => (dispatched.push(name), success(id, 'done')),
  } as Partial<ToolSource> as ToolSource;
  const snapshot = new ToolRegistry().snapshot();
  const calls = createScriptCalls(source, snapshot, { callId: 'p' } as never, 8);
  const limits = readProgramLimits({ ownTimeMs: 5_000, toolCalls: 3 });
  const lines = messages.map((message) => (typeof message === 'string' ? message : JSON.stringify(message)));
  // A process that has written something runs until it is ended, so that its end can't overtake what it wrote.
  const stay = lines.length > 0 ? 'setInterval(() => {}, 1_000)' : '';
  const code = `const { writeSync } = require('node:fs'); for (const line of ${JSON.stringify(lines)}) writeSync(3, line + '\\n'); ${stay}`;
  const plan = {
    command: process.execPath,
    args: ['-e', code],
    env: {},
    cwd: process.cwd(),
    settle: () => null,
    hold: () => undefined,
    release: () => undefined,
  };
  const signal = new AbortController().signal;
  const ran = await runScript({ script: '', names: [], plan, limits, calls, signal, onPrint: () => undefined });
  return { ran, calls };
}

describe('call of a script', () => {
  it('fails when the source returns an invalid result, and affects no other call', async () => {
    const source = { dispatch: () => Promise.resolve(undefined) } as unknown as ToolSource;
    const calls = createScriptCalls(source, new ToolRegistry().snapshot(), { callId: 'p' } as never, 8);
    expect(await calls.make(1, 'a', {})).toMatchObject({ id: 1, ok: false, code: 'EXECUTION_ERROR' });
  });
});

describe('time limit of a script', () => {
  it.skipIf(process.platform !== 'linux')('applies while calls are in progress', async () => {
    // The process answers pings and never stops computing.
    const code = `
      const stream = new (require('node:net').Socket)({ fd: 3 });
      stream.on('data', (text) => {
        for (const line of String(text).split('\\n'))
          if (line.includes('ping')) stream.write(JSON.stringify({ ...JSON.parse(line), t: 'pong' }) + '\\n');
      });
      stream.write('{"t":"invoke","id":1,"name":"a"}\\n');
      const spin = () => { const end = Date.now() + 20; while (Date.now() < end); setTimeout(spin) };
      setTimeout(spin, 100)`;
    let began = false;
    const source = {
      dispatch: ({ id }, { signal } = {}) =>
        new Promise((resolve) => {
          began = true;
          signal?.addEventListener('abort', () => resolve(success(id, 'done')));
        }),
    } as Partial<ToolSource> as ToolSource;
    const calls = createScriptCalls(source, new ToolRegistry().snapshot(), { callId: 'p' } as never, 8);
    const plan = {
      command: process.execPath,
      args: ['-e', code],
      env: {},
      cwd: process.cwd(),
      settle: () => null,
      hold: () => undefined,
      release: () => undefined,
    };
    const limits = readProgramLimits({ ownTimeMs: 1_500 });
    const { signal } = new AbortController();
    const ran = await runScript({ script: '', names: [], plan, limits, calls, signal, onPrint: () => undefined });
    expect([began, ran.end.kind]).toEqual([true, 'time']);
  });
});

describe("messages of a script's process", () => {
  it('are calls, lines and one end only', async () => {
    const dispatched: string[] = [];
    const { ran } = await forge(
      [
        { t: 'print', text: { toString: 1 } },
        { t: 'invoke', id: 1, name: 'a', args: null },
        { t: 'print', text: 'hello' },
        { t: 'done', ok: 'yes', reason: 'denied', line: -1, message: { a: 1 }, call: '__proto__' },
        { t: 'invoke', id: 2, name: 'c' },
        { t: 'done', ok: true, value: 'twice' },
      ],
      dispatched,
    );
    expect(dispatched).toEqual(['a']);
    expect(ran).toEqual({
      end: { kind: 'threw', message: 'it failed without a message', line: undefined, call: '__proto__' },
      printed: '\nhello\n',
      isCut: false,
    });
  });

  it.each([
    ['no message', ['[1]'], 'flood'],
    ['an unknown kind of message', [{ t: 'pang' }], 'flood'],
    ['a message of a plugin', [{ t: 'described', plugin: {} }], 'flood'],
    ['an answer', [{ t: 'answer', id: 1, ok: true }], 'flood'],
    ['a sign of life that was not asked for', [{ t: 'pong', nonce: '1' }], 'flood'],
    ['a call whose id is not a number', [{ t: 'invoke', id: '1', name: 'a' }], 'flood'],
    ['a call without a name', [{ t: 'invoke', id: 1, name: 7 }], 'flood'],
    [
      'two calls with one id',
      [
        { t: 'invoke', id: 1, name: 'a' },
        { t: 'invoke', id: 1, name: 'b' },
      ],
      'flood',
    ],
    ['nothing', [], 'exit'],
  ] as const)('is %s, and it is ended', async (_, messages, kind) => {
    expect((await forge(messages)).ran.end.kind).toBe(kind);
  });
});
