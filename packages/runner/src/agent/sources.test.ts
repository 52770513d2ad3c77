import { describe, expect, it } from 'vitest';
import { allowAll, createDispatcher, defineTool, success, type AnyTool, type ToolSource } from '@haft/core';
import { runAgent } from '../index.ts';
import { scriptedModel } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

const act = defineTool({
  name: 'act',
  description: 'Acts.',
  kind: 'read',
  input: { type: 'object' },
  execute: () => 'acted',
}) as AnyTool;
const good = createDispatcher({ registry: [act] });
const two = { calls: [{ name: 'act' }, { name: 'act' }] };

describe('a custom tool source', () => {
  it.each([
    ['rejects', { dispatchBatch: () => Promise.reject(new Error('broken')) }, [false, false]],
    [
      'throws',
      {
        dispatchBatch: () => {
          throw new Error('broken');
        },
      },
      [false, false],
    ],
    ['answers too few', { dispatchBatch: () => Promise.resolve([success('call_1', 'acted')]) }, [true, false]],
    [
      'answers too many',
      { dispatchBatch: () => Promise.resolve(['1', '2', '3'].map((id) => success(id, 'acted'))) },
      [true, true],
    ],
  ] as const)('leaves no call unanswered if it %s', async (_, broken, expected) => {
    const tools: ToolSource = { ...good, ...broken };
    const result = await runAgent({ model: scriptedModel([two, 'Done.']), tools, prompt: 'Go' });
    expect(result).toMatchObject({ stopReason: 'finished', text: 'Done.' });
    expect(result.calls.map((call) => call.result.ok)).toEqual(expected);
    expectPaired(result.messages);
    const hasFailed = result.diagnostics.some((diagnostic) => diagnostic.kind === 'source-failed');
    expect(hasFailed).toBe(expected.includes(false as never));
  });

  it('ends the run with the reason if it cannot list its tools', async () => {
    const tools: ToolSource = { ...good, visibleTo: () => Promise.reject(new Error('no list')) };
    const result = await runAgent({ model: scriptedModel([]), tools, prompt: 'Go' });
    expect(result).toMatchObject({ stopReason: 'error', error: { code: 'TOOL_UNAVAILABLE', fault: 'host' } });
  });

  it('ends the run without an exception if its tool list is invalid', async () => {
    const tools: ToolSource = { ...good, visibleTo: () => Promise.resolve({} as never) };
    const result = await runAgent({ model: scriptedModel([]), tools, prompt: 'Go' });
    expect(result).toMatchObject({
      stopReason: 'error',
      error: { code: 'EXECUTION_ERROR' },
      messages: [{ role: 'user' }],
    });
  });
});

describe('a source of many tools', () => {
  /** Counts the reads of a tool in runs with several turns, after the first run has seen all tools. */
  const looksAt = async (count: number, turns: readonly number[]): Promise<readonly number[]> => {
    let looks = 0;
    const watched = <Watched extends object>(target: Watched): Watched =>
      new Proxy(target, {
        get(of, key, receiver) {
          looks += 1;
          return Reflect.get(of, key, receiver) as unknown;
        },
      });
    const others = Array.from({ length: count }, (_, at) => watched({ ...act, name: `other_${at}` }));
    const source = createDispatcher({ registry: [act, ...others] });
    const calls = { calls: [{ name: 'act' }] };
    const found: number[] = [];
    for (const many of [1, ...turns]) {
      looks = 0;
      const model = scriptedModel([...Array.from({ length: many }, () => calls), 'Done.']);
      const allow = { providers: ['local'], tools: ['act'] };
      await runAgent({ model, tools: source, prompt: 'Go', allow, maxToolIterations: many + 1 });
      found.push(looks);
    }
    return found.slice(1);
  };

  it('has each tool read at most once per run, however many turns the run has', async () => {
    const [few, many] = await looksAt(200, [2, 12]);
    expect(many).toBe(few);
  });
});

describe('hostile arguments', () => {
  it('do not damage the conversation if they are nested too deep', async () => {
    const deep = `{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const text = `<tool_call>\n{"name": "act", "arguments": ${deep}}\n</tool_call>`;
    const model = scriptedModel([{ calls: [{ name: 'act', arguments: deep }] }, text, 'Done.', 'Done.'], {
      chunks: [10_000],
    });
    const result = await runAgent({ model, tools: [act], prompt: 'Go', permission: allowAll });
    expect(result.stopReason).toBe('finished');
    expect(() => JSON.stringify(result.messages)).not.toThrow();
    expectPaired(result.messages);
  });

  it('stay data if they have keys of prototypes', async () => {
    const model = scriptedModel([
      { calls: [{ name: 'act', arguments: '{"__proto__": {"polluted": true}, "constructor": 1}' }] },
      'Done.',
    ]);
    const result = await runAgent({ model, tools: [act], prompt: 'Go', permission: allowAll });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(result.calls[0]!.call.arguments as object)).toEqual(['__proto__', 'constructor']);
  });
});
