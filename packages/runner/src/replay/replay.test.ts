import { describe, expect, it } from 'vitest';
import { allowAll, createDispatcher, defineTool, HaftError, toolError, type AnyTool, type Message } from '@haft/core';
import { createSteerQueue, recordRun, replayRun, type RunAgentOptions } from '../index.ts';
import { scriptedModel, type ScriptedTurn } from '../testing.ts';

/** Returns pseudo-random integers from a seed. */
function sequence(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function tools(pick: (below: number) => number): readonly AnyTool[] {
  const input = { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false } as const;
  const answers = [
    (): unknown => `it is ${pick(1_000)}`,
    (): unknown => ({ rows: [pick(9), 'ü'], at: Date.now() }),
    (): unknown => new Uint8Array([0x89, 0x50, 0x4e, 0x47, pick(200)]),
    (): unknown => {
      throw toolError('RATE_LIMITED', 'too fast', { details: { retryAfterMs: 5 } });
    },
  ];
  return ['look_up', 'count_up', 'draw_it', 'ask_web'].map(
    (name, at) =>
      defineTool({
        name,
        description: `Does ${name}.`,
        kind: at % 2 === 0 ? 'read' : 'other',
        input,
        execute: async () => {
          for (let waits = pick(3); waits > 0; waits -= 1) await Promise.resolve();
          return answers[at]!();
        },
      }) as AnyTool,
  );
}

function scene(seed: number): RunAgentOptions {
  const pick = sequence(seed);
  const names = ['look_up', 'count_up', 'draw_it', 'ask_web', 'no_such'];
  const call = () => ({
    name: names[pick(names.length)]!,
    arguments: [{ n: pick(9) }, "{n: '1',}", '', '{"x": 1}', '{"n": [tru'][pick(5)],
    cut: pick(9) === 0,
  });
  const turn = (): ScriptedTurn => {
    switch (pick(6)) {
      case 0:
        return `<tool_call>\n{"name": "look_up", "arguments": {"n": ${pick(5)}}}\n</tool_call>`;
      case 1:
        return { text: 'Hm', error: toolError('MODEL_FAILED', 'busy', { details: { retryAfterMs: 0 } }) };
      case 2:
        return { text: 'Half', instead: 'end' };
      default:
        return {
          reasoning: 'thinking',
          text: pick(2) === 0 ? '' : 'Let me see.',
          calls: Array.from({ length: 1 + pick(3) }, call),
          usage: { totalTokens: pick(99) },
        };
    }
  };
  const steer = createSteerQueue();
  if (pick(3) === 0) steer.steer('By the way.', { source: 'server' });
  return {
    model: scriptedModel([...Array.from({ length: 1 + pick(4) }, turn), 'Done.', 'Really done.', 'Over.']),
    tools: tools(pick),
    permission: allowAll,
    prompt: `Task ${seed}`,
    systemPrompt: 'Be exact.',
    steer,
    retries: { delayMs: 1 },
    limits: { toolCalls: 6 },
    onToolResult: () => {
      if (pick(6) === 0) steer.steer('A remark.', { source: 'person', trusted: true });
    },
  };
}

async function record(options: RunAgentOptions) {
  const lines: string[] = [];
  const result = await recordRun(options, (line) => lines.push(line));
  return { result, lines };
}

describe('a recorded run', () => {
  it('replays identically, two hundred times', async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { result, lines } = await record(scene(seed));
      const { result: again, divergence } = await replayRun(lines.join('\n'));
      expect(divergence, `run ${seed}`).toBeUndefined();
      expect(unmarked(again.messages), `run ${seed}`).toEqual(unmarked(result.messages));
      expect(again.calls.map((call) => call.result)).toEqual(
        result.calls.map((call) => (call.result.ok ? call.result : withoutCause(call.result))),
      );
      expect(again.usage).toEqual(result.usage);
    }
  });

  it('reports the first difference after a change', async () => {
    let found = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const { lines } = await record(scene(seed));
      const at = lines.findIndex((line) => line.includes('"type":"results"'));
      if (at < 0) continue;
      const spoilt = lines.with(at, lines[at]!.replaceAll('"text":"it is ', '"text":"it was '));
      if (spoilt[at] === lines[at]) continue;
      const { divergence } = await replayRun(spoilt);
      const next = spoilt.findIndex((line, index) => index > at && line.includes('"type":"request"'));
      expect(divergence).toMatchObject({ line: next + 1, what: 'request' });
      expect(divergence!.path).toMatch(/^\$\.messages\[\d+\]\.content\[0\]\.text$/);
      expect(String(divergence!.actual)).toContain('it was');
      found += 1;
    }
    expect(found).toBeGreaterThan(5);
  });

  it('reports the effect of another prompt, another call or a missing answer', async () => {
    const { lines } = await record(scene(3));
    const prompted = await replayRun(lines, { systemPrompt: 'Be brief.' });
    expect(prompted.divergence).toMatchObject({ line: expect.any(Number), what: 'request', expected: 'Be exact.' });
    const calls = lines.findIndex((line) => line.includes('"type":"calls"'));
    const renamed = lines.with(calls, lines[calls]!.replace('"name":"', '"name":"x'));
    expect((await replayRun(renamed)).divergence).toMatchObject({ line: calls + 1, what: 'calls' });
    const cut = await replayRun(lines.slice(0, 4));
    expect(cut.result.stopReason).toBe('error');
    expect(cut.divergence).toBeDefined();
  });

  it('replays aborts, shaped conversations, silence and structured answers', async () => {
    const controller = new AbortController();
    const aborted = await record({
      ...scene(1),
      model: scriptedModel([{ calls: [{ name: 'look_up' }] }, { text: 'Half an answer', instead: 'silence' }]),
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'text' && event.turn === 2) controller.abort();
      },
    });
    expect(aborted.result.stopReason).toBe('aborted');
    const abortedAgain = await replayRun(aborted.lines);
    expect(abortedAgain).toMatchObject({ result: { stopReason: 'aborted' } });
    expect(abortedAgain.divergence).toBeUndefined();

    const others: Partial<RunAgentOptions>[] = [
      { model: scriptedModel([{ calls: [{ name: 'look_up' }] }, 'Done.']), shapeHistory: (all) => all.slice(-2) },
      { model: scriptedModel([{ text: '', instead: 'silence' }, 'Done.']), idleTimeoutMs: 20 },
      {
        model: scriptedModel(['No.', { calls: [{ name: 'submit_output', arguments: { n: 1 } }] }]),
        output: { schema: { type: 'object', required: ['n'] } },
      },
    ];
    for (const changed of others) {
      const { result, lines } = await record({ ...scene(1), steer: createSteerQueue(), ...changed });
      expect(result.stopReason).toBe('finished');
      const again = await replayRun(lines);
      expect(again.divergence).toBeUndefined();
      expect(again.result.text).toBe(result.text);
      expect(again.result.output).toEqual(result.output);
    }
  });

  it('runs no tool during a replay, and works with a source', async () => {
    let runs = 0;
    const tool = defineTool({
      name: 'go_now',
      description: 'Goes.',
      kind: 'read',
      execute: () => (runs += 1),
    }) as AnyTool;
    const model = scriptedModel([{ calls: [{ name: 'go_now' }] }, 'Done.']);
    const { lines } = await record({ model, tools: createDispatcher({ registry: [tool] }), prompt: 'Go' });
    expect((await replayRun(lines)).divergence).toBeUndefined();
    expect(runs).toBe(1);
  });

  it.each(['', '{}', 'x', '{"type":"run","version":2}', '{"type":"model"}'])('is rejected as %j', async (text) => {
    await expect(replayRun(text)).rejects.toThrow(HaftError);
  });
});

/** Removes the marks around untrusted text, which are random. */
function unmarked(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) =>
    typeof message.content === 'string'
      ? ({ ...message, content: message.content.replace(/outside-[0-9a-f-]{36}/g, 'outside') } as Message)
      : message,
  );
}

function withoutCause(result: object & { readonly error: object }): object {
  return { ...result, error: expect.objectContaining({ code: (result.error as { code: string }).code }) as unknown };
}
