import {
  allowAll,
  createDispatcher,
  defineTool,
  HaftError,
  type AnyTool,
  type OpenTurn,
  type RunLog,
} from '@haft/core';
import { describe, expect, it } from 'vitest';
import { createDurableAgent, runAgent, type RunAgentOptions, type RunLimits } from '../index.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';
import { scriptedModel, type ScriptedTurn } from '../testing.ts';

/** A log in memory, as JSON. Rejects after a number of writes, as if the process had lost the run. */
class MemoryLog implements RunLog {
  readonly turns: string[] = [];
  open: { answer?: string; interrupted: number; isAsking: boolean } = { interrupted: 0, isAsking: false };
  writes = 0;
  maxWrites = Infinity;

  async read(): Promise<{ turns: unknown[]; open: OpenTurn }> {
    this.writes = 0;
    const { answer, interrupted, isAsking } = this.open;
    this.open.interrupted += isAsking ? 1 : 0;
    return {
      turns: this.turns.map((text) => JSON.parse(text) as unknown),
      open: {
        interrupted: interrupted + (isAsking ? 1 : 0),
        ...(answer !== undefined && { answer: JSON.parse(answer) }),
      },
    };
  }
  async ask(): Promise<void> {
    this.#write();
    this.open.isAsking = true;
  }
  async answer(_turn: number, answer: unknown): Promise<void> {
    this.#write();
    Object.assign(this.open, { answer: JSON.stringify(answer), isAsking: false });
  }
  async complete(turn: number, record: unknown): Promise<void> {
    this.#write();
    expect(turn).toBe(this.turns.length + 1);
    this.turns.push(JSON.stringify(record));
    this.open = { interrupted: 0, isAsking: false };
  }
  #write(): void {
    this.writes += 1;
    if (this.writes > this.maxWrites) throw new Error('the run belongs to another process');
  }
}

const results = new Map<string, string>();
/** A tool source that returns the first result for a repeated call, as a host does. */
const count = defineTool({
  name: 'count_up',
  description: 'Counts.',
  input: { type: 'object' },
  execute: (_, { callId, runId }) => {
    const key = `${runId}/${callId}`;
    if (!results.has(key)) results.set(key, String(results.size + 1));
    return results.get(key)!;
  },
}) as AnyTool;

const usage = { totalTokens: 10, costUsd: 0.1 };
const script: readonly ScriptedTurn[] = [
  { calls: [{ name: 'count_up' }, { name: 'count_up' }], usage },
  { calls: [{ name: 'count_up' }], usage },
  { text: 'Done.', usage },
];

interface Passed {
  readonly runs: number;
  readonly requests: number;
}

/** Continues a run after each write of its log until it ends. */
async function runInPieces(
  maxWrites: number,
  options: Partial<RunAgentOptions> = {},
): Promise<Awaited<ReturnType<typeof runAgent>> & Passed> {
  const log = new MemoryLog();
  log.maxWrites = maxWrites;
  let requests = 0;
  for (let runs = 1; ; runs += 1) {
    const asked = requests;
    const model = {
      name: 'scripted',
      generate: (request: Parameters<ReturnType<typeof scriptedModel>['generate']>[0]) => {
        requests += 1;
        const turn = request.messages.filter(({ role }) => role === 'assistant').length;
        return scriptedModel([script[turn] ?? 'Too far.']).generate(request);
      },
    };
    try {
      const result = await runAgent({
        model,
        tools: createDispatcher({ registry: [count], permission: allowAll }),
        prompt: 'Go',
        runId: `pieces-${maxWrites}`,
        log,
        ...options,
      });
      expectPaired(result.messages);
      return { ...result, runs, requests };
    } catch (error) {
      expect((error as Error).message).toBe('the run belongs to another process');
      // A process that can write only once never gets past the request.
      if (runs > 20) throw new Error(`no progress after ${asked} requests`, { cause: error });
    }
  }
}

describe('a run with a log', () => {
  it.each([
    [2, 6, 5],
    [3, 3, 3],
    [4, 3, 5],
    [Infinity, 1, 3],
  ])('has the same result when every process ends after %d writes', async (maxWrites, runs, requests) => {
    const whole = await runAgent({
      model: scriptedModel(script),
      tools: [count],
      prompt: 'Go',
      permission: allowAll,
      runId: 'whole',
    });
    const result = await runInPieces(maxWrites);
    expect(result.messages.map(({ role }) => role)).toEqual(whole.messages.map(({ role }) => role));
    expect(result).toMatchObject({ stopReason: 'finished', text: 'Done.', turns: 3, usage: whole.usage });
    expect(result.calls).toHaveLength(3);
    expect(result.calls.map(({ turn, call }) => [turn, call.name])).toEqual(
      whole.calls.map(({ turn, call }) => [turn, call.name]),
    );
    // Only an answer that is not in the log is requested again.
    expect(result).toMatchObject({ runs, requests });
  });

  it.each<[RunLimits, string]>([
    [{ tokens: 20 }, 'tokens'],
    [{ costUsd: 0.2 }, 'cost'],
    [{ toolCalls: 3 }, 'tool-calls'],
  ])('keeps the limits %j across processes', async (limits, limit) => {
    const result = await runInPieces(3, { limits });
    expect(result).toMatchObject({ stopReason: 'limit', limit, turns: 3 });
  });

  it('counts the time of earlier processes', async () => {
    const log = new MemoryLog();
    await runAgent({ model: scriptedModel(['Done.']), prompt: 'Go', log });
    const record = JSON.parse(log.turns[0]!) as { end?: unknown; meter: { elapsedMs: number } };
    delete record.end;
    record.meter.elapsedMs = 5_000;
    log.turns[0] = JSON.stringify(record);
    const result = await runAgent({
      model: scriptedModel(['In short.']),
      prompt: 'Go',
      log,
      limits: { wallTimeMs: 4_000 },
    });
    expect(result).toMatchObject({ stopReason: 'limit', limit: 'wall-time', text: 'In short.' });
  });

  it('asks the model again after an interrupted request, and reports it', async () => {
    const log = new MemoryLog();
    log.maxWrites = 1;
    await expect(runAgent({ model: scriptedModel(['Done.']), prompt: 'Go', log })).rejects.toThrow('another process');
    log.maxWrites = Infinity;
    const result = await runAgent({ model: scriptedModel(['Done.']), prompt: 'Go', log });
    expect(result.diagnostics).toMatchObject([{ kind: 'request-interrupted', turn: 1 }]);
  });

  it('returns the result of a run that has ended, without a request', async () => {
    const log = new MemoryLog();
    const first = await runAgent({ model: scriptedModel(['Done.']), prompt: 'Go', log });
    const again = await runAgent({ model: scriptedModel([]), prompt: 'Go', log });
    expect(again).toEqual(first);
  });

  it('refuses turns of another version', async () => {
    const log = new MemoryLog();
    log.turns.push('{"version":2}');
    await expect(runAgent({ model: scriptedModel([]), prompt: 'Go', log })).rejects.toThrow(HaftError);
  });
});

describe('createDurableAgent', () => {
  it('refuses options that its host provides, and an agent that starts itself', () => {
    const model = scriptedModel([]);
    for (const name of ['tools', 'permission'])
      expect(() => createDurableAgent({ name: 'a', model, [name]: [] } as never)).toThrow(
        `${name} is not an option (the dispatcher of the worker has it`,
      );
    expect(() => createDurableAgent({ name: 'a b', model })).toThrow('name');
    expect(() => createDurableAgent({ name: 'a', model, subagents: ['a'] })).toThrow(
      "subagents: an agent can't start itself",
    );
  });
});
