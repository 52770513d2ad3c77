import {
  allowAll,
  createDispatcher,
  defineTool,
  renderForModel,
  type AnyTool,
  type ProcessRunner,
  type ToolResult,
} from '@haft/core';
import * as sandbox from '@haft/sandbox';
import { describe, expect, it } from 'vitest';
import { createHooks, type CommandHook, type FunctionHooks } from '../index.ts';

const say = defineTool({
  name: 'say',
  description: 'Says a word.',
  input: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  execute: ({ word }) => `said ${word}`,
}) as AnyTool;

async function call(hooks: readonly (CommandHook | FunctionHooks)[], word = 'hi'): Promise<ToolResult> {
  const middleware = [createHooks(hooks, { processes: sandbox as ProcessRunner, cwd: process.cwd() })];
  const dispatcher = createDispatcher({ registry: [say], permission: allowAll, middleware });
  return dispatcher.dispatch({ id: 'c', name: 'say', arguments: { word } });
}

/** A program that reads its input and then runs this code, with `input` in scope. */
const program = (code: string, more: Partial<CommandHook> = {}): CommandHook => ({
  name: 'script',
  on: 'beforeCall',
  command: process.execPath,
  args: ['-e', `const input = JSON.parse(require('node:fs').readFileSync(0, 'utf8')); ${code}`],
  ...more,
});

describe('createHooks', () => {
  it('calls functions', async () => {
    const guard: FunctionHooks = {
      name: 'guard',
      tools: ['say'],
      beforeCall: ({ arguments: args }) =>
        (args as { word: string }).word === 'no' ? { deny: 'that word' } : undefined,
      afterCall: (_, { text }) => ({ text: text.toUpperCase() }),
    };
    expect(renderForModel(await call([guard]))).toBe('SAID HI');
    expect(await call([guard], 'no')).toMatchObject({
      error: { code: 'PERMISSION_DENIED', denial: { source: 'hook' } },
    });
  });

  it('runs programs that receive a call and change or deny it', async () => {
    const polite = program(
      `console.log(JSON.stringify({ arguments: { word: input.call.arguments.word + ' please' } }))`,
    );
    const loud = program(`console.log(JSON.stringify({ text: input.hook + ': ' + input.result.text }))`, {
      on: ['afterCall'],
    });
    expect(renderForModel(await call([polite, loud]))).toBe('afterCall: said hi please');
    expect(await call([program(`console.log('not that'); process.exit(2)`)])).toMatchObject({
      error: { code: 'PERMISSION_DENIED', denial: { reason: 'not that' } },
    });
    expect((await call([program('')])).ok).toBe(true);
  });

  it.each<readonly [string, Partial<CommandHook>]>([
    ['is not there', { command: '/nowhere/at/all' }],
    ['never ends', { args: ['-e', 'setInterval(() => {}, 1000)'], timeoutMs: 300 }],
    ['prints what is no answer', { args: ['-e', 'console.log("fine by me")'] }],
  ])('denies a call if the program %s, unless the hook is not required', async (_, more) => {
    expect(await call([program('', more)])).toMatchObject({ error: { code: 'PLUGIN_FAILED' } });
    expect((await call([program('', { ...more, required: false })])).ok).toBe(true);
  });

  it.each<readonly [string, unknown]>([
    ['a list', {}],
    ['has no handlers', [{ name: 'x' }]],
    [
      'hooks[0].beforecall is not an option (did you mean beforeCall?)',
      [{ name: 'x', beforecall() {}, afterCall() {} }],
    ],
    ['hooks[0].name is missing', [{ beforeCall() {} }]],
    ['hooks[0].beforeCall is not valid (expected a function, got true)', [{ name: 'x', beforeCall: true }]],
    ['hooks[0].on is not valid (expected "beforeCall"', [{ ...program(''), on: 'before' }]],
    [
      'hooks[0].timeoutMs is not valid (expected a number above 0 up to 30000, got 0)',
      [{ name: 'x', beforeCall() {}, timeoutMs: 0 }],
    ],
  ])('rejects invalid hooks: %s', (message, hooks) => {
    expect(() => createHooks(hooks as never, { processes: sandbox as ProcessRunner, cwd: '/' })).toThrow(message);
    expect(() => createHooks([program('')])).toThrow('expected the options processes and cwd');
  });
});
