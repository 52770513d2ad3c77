import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { defineTool } from '../define/define-tool.ts';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { ToolRegistry, type RegistryChange } from './tool-registry.ts';

const tool = (name: string, more: Partial<Parameters<typeof defineTool>[0]> = {}): AnyTool =>
  defineTool({ name, description: `does ${name}`, input: { type: 'object' }, execute: () => name, ...more });

describe('ToolRegistry', () => {
  it('sorts by name and returns the same snapshot until something changes', () => {
    const registry = new ToolRegistry({ tools: [tool('b'), tool('a')] });
    const first = registry.snapshot();
    expect(first.names).toEqual(['a', 'b']);
    expect(registry.snapshot()).toBe(first);
    registry.register(tool('c'));
    expect(registry.snapshot()).not.toBe(first);
    expect(first.names).toEqual(['a', 'b']);
  });

  it('uses the last registration and restores the hidden tool', () => {
    const registry = new ToolRegistry();
    const built = tool('read');
    const plugged = tool('read');
    registry.registerWithProvider(built, 'builtin');
    registry.registerWithProvider(plugged, 'dynamic/plugin/x');
    expect(registry.get('read')).toBe(plugged);
    expect(registry.shadows()).toEqual([{ name: 'read', hidden: 'builtin', by: 'dynamic/plugin/x' }]);
    expect(registry.clear('dynamic')).toBe(1);
    expect(registry.get('read')).toBe(built);
    expect(registry.providerFor('read')).toBe('builtin');
  });

  it('replaces a tool of the same provider instead of stacking both', () => {
    const registry = new ToolRegistry();
    registry.registerWithProvider(tool('t'), 'dynamic/plugin/x');
    registry.registerWithProvider(tool('t'), 'dynamic/plugin/x');
    registry.unregister('t');
    expect(registry.has('t')).toBe(false);
  });

  it('ranks a lifecycle tool above every later registration', () => {
    const registry = new ToolRegistry();
    const real = tool('new_tool');
    registry.batch((draft) => draft.registerLifecycle(real));
    registry.registerWithProvider(tool('new_tool'), 'dynamic/plugin/impostor');
    registry.registerWithProvider(tool('new_tool'), 'builtin');
    expect(registry.get('new_tool')).toBe(real);
    expect(registry.shadows().map((shadow) => shadow.hidden)).toEqual(['dynamic/plugin/impostor', 'builtin']);
  });

  it('rejects registrations under lifecycle by name', () => {
    const registry = new ToolRegistry();
    for (const provider of ['lifecycle', 'lifecycle/x']) {
      const attempt = () => registry.registerWithProvider(tool('new_tool'), provider);
      expect(attempt).toThrow(expect.objectContaining({ code: 'RESERVED_PROVIDER' }));
    }
    expect(() => registry.register({ ...tool('a'), provider: 'lifecycle' })).toThrow(/registerLifecycle/);
  });

  it('registers a tool under its own provider', () => {
    const registry = new ToolRegistry({ tools: [tool('read', { provider: 'builtin' }), tool('mine')] });
    expect([registry.providerFor('read'), registry.providerFor('mine')]).toEqual(['builtin', 'local']);
  });

  it('clears by provider prefix without affecting similar names', () => {
    const registry = new ToolRegistry();
    registry.registerWithProvider(tool('a'), 'dynamic/mcp/git');
    registry.registerWithProvider(tool('b'), 'dynamic/mcp/github');
    registry.registerWithProvider(tool('c'), 'dynamically');
    registry.clear('dynamic/mcp/git');
    expect(registry.names).toEqual(['b', 'c']);
    registry.clear('dynamic');
    expect(registry.names).toEqual(['c']);
  });

  it('applies all changes of a batch or none, with one event', () => {
    const registry = new ToolRegistry({ tools: [tool('kept')] });
    const changes: RegistryChange[] = [];
    registry.onChange((change) => changes.push(change));
    const before = registry.snapshot();
    expect(() =>
      registry.batch((draft) => {
        draft.registerWithProvider(tool('fresh'), 'dynamic/x');
        draft.unregister('kept');
        draft.registerWithProvider({ name: 'broken' } as unknown as AnyTool, 'dynamic/x');
      }),
    ).toThrow(/broken/);
    expect(registry.snapshot()).toBe(before);
    registry.batch((draft) => {
      draft.registerWithProvider(tool('fresh'), 'dynamic/x');
      draft.registerWithProvider(tool('kept'), 'dynamic/x');
    });
    expect(changes).toEqual([{ version: registry.version, added: ['fresh'], removed: [], replaced: ['kept'] }]);
  });

  it('shows a batch its earlier changes', () => {
    const registry = new ToolRegistry();
    registry.batch((draft) => {
      draft.registerWithProvider(tool('a'), 'dynamic/x');
      draft.clear('dynamic');
      draft.registerWithProvider(tool('b'), 'dynamic/x');
    });
    expect(registry.names).toEqual(['b']);
  });

  it('handles listeners that throw, and emits nothing for batches without changes', () => {
    const registry = new ToolRegistry();
    let received = 0;
    registry.onChange(() => {
      received += 1;
      throw new Error('listener');
    });
    registry.clear('dynamic');
    expect(received).toBe(0);
    registry.register(tool('a'));
    expect([received, registry.has('a')]).toEqual([1, true]);
  });

  it('rejects duplicates only with onDuplicate "error"', () => {
    const registry = new ToolRegistry({ onDuplicate: 'error', tools: [tool('a')] });
    expect(() => registry.registerWithProvider(tool('a'), 'builtin')).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_TOOL' }),
    );
  });

  it('rejects two tools of one name and provider in one list, because the first would be lost', () => {
    const conflict = expect.objectContaining({
      code: 'DUPLICATE_TOOL',
      message: 'two of the tools are named a (expected one tool for each name)',
    });
    expect(() => new ToolRegistry({ tools: [tool('a'), tool('b'), tool('a')] })).toThrow(conflict);
    expect(() => createDispatcher({ registry: [tool('a'), tool('a')] })).toThrow(conflict);
    const registry = new ToolRegistry();
    expect(() => registry.register(tool('a'), tool('a'))).toThrow(conflict);
    expect(registry.names).toEqual([]);
    const same = tool('a');
    registry.register(same, same, { ...tool('a'), provider: 'builtin' });
    registry.register(tool('a'));
    expect(registry.shadows()).toEqual([{ name: 'a', hidden: 'builtin', by: 'local' }]);
  });

  it('rejects invalid provider paths and names', () => {
    const registry = new ToolRegistry();
    for (const path of ['', '/', 'a//b', '../x', 'a/', 'A b']) {
      expect(() => registry.registerWithProvider(tool('a'), path)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION' }),
      );
    }
    for (const name of ['', 'with space', 'dot.ted', 'ü', 'x'.repeat(65), '__proto__\n']) {
      expect(() => registry.register({ ...tool('a'), name })).toThrow(
        expect.objectContaining({ code: 'INVALID_TOOL' }),
      );
    }
  });

  it('finds nothing under names inherited from Object.prototype', () => {
    const registry = new ToolRegistry();
    expect([registry.get('constructor'), registry.has('toString'), registry.snapshot().get('__proto__')]).toEqual([
      undefined,
      false,
      undefined,
    ]);
  });

  it('applies preference, feature flag, supported models and disabled names alike in every list and in dispatch', async () => {
    const read = { kind: 'read' as const };
    const options = {
      tools: [
        tool('plain', read),
        tool('unwanted', { ...read, preference: { enabled: false } }),
        tool('flagged', read),
        tool('disabled', read),
        tool('theirs', { ...read, supportedModels: ['openai'] }),
        tool('ours', { ...read, supportedModels: ['anthropic'] }),
        tool('broken', { ...read, available: () => ({ reason: 'cable cut' }) }),
      ],
      disabledTools: ['disabled'],
      featureFlagChecker: (name: string) => name !== 'flagged',
    };
    const model = { name: 'claude-opus', vendor: 'anthropic' };
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
    const supported = ['broken', 'ours', 'plain'];
    const available = ['ours', 'plain'];

    for (const [registry, given] of [
      [new ToolRegistry(options), model],
      [new ToolRegistry({ ...options, model }), undefined],
    ] as const) {
      expect(names(registry.tools(given))).toEqual(supported);
      expect(names(registry.listReadTools(given))).toEqual(supported);
      expect(names(registry.listByKind('read', given))).toEqual(supported);
      expect(names(registry.listWriteTools(given))).toEqual([]);
      expect(names(registry.allDefinitions(given))).toEqual(supported);
      expect(names(await registry.checkAvailability(given))).toEqual(supported);
      expect(names(await registry.definitions(given))).toEqual(available);
      expect((await registry.visibleTo(model)).names).toEqual(available);

      const dispatcher = createDispatcher({ registry, permission: allowAll });
      const run = { model: { ...model, generate: async function* () {} } };
      for (const context of given ? [{ modelName: 'anthropic/claude-opus' }, run] : [{}])
        for (const name of [...registry.names, 'none']) {
          const result = await dispatcher.dispatch({ id: '1', name, arguments: {} }, context);
          const expected = available.includes(name) ? 'ok' : name === 'broken' ? 'TOOL_UNAVAILABLE' : 'TOOL_NOT_FOUND';
          expect([name, result.ok ? 'ok' : result.error.code]).toEqual([name, expected]);
        }
    }
  });

  it('applies supported models alike in every list and in dispatch if only the name of the model is known', async () => {
    const read = { kind: 'read' as const };
    const registry = new ToolRegistry({
      tools: [
        tool('by_family', { ...read, supportedModels: ['claude-*'] }),
        tool('by_vendor', { ...read, supportedModels: ['anthropic'] }),
        tool('other', { ...read, supportedModels: ['gpt-*'] }),
      ],
    });
    const dispatcher = createDispatcher({ registry, permission: allowAll });
    for (const [modelName, supported] of [
      ['claude-opus', ['by_family']],
      ['anthropic/claude-opus', ['by_family', 'by_vendor']],
      ['gpt-5', ['other']],
    ] as const) {
      const ran: string[] = [];
      for (const name of registry.names)
        if ((await dispatcher.dispatch({ id: '1', name, arguments: {} }, { modelName })).ok) ran.push(name);
      expect([ran, registry.tools({ name: modelName }).map(({ name }) => name)]).toEqual([supported, supported]);
    }
  });

  it('lets a program enable a tool that the preference of the user disables, and disable it again', () => {
    const registry = new ToolRegistry({ tools: [tool('unwanted', { preference: { enabled: false } })] });
    const before = registry.version;
    expect([registry.isEnabled('unwanted'), registry.tools().length]).toEqual([false, 0]);
    registry.enable('unwanted');
    expect([registry.isEnabled('unwanted'), registry.tools().length]).toEqual([true, 1]);
    expect(registry.version).toBeGreaterThan(before);
    registry.disable('unwanted');
    expect([registry.isEnabled('unwanted'), registry.tools().length]).toEqual([false, 0]);
  });

  it('shows a tool only if configuration, feature flag, preference, model and availability allow it', async () => {
    const flags = new Set(['off']);
    const registry = new ToolRegistry({
      tools: [
        tool('on'),
        tool('off'),
        tool('disabled'),
        tool('unwanted', { preference: { enabled: false } }),
        tool('other_model', { supportedModels: ['acme/*'] }),
        tool('missing', { available: () => ({ reason: 'no key' }) }),
        tool('throwing', {
          available: () => {
            throw new Error('boom');
          },
        }),
        tool('later', { available: async () => true as const }),
      ],
      disabledTools: ['disabled'],
      featureFlagChecker: (name) => !flags.has(name),
    });
    expect((await registry.visibleTo({ name: 'm', vendor: 'other' })).names).toEqual(['later', 'on']);
    expect((await registry.visibleTo({ name: 'm', vendor: 'acme' })).names).toEqual(['later', 'on', 'other_model']);
    expect(registry.snapshot()).toBe(registry.snapshot());
    expect(await registry.visibleTo({ name: 'm' })).toBe(await registry.visibleTo({ name: 'm' }));
    flags.clear();
    registry.enable('disabled');
    expect((await registry.visibleTo({ name: 'm' })).names).toEqual(['disabled', 'later', 'off', 'on']);
    const report = await registry.checkAvailability();
    expect(report.find((line) => line.name === 'missing')).toEqual({
      name: 'missing',
      type: 'native',
      description: 'does missing',
      available: false,
      reason: 'no key',
    });
    expect(report.find((line) => line.name === 'throwing')?.reason).toBe('boom');
  });

  it('hides only the tool whose availability check throws', async () => {
    const hostile = (value: () => unknown): (() => Promise<true>) => value as () => Promise<true>;
    const throws = (): never => {
      throw Object.create(null);
    };
    const registry = new ToolRegistry({
      tools: [
        tool('good'),
        tool('throwing', { available: hostile(throws) }),
        tool('rejecting', { available: hostile(async () => throws()) }),
        tool('answering', { available: hostile(() => Object.defineProperty({}, 'reason', { get: throws })) }),
        tool('later', { available: hostile(async () => Object.defineProperty({}, 'reason', { get: throws })) }),
      ],
    });
    expect((await registry.visibleTo({ name: 'm' })).names).toEqual(['good']);
    expect((await registry.definitions()).map(({ name }) => name)).toEqual(['good']);
  });

  it.each<[unknown, string | true]>([
    [true, true],
    ['gh is not logged in', 'gh is not logged in'],
    [{ reason: 'gh is not logged in' }, 'gh is not logged in'],
    [{ available: false, reason: 'gh is not logged in' }, 'gh is not logged in'],
    [false, 'the tool says that it is not available'],
    [undefined, 'its availability check gave no answer (expected true or { reason }, got undefined)'],
    [{ available: true }, 'its availability check gave no answer (expected true or { reason }, got an object)'],
    [new Error('no token sk-abcdefghijklmnopqrstuvwx at /home/me/app'), 'no token [redacted] at [path]'],
    [new Error(''), 'Error without a message'],
  ])('reads the answer %j of an availability check as %j', async (answer, expected) => {
    const check = () => {
      if (answer instanceof Error) throw answer;
      return answer as true;
    };
    const registry = new ToolRegistry({ tools: [tool('t', { available: check })] });
    const reason = expected === true ? undefined : expected;
    expect(await registry.checkAvailability()).toMatchObject([{ available: expected === true, reason }]);
  });

  it('checks availability for each listing unless the answer is cached', async () => {
    let asked = 0;
    let time = 0;
    const counted = tool('t', { available: () => ((asked += 1), true as const) });
    const fresh = new ToolRegistry({ tools: [counted] });
    await fresh.definitions();
    await fresh.definitions();
    expect(asked).toBe(2);
    const patient = new ToolRegistry({ tools: [counted], availabilityTtlMs: 100, now: () => time });
    await patient.definitions();
    await patient.definitions();
    expect(asked).toBe(3);
    time = 100;
    await patient.definitions();
    expect(asked).toBe(4);
  });

  it('lists tools by kind, and tools that read or write', () => {
    const registry = new ToolRegistry({
      tools: [
        tool('r', { kind: 'read' }),
        tool('e', { kind: 'edit' }),
        tool('o'),
        tool('s', { traits: { readOnly: true } }),
      ],
    });
    expect(registry.listByKind('edit').map((one) => one.name)).toEqual(['e']);
    expect(registry.listReadTools().map((one) => one.name)).toEqual(['r', 's']);
    expect(registry.listWriteTools().map((one) => one.name)).toEqual(['e', 'o']);
  });

  it('is back in its original state after other providers are registered and cleared, in any order', () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const providers = fc.constantFrom('dynamic/x', 'dynamic/y/z', 'dynamic');
    fc.assert(
      fc.property(fc.array(fc.tuple(names, providers)), (registrations) => {
        const registry = new ToolRegistry();
        const builtins = [tool('a'), tool('d')];
        for (const one of builtins) registry.registerWithProvider(one, 'builtin');
        for (const [name, provider] of registrations) registry.registerWithProvider(tool(name), provider);
        registry.clear('dynamic');
        expect(registry.snapshot().tools).toEqual(builtins);
        expect(registry.shadows()).toEqual([]);
      }),
    );
  });

  it('rejects invalid options by name', () => {
    const make = (options: unknown) => () => new ToolRegistry(options as never);
    expect(make([tool('a')])).toThrow(
      'ToolRegistry: its argument is not valid (expected an object such as { tools: [...] }, got a list)',
    );
    expect(make(null)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    expect(make({ tool: [tool('a')] })).toThrow('ToolRegistry: tool is not an option (did you mean tools?)');
    expect(make({ zzzzzzzzz: 1 })).toThrow('zzzzzzzzz is not an option (expected one of tools, disabledTools');
    expect(make({ tools: [tool('a')], other: undefined })).not.toThrow();
  });

  it.each([{}, { description: 'd', input: {} }, { input: { type: 'object' }, traits: {} }])(
    'rejects a plain object that resembles a tool (%j)',
    (more) => {
      const plain = { name: 'p', execute: () => 'x', ...more } as unknown as AnyTool;
      const refusal = expect.objectContaining({
        code: 'INVALID_TOOL',
        message: expect.stringContaining('p was not made by defineTool') as string,
      });
      expect(() => new ToolRegistry({ tools: [plain] })).toThrow(refusal);
      expect(() => new ToolRegistry().register(plain)).toThrow(refusal);
    },
  );

  it('explains how to register a list', () => {
    const tool = defineTool({ name: 'a', description: 'd', execute: () => undefined });
    expect(() => new ToolRegistry().register([tool] as never)).toThrow(/register\(\.\.\.tools\)/);
  });
});
