import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDispatcher, defineTool, type AnyTool, type PermissionEngine, type ToolEvent } from '@haft/core';
import { runAgent } from '../index.ts';
import { scriptedModel, type ScriptedCall, type ScriptedTurn } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

const schema = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
} as const;
const make = (
  name: string,
  kind: 'read' | 'edit',
  execute: (args: { n: number }) => unknown,
  timeoutMs = 1_000,
): AnyTool => defineTool({ name, description: 'Works.', kind, input: schema, timeoutMs, execute }) as AnyTool;

const tools = [
  make('read_now', 'read', ({ n }) => `read ${n}`),
  make('read_later', 'read', async ({ n }) => {
    await new Promise((resolve) => setTimeout(resolve, n % 3));
    return { n };
  }),
  make('write', 'edit', ({ n }) => `wrote ${n}`),
  make('throw', 'read', () => {
    throw new Error('thrown');
  }),
  make('reject', 'edit', () => Promise.reject(new Error('rejected'))),
  make('never', 'read', () => new Promise(() => {}), 3),
  make('denied', 'edit', () => 'never'),
];

const permission: PermissionEngine = {
  ask: ({ tool }) =>
    tool === 'denied' ? { action: 'deny', denial: { source: 'rule', reason: 'no' } } : { action: 'allow' },
};

const call: fc.Arbitrary<ScriptedCall> = fc.record(
  {
    name: fc.constantFrom(...tools.map((tool) => tool.name), 'no_such', 'no such tool!', ''),
    id: fc.constantFrom('', 'a', 'b', 'c', ' '),
    arguments: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 9 }).map((n) => ({ n })) },
      fc.constantFrom(
        '{n: 1}',
        "{'n': 2,}",
        '{"n": 3',
        '{"n":',
        '',
        '[]',
        '"x"',
        'not json',
        '{"n": "x"}',
        '{"__proto__": {"n": 1}}',
        'null',
      ),
      fc.string(),
    ),
    cut: fc.boolean(),
  },
  { requiredKeys: ['name'] },
);

const turn: fc.Arbitrary<ScriptedTurn> = fc.record(
  {
    text: fc.constantFrom('', 'Words.', '<tool_call>{"name": "write", "arguments": {"n": 1}}</tool_call>'),
    calls: fc.array(call, { minLength: 1, maxLength: 6 }),
    finishReason: fc.constantFrom('stop', 'tool-calls', 'length', 'content-filter', 'unknown'),
  },
  { requiredKeys: ['calls'] },
);

describe('a run with arbitrary calls', () => {
  it('answers every call exactly once, in order, and sends only paired conversations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('continue', 'skip', 'stop'),
        fc.constantFrom('leases', 'reads-then-writes', 'parallelizable', 'serial'),
        fc.integer({ min: 1, max: 4 }),
        async (turns, onDenied, mode, maxToolIterations) => {
          const model = scriptedModel([...turns, 'Done.', 'Done.']);
          const started: string[] = [];
          const ended: string[] = [];
          const received: string[] = [];
          const observer = ({ action, data }: ToolEvent): void => {
            if (action === 'execute_start') started.push(data.callId);
            if (action === 'execute_end' || action === 'execute_cancelled') ended.push(data.callId);
          };
          const result = await runAgent({
            model,
            tools: createDispatcher({ registry: tools, permission, observer, cancelGraceMs: 1 }),
            prompt: 'Go',
            onDenied,
            mode,
            maxToolIterations,
            onToolResult: (each) => received.push(each.callId),
          });
          expectPaired(result.messages);
          for (const request of model.requests) expectPaired(request.messages);
          const called = turns
            .slice(0, model.requests.length)
            .flatMap((each) => (typeof each === 'object' ? each.calls! : []));
          expect(result.calls).toHaveLength(called.length);
          expect([...received].sort()).toEqual(result.calls.map((each) => each.call.id).sort());
          expect(result.calls.every((each) => each.result.callId === each.call.id)).toBe(true);
          expect(result.calls.map((each) => each.result.name)).toEqual(called.map((each) => each.name));
          expect([...ended].sort()).toEqual([...started].sort());
          expect(new Set(started).size).toBe(started.length);
          for (const message of result.messages) {
            if (message.role !== 'assistant') continue;
            for (const { name, arguments: args } of message.toolCalls ?? []) {
              expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
              expect(Object.prototype.toString.call(args)).toBe('[object Object]');
              expect(JSON.parse(JSON.stringify(args))).toEqual(args);
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  }, 60_000);
});
