import {
  createDispatcher,
  defineCliTool,
  defineTool,
  renderForModel,
  ToolRegistry,
  type AnyTool,
  type ToolEvent,
} from '@haft/core';
import { runAgent, createSpecializedLoop } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { repairJson } from '@haft/repair';
import * as processes from '@haft/sandbox';
import { compileSchema } from '@haft/schema';
import { expect } from 'vitest';
import { around } from './pagantic/around.ts';
import { walkFeatures } from './walk-features.ts';

const input = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
} as const;
const double = defineTool({
  name: 'double_number',
  description: 'Doubles.',
  kind: 'read',
  input,
  execute: ({ n }) => String(n * 2),
});
const make = (extra: object): AnyTool =>
  defineTool({ name: 'work', description: 'Works.', kind: 'read', execute: () => 'done', ...extra }) as AnyTool;
const call = (name: string, args: unknown = {}) => ({ id: 'c1', name, arguments: args });
const calling = (name: string, args: unknown = {}) => scriptedModel([{ calls: [{ name, arguments: args }] }, 'End.']);

walkFeatures({
  system: 'pagantic',
  letter: 'P',
  count: 28,
  maxMissing: 0,
  shown: {
    P1: [
      'calls run only through dispatch',
      async () =>
        expect(
          renderForModel(await createDispatcher({ registry: [double] }).dispatch(call('double_number', { n: 2 }))),
        ).toBe('4'),
    ],
    P2: [
      'a tool says its name, type and description once',
      () => {
        const cli = defineCliTool({ name: 'list_files', description: 'Lists.', command: 'ls', processes });
        expect([double.type, cli.type, cli.name]).toEqual(['native', 'cli', 'list_files']);
      },
    ],
    P3: [
      'a body has a signal, a deadline and a call id',
      async () => {
        const tool = make({
          execute: (
            _args: unknown,
            { signal, deadline, callId }: { signal: AbortSignal; deadline: number; callId: string },
          ) => `${signal.aborted} ${deadline > 0} ${callId}`,
        });
        expect(renderForModel(await createDispatcher({ registry: [tool] }).dispatch(call('work')))).toBe(
          'false true c1',
        );
      },
    ],
    P4: [
      'a schema may use more than a subset',
      () => {
        const schema = compileSchema({
          type: 'object',
          properties: { a: { enum: [1, 'x'] }, b: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
        });
        expect(schema.validate({ a: 1, b: null })).toMatchObject({ ok: true });
        expect(schema.validate({ a: 2 })).toMatchObject({ ok: false });
      },
    ],
    P5: [
      'names are validated, and integers are distinguished',
      () => {
        expect(() => make({ name: 'Bad Name' })).toThrow(/must match/);
        expect([compileSchema(input).validate({ n: 1 }), compileSchema(input).validate({ n: 1.5 })]).toMatchObject([
          { ok: true },
          { ok: false },
        ]);
      },
    ],
    P6: [
      'availability is checked at every listing, and a table gives the reasons',
      async () => {
        let ready = false;
        const registry = new ToolRegistry({ tools: [make({ available: () => ready || { reason: 'no key' } })] });
        expect([(await registry.definitions()).length, registry.allDefinitions().length]).toEqual([0, 1]);
        expect(await registry.checkAvailability()).toMatchObject([
          { name: 'work', available: false, reason: 'no key' },
        ]);
        ready = true;
        expect(await registry.definitions()).toHaveLength(1);
      },
    ],
    P7: [
      'two tools of one name shadow one another with a report, and the first is restored on removal',
      () => {
        const registry = new ToolRegistry({ tools: [make({ provider: 'a' }), make({ provider: 'b' })] });
        expect(registry.shadows()).toMatchObject([{ name: 'work', hidden: 'a', by: 'b' }]);
        registry.unregister('work');
        expect(registry.providerFor('work')).toBe('a');
      },
    ],
    P8: [
      'a listed tool still runs after it has become unavailable',
      async () => {
        let ready = true;
        const source = createDispatcher({
          registry: [make({ available: () => ready || { reason: 'gone' } })],
        });
        const snapshot = await source.visibleTo({ name: 'm' });
        ready = false;
        expect((await source.dispatch(call('work'), { snapshot })).ok).toBe(true);
      },
    ],
    P9: [
      'if that is not wanted, the error is TOOL_UNAVAILABLE',
      async () => {
        const registry = [make({ available: () => ({ reason: 'no key' }) })];
        expect(await createDispatcher({ registry, unavailable: 'reject' }).dispatch(call('work'))).toMatchObject({
          error: { code: 'TOOL_UNAVAILABLE' },
        });
      },
    ],
    P10: [
      'a program is available while it is on the PATH',
      async () => {
        const tool = defineCliTool({
          name: 'run_it',
          description: 'Runs.',
          command: 'no-such-program-anywhere',
          processes,
        });
        expect(await tool.available?.()).toMatchObject({
          reason: expect.stringContaining('not found in PATH') as string,
        });
      },
    ],
    P11: [
      'a registry and an observer make an executor, whose failures are content',
      async () => {
        const result = await createDispatcher({ registry: [double], observer: () => undefined }).dispatch(
          call('double_number', { n: 'x' }),
        );
        expect(renderForModel(result)).toMatch(/^Error INVALID_ARGS/);
      },
    ],
    P12: [
      'a call that is cancelled before its start does not run, and observers are notified',
      async () => {
        const events: string[] = [];
        let ran = false;
        const source = createDispatcher({
          registry: [make({ execute: () => void (ran = true) })],
          observer: ({ action }) => void events.push(action),
        });
        expect(await source.dispatch(call('work'), { signal: AbortSignal.abort() })).toMatchObject({
          error: { code: 'ABORTED' },
        });
        expect([ran, events]).toEqual([false, ['execute_start', 'execute_cancelled']]);
      },
    ],
    P13: [
      'events carry the arguments without secrets, and a panic becomes a result',
      async () => {
        const events: ToolEvent[] = [];
        const tool = make({
          input: { type: 'object' },
          execute: () => {
            throw new Error('x');
          },
        });
        const result = await createDispatcher({
          registry: [tool],
          observer: (event) => void events.push(event),
        }).dispatch(call('work', { api_key: 'abcdef123456' }));
        expect(result).toMatchObject({ ok: false, error: { fault: 'host' } });
        expect(JSON.stringify(events.map(({ data }) => data.args))).not.toContain('abcdef123456');
      },
    ],
    P14: [
      'the loop uses the same pipeline as a single call',
      async () => {
        const actions: string[] = [];
        await runAgent({
          model: calling('double_number', { n: 1 }),
          tools: [double],
          prompt: 'x',
          observer: ({ action }) => void actions.push(action),
        });
        expect(actions).toEqual(['execute_start', 'execute_end']);
      },
    ],
    P15: [
      'ids link the answer of a model to its calls and their results',
      async () => {
        const { calls } = await runAgent({ model: calling('double_number', { n: 1 }), tools: [double], prompt: 'x' });
        expect(calls[0]?.result.callId).toBe(calls[0]?.call.id);
      },
    ],
    P16: [
      'the loop has a system prompt, a limit and an observer, and receives results',
      async () => {
        const names: string[] = [];
        const model = calling('double_number', { n: 1 });
        await runAgent({
          model,
          tools: [double],
          prompt: 'x',
          systemPrompt: 'Be brief.',
          maxToolIterations: 0,
          onToolResult: ({ name }) => void names.push(name),
        });
        expect([model.requests[0]?.messages[0], names]).toEqual([
          { role: 'system', content: 'Be brief.' },
          ['double_number'],
        ]);
      },
    ],
    P17: [
      'the results of the last allowed turn are kept',
      async () => {
        const run = await runAgent({
          model: calling('double_number', { n: 3 }),
          tools: [double],
          prompt: 'x',
          maxToolIterations: 1,
        });
        expect([run.stopReason, run.calls[0]?.result.ok, run.text]).toEqual(['limit', true, 'End.']);
      },
    ],
    P18: [
      'all calls of a turn are answered, errors as text',
      async () => {
        const model = scriptedModel([
          { calls: [{ name: 'double_number', arguments: { n: 1 } }, { name: 'nothing' }] },
          'End.',
        ]);
        const { calls } = await runAgent({ model, tools: [double], prompt: 'x' });
        expect(calls.map(({ result }) => result.ok)).toEqual([true, false]);
      },
    ],
    P19: [
      'a loop with tools, then an answer with a schema',
      async () => {
        expect(typeof createSpecializedLoop).toBe('function');
        const run = await runAgent({
          model: scriptedModel([{ calls: [{ name: 'double_number', arguments: { n: 1 } }] }, 'Two.', '{"n": 2}']),
          tools: [double],
          prompt: 'x',
          output: { schema: input, strategy: 'two-phase' },
        });
        expect(run.output).toEqual({ n: 2 });
      },
    ],
    P20: [
      'a damaged structured answer is repaired and validated',
      async () => {
        const run = await runAgent({ model: scriptedModel(['{n: "2",}']), prompt: 'x', output: { schema: input } });
        expect(run.output).toEqual({ n: 2 });
      },
    ],
    P21: [
      'missing closers are added',
      () => expect(repairJson('{"a": [1, 2')).toMatchObject({ ok: true, value: { a: [1, 2] } }),
    ],
    P22: [
      'only the case of an enum value is corrected',
      () => {
        const schema = compileSchema({ type: 'object', properties: { unit: { enum: ['Celsius', 'Kelvin'] } } });
        expect([schema.validate({ unit: 'celsius' }), schema.validate({ unit: 'cel' })]).toMatchObject([
          { ok: true, value: { unit: 'Celsius' } },
          { ok: false },
        ]);
      },
    ],
    P23: [
      'issues have paths, and 1.0 is an integer',
      () => {
        const schema = compileSchema({
          type: 'object',
          properties: { a: { type: 'array', items: { type: 'integer' } } },
        });
        expect([schema.validate({ a: [1, 1.5] }), schema.validate({ a: [1.0] })]).toMatchObject([
          { ok: false, issues: [{ path: '$.a[1]' }] },
          { ok: true },
        ]);
      },
    ],
    P24: [
      'only idempotent calls are retried',
      async () => {
        const tries = async (idempotent: boolean): Promise<number> => {
          let count = 0;
          const tool = defineTool({
            name: 'work',
            description: 'Works.',
            kind: 'read',
            traits: { readOnly: idempotent, idempotent },
            execute: (_args, { callId }) => (
              (count += 1),
              {
                ok: false,
                callId,
                content: [],
                effects: [],
                metadata: {},
                advisories: [],
                error: { code: 'TIMEOUT', fault: 'world', retryable: true, message: 'late' },
              }
            ),
          });
          await createDispatcher({
            registry: [tool],
            retries: { max: 2, delayMs: 1 },
            permission: { ask: () => ({ action: 'allow' }) },
          } as never).dispatch(call('work'));
          return count;
        };
        expect((await tries(true)) > 1).toBe(true);
        expect(await tries(false)).toBe(1);
      },
    ],
    P25: [
      "the schema is checked first, then the tool's own check, before anything runs",
      async () => {
        let ran = false;
        const tool = make({
          input,
          check: () => [
            { path: '$.n', code: 'custom', expected: 'an odd number', received: 'number 2', message: 'must be odd' },
          ],
          execute: () => void (ran = true),
        });
        const result = await createDispatcher({ registry: [tool] }).dispatch(call('work', { n: 2 }));
        expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS', issues: [{ path: '$.n' }] } });
        expect(ran).toBe(false);
      },
    ],
    P27: [
      'an error has a fault and a retry flag, and a run can be limited to some tools',
      async () => {
        const run = await runAgent({
          model: calling('double_number', { n: 1 }),
          tools: [double],
          prompt: 'x',
          allow: { tools: ['other'] },
        });
        expect(run.calls[0]?.result).toMatchObject({
          ok: false,
          error: { fault: expect.any(String) as string, retryable: expect.any(Boolean) as boolean },
        });
      },
    ],
    ...around,
  },
  missing: {},
});
