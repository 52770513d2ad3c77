import {
  allowAll,
  createDispatcher,
  decodeArgs,
  defineTool,
  failure,
  MemoryDescriptionStore,
  redactText,
  renderForModel,
  success,
  ToolRegistry,
  transient,
  validation,
  type AnyTool,
  type ToolEvent,
} from '@haft/core';
import { extractToolCalls, repairJson } from '@haft/repair';
import { compileSchema, schemaFor } from '@haft/schema';
import { expect } from 'vitest';
import { builtins } from './zarlmono/builtins.ts';
import { contract } from './zarlmono/contract.ts';
import { dynamic } from './zarlmono/dynamic.ts';
import { loop } from './zarlmono/loop.ts';
import { walkFeatures } from './walk-features.ts';

const make = (extra: object = {}): AnyTool =>
  defineTool({ name: 'work', description: 'Works.', kind: 'read', execute: () => 'done', ...extra }) as AnyTool;
const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
const call = (name: string, args: unknown = {}) => ({ id: 'c1', name, arguments: args });

walkFeatures({
  system: 'zarlmono',
  letter: 'Z',
  count: 103,
  maxMissing: 0,
  shown: {
    Z1: [
      "a tool's message, including a failure, is in its result",
      async () => {
        const source = createDispatcher({
          registry: [
            make({
              execute: () => {
                throw new Error('x');
              },
            }),
          ],
        });
        expect((await source.dispatch(call('work'))).ok).toBe(false);
      },
    ],
    Z2: [
      'a tool declares what it may change, or it is derived',
      () => {
        expect(make().traits).toMatchObject({ readOnly: true, sideEffects: 'read' });
        expect(make({ kind: 'edit' }).traits.readOnly).toBe(false);
      },
    ],
    Z5: [
      'expected one of constructors for success, failure, a mistake of the model and a failure of the world',
      () => {
        expect([success('c', 'x').ok, failure('c', validation('read', 'no path')).ok]).toEqual([true, false]);
        expect([validation('a', 'b').fault, transient('a', new Error('b')).fault]).toEqual(['model', 'world']);
      },
    ],
    Z7: [
      'the cause of an error is hidden from the model',
      () => {
        const text = renderForModel(
          failure('c', { ...transient('fetch', new Error('refused')), cause: new Error('secret') }),
        );
        expect(text).toContain('refused');
        expect(text).not.toContain('secret');
      },
    ],
    Z8: [
      'arguments are read leniently',
      () => {
        const schema = compileSchema({ type: 'object', properties: { n: { type: 'number' }, b: { type: 'boolean' } } });
        expect(schema.validate({ n: '5', b: 'true' })).toMatchObject({ ok: true, value: { n: 5, b: true } });
      },
    ],
    Z10: [
      'secrets in text are masked',
      () => expect(redactText('Authorization: Bearer abcdefghijklmnop0123456789')).not.toContain('abcdefghijklmnop'),
    ],
    Z11: [
      'a schema has a JSON Schema, and arguments go through the repairer',
      () => {
        expect(schemaFor(input)).toMatchObject({ type: 'object' });
        expect(decodeArgs(input, { arguments: "{text: 'a',}" })).toMatchObject({ ok: true, value: { text: 'a' } });
      },
    ],
    Z13: [
      'a tool consists of a schema and a typed body',
      async () => {
        const tool = defineTool({
          name: 'work',
          description: 'Works.',
          kind: 'read',
          input,
          execute: ({ text }) => text.toUpperCase(),
        });
        expect(renderForModel(await createDispatcher({ registry: [tool] }).dispatch(call('work', { text: 'a' })))).toBe(
          'A',
        );
      },
    ],
    Z14: [
      'a schema keeps unknown keywords and the order of its properties',
      () => {
        const schema = schemaFor({ type: 'object', properties: { b: { 'x-note': 1 }, a: {} } });
        expect(JSON.stringify(schema)).toMatch(/"b".*x-note.*"a"/);
      },
    ],
    Z15: [
      'unions of types and boolean schemas are kept',
      () => {
        const schema = compileSchema({ type: 'object', properties: { a: { type: ['string', 'null'] }, b: false } });
        expect([schema.validate({ a: null }), schema.validate({ b: 1 })]).toMatchObject([{ ok: true }, { ok: false }]);
      },
    ],
    Z16: [
      'the last registration wins',
      () => {
        const registry = new ToolRegistry({ tools: [make({ description: 'Old.' })] });
        registry.register(make({ description: 'New.' }));
        expect(registry.get('work')?.description).toBe('New.');
      },
    ],
    Z17: [
      'a group is cleared without affecting others',
      () => {
        const registry = new ToolRegistry({ tools: [make()] });
        registry.registerWithProvider(make({ name: 'other' }), 'dynamic/x');
        expect([registry.unregisterProvider('dynamic'), registry.names]).toEqual([1, ['work']]);
      },
    ],
    Z18: [
      'a snapshot never changes, and the next one includes later changes',
      () => {
        const registry = new ToolRegistry();
        const before = registry.snapshot();
        registry.register(make());
        expect([before.names, registry.snapshot().names]).toEqual([[], ['work']]);
      },
    ],
    Z19: [
      'every change creates a version, and tools are sorted by name',
      () => {
        const registry = new ToolRegistry({ tools: [make({ name: 'b' }), make({ name: 'a' })] });
        const { version } = registry;
        registry.unregister('nothing');
        expect([registry.version === version, registry.snapshot().names]).toEqual([true, ['a', 'b']]);
      },
    ],
    Z20: [
      'an invalid tool is rejected at registration',
      () =>
        expect(() => new ToolRegistry({ tools: [{} as AnyTool] })).toThrow(
          expect.objectContaining({ code: 'INVALID_TOOL' }) as Error,
        ),
    ],
    Z21: [
      'an unknown name is answered with the nearest names',
      async () => {
        expect(renderForModel(await createDispatcher({ registry: [make()] }).dispatch(call('wrok')))).toMatch(
          /TOOL_NOT_FOUND[^]*work/,
        );
      },
    ],
    Z23: [
      'no tool replaces one that manages others',
      () => {
        const registry = new ToolRegistry();
        registry.batch((draft) => draft.registerLifecycle(make({ description: 'Real.' })));
        registry.registerWithProvider(make({ description: 'False.' }), 'dynamic/x');
        expect(registry.get('work')?.description).toBe('Real.');
      },
    ],
    Z24: [
      'a description is replaced while the program runs',
      async () => {
        const descriptions = new MemoryDescriptionStore();
        const registry = new ToolRegistry({ tools: [make()], descriptions });
        await descriptions.set('work', 'Works hard.');
        expect(registry.snapshot().get('work')?.description).toBe('Works hard.');
      },
    ],
    Z29: [
      'valid text stays unchanged, and repairs are reported',
      () => {
        expect(repairJson('{"a":1}')).toMatchObject({ ok: true, repairs: [] });
        expect(repairJson('{"a":1,}')).toMatchObject({ ok: true, value: { a: 1 }, risk: 'safe' });
      },
    ],
    Z30: [
      'every step of the cascade exists, and none changes a string',
      () => {
        for (const [text, value] of [
          ['  {"a":"x"} ', { a: 'x' }],
          ['{"a":"x\ny"}', { a: 'x\ny' }],
          ['{"t":"x,}",}', { t: 'x,}' }],
          ["{'a':'b'}", { a: 'b' }],
          ['{a:1,b:2}', { a: 1, b: 2 }],
          ['{"a":{"b":[1', { a: { b: [1] } }],
        ] as const)
          expect(repairJson(text)).toMatchObject({ ok: true, value });
      },
    ],
    Z31: [
      'unreadable arguments are explained to the model',
      async () => {
        const result = await createDispatcher({ registry: [make({ input })] }).dispatch(
          call('work', 'not json at all ]['),
        );
        expect(result).toMatchObject({ ok: false, error: { fault: 'model', hint: expect.any(String) as string } });
      },
    ],
    Z32: [
      'comments, Python constants, smart quotes and missing commas are read',
      () => {
        expect(repairJson('{"a": True, /* no */ “b”: None "c": 1}')).toMatchObject({
          ok: true,
          value: { a: true, b: null, c: 1 },
        });
      },
    ],
    Z33: [
      'an inner object is never returned as the outer one',
      () => {
        const repaired = repairJson('{"path":"x","opts":{"a":1}, bad}');
        expect(repaired.ok ? repaired.value : {}).not.toEqual({ a: 1 });
      },
    ],
    Z34: [
      'truncated arguments never run',
      async () => {
        let ran = false;
        const tool = make({ input, kind: 'edit', execute: () => void (ran = true) });
        const source = createDispatcher({ registry: [tool], permission: allowAll });
        expect(await source.dispatch({ ...call('work', '{"text":"/foo/ba'), stopped: 'length' })).toMatchObject({
          error: { code: 'TRUNCATED_ARGS' },
        });
        expect(ran).toBe(false);
      },
    ],
    Z37: [
      'calls in text are found in tags, in fences and as the whole text',
      () => {
        const body = '{"name": "work", "arguments": {"text": "a"}}';
        for (const text of [
          `<tool_call>${body}</tool_call>`,
          `<tool_call>${body}`,
          `\`\`\`json\n${body}\n\`\`\``,
          body,
        ])
          expect(extractToolCalls(text, { tools: [{ name: 'work' }] }).calls).toMatchObject([{ name: 'work' }]);
      },
    ],
    Z43: [
      'the error for unreadable arguments shows their beginning and end',
      async () => {
        const events: ToolEvent[] = [];
        await createDispatcher({ registry: [make({ input })], observer: (event) => void events.push(event) }).dispatch(
          call('work', '{{{'),
        );
        expect(events.map(({ action }) => action)).toEqual(['execute_start', 'execute_end']);
      },
    ],
    ...contract,
    ...loop,
    ...dynamic,
    ...builtins,
  },
  decided: {
    Z72: ['0010-what-is-not-carried-over.md', /Binaries built by the model/],
    Z93: ['0010-what-is-not-carried-over.md', /Code search/],
  },
  missing: {},
});
