import { describe, expect, it } from 'vitest';
import { allowAll } from '../workspace/permission-engines.ts';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { defineTool, eraseTool } from '../define/define-tool.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import { silentLogger } from '../contracts/workspace/session.ts';
import { createHookPipeline } from './create-hook-pipeline.ts';
import type { HookName, HookSet } from './hook-set.ts';

type Asked = (...given: readonly never[]) => unknown;

function hookSet(owner: string, hooks: Partial<Record<HookName, Asked>>, more: Partial<HookSet> = {}): HookSet {
  return {
    owner,
    tools: undefined,
    required: true,
    timeoutMs: 5_000,
    names: Object.keys(hooks) as HookName[],
    ask: async (name, given) => hooks[name]!(...(given as never[])),
    ...more,
  };
}

const ran: unknown[] = [];

async function call(sets: readonly HookSet[], args: unknown = { n: 1 }, body?: () => unknown): Promise<ToolResult> {
  ran.length = 0;
  const registry = new ToolRegistry();
  const tool = defineTool({
    name: 'act',
    description: 'Acts.',
    input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    execute: (given) => {
      ran.push(given);
      return body ? (body() as string) : `ran with ${JSON.stringify(given)}`;
    },
  });
  registry.register(eraseTool(tool));
  const pipeline = createHookPipeline('hooks', () => sets, silentLogger);
  const dispatcher = createDispatcher({ registry, permission: allowAll, middleware: [pipeline] });
  return dispatcher.dispatch({ id: 'c', name: 'act', arguments: args }, { runId: 'r', turn: 3, sessionId: 's' });
}

describe('hooks before a call', () => {
  it('receive the call, and allow it if they return nothing', async () => {
    const seen: unknown[] = [];
    const result = await call([hookSet('a', { beforeCall: (given) => void seen.push(given) })], { n: '1' });
    expect(renderForModel(result)).toBe('ran with {"n":1}');
    expect(seen).toEqual([
      { id: 'c', name: 'act', provider: 'local', arguments: { n: 1 }, sessionId: 's', runId: 'r', turn: 3 },
    ]);
  });

  it('deny the call, and the tool does not run', async () => {
    const result = await call([hookSet('the plugin guard', { beforeCall: () => ({ deny: 'not on Sundays' }) })]);
    expect(ran).toEqual([]);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'PERMISSION_DENIED', fault: 'policy', denial: { source: 'hook', reason: 'not on Sundays' } },
    });
    expect(renderForModel(result)).toContain('the plugin guard: not on Sundays');
  });

  it('rewrite the arguments, and each hook receives the validated arguments of the previous one', async () => {
    const seen: unknown[] = [];
    const result = await call([
      hookSet('a', { beforeCall: () => ({ arguments: { n: '7' } }) }),
      hookSet('b', { beforeCall: (given: { arguments: unknown }) => void seen.push(given.arguments) }),
    ]);
    expect(seen).toEqual([{ n: 7 }]);
    expect(renderForModel(result)).toBe('ran with {"n":7}');
  });

  it('fail if they return invalid arguments', async () => {
    const result = await call([hookSet('the plugin odd', { beforeCall: () => ({ arguments: { n: 'many' } }) })]);
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ ok: false, error: { code: 'PLUGIN_FAILED', fault: 'host' } });
    expect(!result.ok && result.error.message).toContain('$.n');
  });

  it('run only for the tools that they name', async () => {
    const deny = { beforeCall: () => ({ deny: 'no' }) };
    expect((await call([hookSet('a', deny, { tools: ['other'] })])).ok).toBe(true);
    expect((await call([hookSet('a', deny, { tools: ['act'] })])).ok).toBe(false);
  });

  it.each<readonly [string, Asked]>([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['throws what is no error', () => Promise.reject(null)],
    ['never answers', () => new Promise(() => {})],
    ['misspells its no', () => ({ denied: 'no' })],
    ['says both', () => ({ deny: 'no', arguments: { n: 1 } })],
    ['says yes in its own way', () => true],
    ['returns an unreadable answer', () => [revoked()]],
  ])('deny the call if a hook fails: it %s', async (_, beforeCall) => {
    const failing = hookSet('a', { beforeCall }, { timeoutMs: 30 });
    const result = await call([failing]);
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ ok: false, error: { code: 'PLUGIN_FAILED' } });
    expect((await call([{ ...failing, required: false }])).ok).toBe(true);
  });

  it('do not run for lifecycle tools', async () => {
    const registry = new ToolRegistry();
    const reload = defineTool({
      name: 'reload',
      description: 'Reloads.',
      input: { type: 'object' },
      execute: () => 'done',
    });
    registry.batch((draft) => draft.registerLifecycle(eraseTool(reload)));
    const pipeline = createHookPipeline(
      'hooks',
      () => [hookSet('a', { beforeCall: () => ({ deny: 'no' }) })],
      silentLogger,
    );
    const dispatcher = createDispatcher({ registry, permission: allowAll, middleware: [pipeline] });
    expect((await dispatcher.dispatch({ id: 'c', name: 'reload', arguments: {} })).ok).toBe(true);
  });
});

describe('hooks after a call', () => {
  const secret = (): unknown => ({
    ok: true,
    callId: '',
    name: '',
    content: [{ type: 'text', text: 'key=123' }],
    summary: 'key=123',
    structured: { key: 123 },
    metadata: { key: 123 },
    advisories: ['key=123'],
    effects: [{ kind: 'file', path: '/a', op: 'modify' }],
    startedAt: 0,
    durationMs: 0,
  });

  it('replace all content of the result with a text, in reverse order', async () => {
    const order: unknown[] = [];
    const hide =
      (name: string): Asked =>
      (_, result: { text: string }) => {
        order.push([name, result.text]);
        return { text: `${name} hid it` };
      };
    const result = await call(
      [hookSet('a', { afterCall: hide('a') }), hookSet('b', { afterCall: hide('b') })],
      undefined,
      secret,
    );
    expect(order).toEqual([
      ['b', expect.stringContaining('key=123')],
      ['a', 'b hid it'],
    ]);
    expect(renderForModel(result)).toBe('a hid it');
    expect(JSON.stringify({ ...result, arguments: null, startedAt: 0 })).not.toContain('123');
    expect(result.effects).toHaveLength(1);
  });

  it('keep a failure as a failure, with its code', async () => {
    const result = await call([hookSet('a', { afterCall: () => ({ text: 'it did not work' }) })], undefined, () => {
      throw new Error('key=123');
    });
    expect(result).toMatchObject({ ok: false, error: { code: 'EXECUTION_ERROR', message: 'it did not work' } });
    expect(JSON.stringify({ ...result, arguments: null, startedAt: 0 })).not.toContain('123');
  });

  it.each<readonly [string, Asked, string]>([
    ['refuse', () => ({ deny: 'it holds a key' }), 'PERMISSION_DENIED'],
    ['fail', () => Promise.reject(new Error('broken')), 'PLUGIN_FAILED'],
  ])('withhold the result when they %s, and say that the tool has run', async (_, afterCall, code) => {
    const result = await call([hookSet('a', { afterCall })], undefined, secret);
    expect(ran).toHaveLength(1);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(renderForModel(result)).toContain('has run');
    expect(JSON.stringify({ ...result, arguments: null, startedAt: 0 })).not.toContain('123');
    expect(result.effects).toHaveLength(1);
  });
});

describe('hooks around a turn', () => {
  const turn = {
    runId: 'r',
    turn: 1,
    modelName: 'm',
    messages: Array.from({ length: 30 }, (_, index) => ({
      role: 'user' as const,
      content: `${index} ${'x'.repeat(20_000)}`,
    })),
  };
  const pipeline = (...sets: readonly HookSet[]): ReturnType<typeof createHookPipeline> =>
    createHookPipeline('hooks', () => sets, silentLogger);

  it('receive the end of the conversation as data that can be serialized', async () => {
    const seen: { messages: { text: string }[] }[] = [];
    await pipeline(hookSet('a', { beforeTurn: (given) => void seen.push(given) })).beforeTurn!(turn);
    expect(seen[0]!.messages).toHaveLength(20);
    expect(seen[0]!.messages[0]!.text).toMatch(/^10 x/);
    expect(seen[0]!.messages[0]!.text).toHaveLength(10_000);
  });

  it('add notes, change the answer or end the run', async () => {
    const notes = pipeline(
      hookSet('a', { beforeTurn: () => ({ note: 'one' }) }),
      hookSet('b', {
        beforeTurn: () => ({ note: 'two' }),
        afterTurn: (_: never, { text }: { text: string }) => ({ text: `${text}!` }),
      }),
    );
    expect(await notes.beforeTurn!(turn)).toEqual({ note: 'one\ntwo' });
    const outcome = { text: 'so', finishReason: 'stop' as const, calls: [] };
    expect(await notes.afterTurn!(turn, outcome)).toEqual({ text: 'so!' });
    const denies = pipeline(hookSet('a', { beforeTurn: () => ({ deny: 'enough' }) }));
    expect(await denies.beforeTurn!(turn)).toEqual({ deny: 'a ended the run: enough' });
    await expect(pipeline(hookSet('a', { beforeTurn: () => 5 })).beforeTurn!(turn)).rejects.toThrow('failed');
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
