import {
  allowAll,
  asProviderTools,
  combineSources,
  createDispatcher,
  errorCodes,
  MemoryDescriptionStore,
  renderForModel,
  success,
  ToolRegistry,
  toolError,
  type ErrorCode,
  type ToolResult,
} from '@haft/core';
import { fileEffects, processEffects } from '@haft/core/results';
import { createToolSearch, selectByWeight } from '@haft/core/search';
import { createCatalog } from '@haft/dynamic-tools';
import { createToolCallStream, extractToolCalls } from '@haft/repair';
import { callSignature, runAgent } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { schemaFor } from '@haft/schema';
import { createStore } from '@haft/store';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { makeCall, makeTool, runTool } from '../made-tool.ts';
import type { Shown } from '../walk-features.ts';

const write = { name: 'write', parameters: { type: 'object', properties: { path: {}, text: {} } } } as const;
const read = (text: string) => extractToolCalls(text, { tools: [write, { name: 'ls' }] });

/** zarlmono's tools, schemas and registries, and how it reads calls. */
export const contract: Readonly<Record<string, Shown>> = {
  Z3: [
    'a call has an id, a name and arguments, and its events report its progress',
    async () => {
      const seen: unknown[] = [];
      await runTool(makeTool(), '{}', {
        observer: ({ action, data }) => void seen.push([action, data.callId, data.name]),
      });
      expect(seen).toEqual([
        ['execute_start', 'c1', 'work'],
        ['execute_end', 'c1', 'work'],
      ]);
    },
  ],
  Z4: [
    'a result contains the text, the effects and the duration',
    async () => {
      const effects = [
        { kind: 'file', path: 'a', op: 'create' },
        { kind: 'process', command: 'make', background: false, exitCode: 0 },
      ] as const;
      const tool = makeTool({
        kind: 'other',
        execute: (_args: unknown, { callId }: { callId: string }) =>
          success(callId, 'said', { effects, structured: { rows: 2 }, advisories: ['look again'] }),
      });
      const result = await runTool(tool, {}, { permission: allowAll });
      expect(result).toMatchObject({ ok: true, callId: 'c1', name: 'work', structured: { rows: 2 } });
      expect([fileEffects(result).length, processEffects(result)[0]?.command]).toEqual([1, 'make']);
      expect([result.startedAt > 0, result.durationMs >= 0]).toEqual([true, true]);
      expect(renderForModel(result)).toMatch(/said[^]*look again/);
    },
  ],
  Z6: [
    'every kind of error has a fault, a retry flag and a hint',
    () => {
      const kinds = {
        INVALID_ARGS: ['model', false],
        NOT_FOUND: ['model', false],
        PERMISSION_DENIED: ['policy', false],
        TIMEOUT: ['world', true],
        LIMIT_REACHED: ['policy', false],
        EXECUTION_ERROR: ['host', false],
        CHANGED_ON_DISK: ['model', false],
        ABORTED: ['cancelled', false],
      } as const satisfies Partial<Record<ErrorCode, readonly [string, boolean]>>;
      for (const [code, [fault, retryable]] of Object.entries(kinds)) {
        expect([code, errorCodes[code as ErrorCode]]).toEqual([code, { fault, retryable }]);
        const error = toolError(code as ErrorCode, 'it did not work', { hint: 'Read it again.' });
        const failed = { ...success('c'), ok: false, error } as ToolResult;
        const said = renderForModel(failed);
        expect(said).toMatch(new RegExp(`${code}[^]*Read it again\\.`));
        // Details of an internal failure are only for the operator.
        expect(said.includes('it did not work')).toBe(fault !== 'host');
      }
    },
  ],
  Z9: [
    'equal calls have equal signatures, regardless of the order of their keys',
    () => {
      const one = callSignature('a', { x: 1, y: [1, { b: 2, a: 1 }] });
      expect(callSignature('a', { y: [1, { a: 1, b: 2 }], x: 1 })).toBe(one);
      expect(callSignature('b', { x: 1, y: [1, { b: 2, a: 1 }] })).not.toBe(one);
      expect(callSignature('a', { x: 1, y: [{ b: 2, a: 1 }, 1] })).not.toBe(one);
    },
  ],
  Z12: [
    'a type supports optional keys, descriptions, enums, maps and closed objects',
    () => {
      const schema = schemaFor(
        z.strictObject({
          unit: z.enum(['a', 'b']).describe('Which one.'),
          note: z.string().optional(),
          more: z.record(z.string(), z.number()),
          when: z.iso.datetime(),
        }),
      );
      expect(schema).toMatchObject({
        additionalProperties: false,
        required: ['unit', 'more', 'when'],
        properties: {
          unit: { enum: ['a', 'b'], description: 'Which one.' },
          more: { type: 'object', additionalProperties: { type: 'number' } },
          when: { type: 'string', format: 'date-time' },
        },
      });
    },
  ],
  Z22: [
    'several sources are combined, the first takes precedence, and hidden tools are reported',
    async () => {
      const source = (answer: string, ...names: readonly string[]) =>
        createDispatcher({ registry: names.map((name) => makeTool({ name, execute: () => answer })) });
      const both = combineSources(source('first', 'a', 'b'), source('second', 'b', 'c'));
      expect([both.snapshot().names, both.shadows()]).toEqual([['a', 'b', 'c'], [{ name: 'b', hidden: 1, by: 0 }]]);
      expect(renderForModel(await both.dispatch(makeCall('b')))).toBe('first');
    },
  ],
  Z25: [
    'descriptions are loaded together, set and deleted, and only a change raises the version',
    async () => {
      const store = new MemoryDescriptionStore();
      const bumps: (readonly string[])[] = [];
      store.addBumper((names) => void bumps.push(names));
      await store.load([
        ['a', 'One.'],
        ['b', 'Two.'],
      ]);
      await store.set('a', 'One.');
      expect([await store.delete('nothing'), await store.delete('b')]).toEqual([false, true]);
      expect([store.description('a'), store.description('b'), store.revision]).toEqual(['One.', undefined, 2]);
      expect(bumps.map((names) => names.toSorted())).toEqual([['a', 'b'], ['b']]);
    },
  ],
  Z26: [
    'descriptions persist in a store',
    async () => {
      const store = await createStore({ url: 'memory:' });
      onTestFinished(() => store.close());
      const open = () => new MemoryDescriptionStore(createCatalog({ store }).descriptions);
      await open().set('work', 'Works hard.');
      const again = open();
      const registry = new ToolRegistry({ tools: [makeTool()], descriptions: again });
      await again.load();
      expect(asProviderTools(registry.snapshot())[0]?.description).toBe('Works hard.');
    },
  ],
  Z27: [
    'a tool has a preference: whether it is offered, its weight and its defaults',
    async () => {
      const input = { type: 'object', properties: { limit: { type: 'integer' } } };
      const tool = makeTool({
        input,
        preference: { overrides: { limit: 10 } },
        execute: ({ limit }: { limit: number }) => String(limit),
      });
      const off = makeTool({ name: 'off', preference: { enabled: false } });
      const source = createDispatcher({ registry: [tool, off] });
      expect((await source.visibleTo({ name: 'm' })).names).toEqual(['work']);
      const filled = await source.dispatch(makeCall('work'));
      expect([renderForModel(filled), filled.arguments?.coercions[0]?.code]).toEqual(['10', 'preference']);
      expect(renderForModel(await source.dispatch(makeCall('work', { limit: 3 })))).toBe('3');
    },
  ],
  Z28: [
    'a selector shows the heaviest tools within a budget, and the others can be found by search',
    async () => {
      const weighed = [1, 9, 5].map((weight) =>
        makeTool({ name: `w${weight}`, description: 'Long. '.repeat(200), preference: { weight } }),
      );
      const source = createToolSearch(createDispatcher({ registry: weighed }), {
        maxBytes: 3_600,
        selector: selectByWeight(),
      });
      const shown = (await source.visibleTo({ name: 'm' })).names;
      expect([shown.includes('w9'), shown.includes('w1'), shown.includes('search_tools')]).toEqual([true, false, true]);
    },
  ],
  Z35: [
    'a model never sees its own damaged arguments again',
    async () => {
      const model = scriptedModel([{ calls: [{ name: 'work', arguments: '{n: 1,}' }] }, 'x']);
      const tool = makeTool({ input: { type: 'object', properties: { n: { type: 'integer' } } } });
      await runAgent({ model, tools: [tool], prompt: 'x' });
      expect(model.requests[1]?.messages.find(({ role }) => role === 'assistant')).toMatchObject({
        toolCalls: [{ arguments: { n: 1 } }],
      });
    },
  ],
  Z36: [
    'calls are extracted from text if expected one of no structured ones, and take the same path',
    async () => {
      const ran: string[] = [];
      const tool = makeTool({
        input: { type: 'object', properties: { by: { type: 'string' } } },
        execute: ({ by }: { by: string }) => void ran.push(by),
      });
      const text = '<tool_call>{"name": "work", "arguments": {"by": "text"}}</tool_call>';
      const model = scriptedModel([{ text, calls: [{ name: 'work', arguments: { by: 'call' } }] }, text, 'x']);
      const run = await runAgent({ model, tools: [tool], prompt: 'x' });
      expect([ran, run.calls.map(({ origin }) => origin)]).toEqual([
        ['call', 'text'],
        ['structured', 'text'],
      ]);
    },
  ],
  Z38: [
    '"parameters" is accepted for "arguments", which may be JSON in a string',
    () => {
      for (const body of [
        '{"name": "write", "parameters": {"path": "a"}}',
        String.raw`{"name": "write", "arguments": "{\"path\": \"a\"}"}`,
      ])
        expect(read(`<tool_call>${body}</tool_call>`).calls).toMatchObject([
          { name: 'write', arguments: { path: 'a' } },
        ]);
    },
  ],
  Z39: [
    'lists of calls are read in tags, after prose and bare, and a stream holds back text that may become one',
    () => {
      const flat = '[{"name": "ls", "arguments": {}}, {"name": "write", "arguments": {"path": "a"}}]';
      const nested = '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "ls", "arguments": null}}]}';
      expect(read(`<tool_calls>${flat}</tool_calls>`).calls.map(({ name }) => name)).toEqual(['ls', 'write']);
      expect(read(flat).calls).toHaveLength(2);
      expect(read(nested).calls).toMatchObject([{ name: 'ls', arguments: {} }]);
      const stream = createToolCallStream({ tools: [{ name: 'ls' }], startsInReasoning: false });
      const texts = (piece: string): string =>
        stream
          .push(piece)
          .map((event) => (event.type === 'text' ? event.text : ''))
          .join('');
      expect([texts('Look. <tool'), texts('_call>{"name": "ls"')]).toEqual(['Look. ', '']);
      const rest = [...stream.push(', "arguments": {}}</tool_call>'), ...stream.end('stop')];
      expect(rest.some(({ type }) => type === 'call-ended')).toBe(true);
    },
  ],
  Z40: [
    'blocks without a call and prose remain, strings may contain tags, and unknown names are not calls',
    () => {
      const fence = '```json\n{"port": 80}\n```';
      expect(read(`Use this:\n${fence}\nDone.`)).toMatchObject({
        calls: [],
        text: expect.stringContaining(fence) as string,
      });
      const inner = '<tool_call>{"name": "write", "arguments": {"text": "a } </tool_call> b"}}</tool_call>';
      expect(read(`First.\n${inner}`)).toMatchObject({
        calls: [{ arguments: { text: 'a } </tool_call> b' } }],
        text: expect.stringMatching(/^First\./) as string,
      });
      expect(read('<tool_call>{"name": "format_disk", "arguments": {}}</tool_call>')).toMatchObject({
        calls: [],
        rejected: [{ reason: 'unknown_tool' }],
      });
    },
  ],
};
