import { isDeepStrictEqual } from 'node:util';

import { allowReadOnly, createDispatcher, defineTool, type AnyTool, type Model, type ToolSource } from '@haft/core';
import { createDurableAgent } from '@haft/runner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Job } from '../contracts/job.ts';
import type { Question } from '../contracts/question.ts';
import { createDirectory, databases, isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { fingerprintOf } from './create-approvals.ts';
import { openJobs, type Jobs } from './open-jobs.ts';

/** A tool that needs a person, on a dispatcher that asks in the ledger. */
function createScene(jobs: Jobs, expiresMs?: number): { readonly source: ToolSource; readonly effects: unknown[] } {
  const effects: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    initialTitle: (args) => `Pay ${(args as { amount: number }).amount}`,
    execute: (args) => void effects.push(args),
  }) as AnyTool;
  const permission = jobs.approvals(allowReadOnly, expiresMs === undefined ? {} : { expiresMs });
  return { effects, source: createDispatcher({ registry: [pay], permission }) };
}

/** A model whose answer depends only on the conversation, so that any worker continues it. */
function createStepModel(steps: readonly (string | { readonly name: string; readonly args: object })[]): Model {
  return {
    name: 'steps',
    async *generate({ messages }) {
      const step = steps[messages.filter(({ role }) => role === 'assistant').length] ?? 'Too far.';
      if (typeof step === 'string') yield { type: 'text', text: step };
      else yield { type: 'tool-call', id: 'call_1', name: step.name, arguments: JSON.stringify(step.args) };
      yield { type: 'finish', reason: typeof step === 'string' ? 'stop' : 'tool-calls' };
    },
  };
}

/** Waits until any job asks. Lets other work run in between. */
async function untilAnyAsked(jobs: Jobs): Promise<Question> {
  for (;;) {
    const [asked] = await jobs.questions();
    if (asked !== undefined) return asked;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Waits until a job asks, and returns its question. */
async function untilAsked(jobs: Jobs, job: Job): Promise<Question> {
  for await (const { kind } of job.events()) if (kind === 'question') break;
  return (await jobs.questions()).find((question) => question.job === job.id)!;
}

const pay = (amount: unknown) => ({ id: 'call_1', name: 'pay', arguments: { amount } });

describe.each(databases.map((create) => create()))('approvals on $name', ({ open, remove }) => {
  let jobs: Jobs;
  beforeAll(async () => {
    jobs = await open();
  }, 60_000);
  afterAll(async () => {
    await jobs.close();
    await remove();
  }, 60_000);

  it('let a call wait without a worker, and run it on any worker after a person has allowed it', async () => {
    const first = createScene(jobs);
    const worker = jobs.work({ dispatcher: first.source, queues: ['a'] });
    const job = await jobs.submit(pay('20'), { queue: 'a' });
    const question = await untilAsked(jobs, job);
    expect(question).toMatchObject({ tool: 'pay', title: 'Pay 20', arguments: { amount: 20 }, callId: 'call_1' });
    expect(question.reason).toBe('pay may change something, and no rule allows it');
    expect(await job.info()).toMatchObject({
      state: 'queued',
      waitingFor: `an answer to the question ${question.id}`,
      lost: 0,
    });
    await worker.stop({ timeoutMs: 1_000 });
    expect(worker.running).toBe(0);
    const second = createScene(jobs);
    const other = jobs.work({ dispatcher: second.source, queues: ['a'] });
    await jobs.answer(question.id, { action: 'allow', by: 'ana' });
    expect(await job.result()).toMatchObject({ ok: true });
    expect([first.effects, second.effects]).toEqual([[], [{ amount: 20 }]]);
    await expect(jobs.answer(question.id, { action: 'deny', by: 'bo' })).rejects.toMatchObject({ code: 'NOT_OPEN' });
    expect(await jobs.questions()).toEqual([]);
    await other.stop();
  });

  it('deny a call with the reason of the person', async () => {
    const { source, effects } = createScene(jobs);
    const worker = jobs.work({ dispatcher: source, queues: ['b'] });
    const job = await jobs.submit(pay(5), { queue: 'b' });
    await jobs.answer((await untilAsked(jobs, job)).id, { action: 'deny', by: 'ana', reason: 'too much' });
    const denial = { source: 'person', reason: 'too much' };
    expect(await job.result()).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED', denial } });
    expect(effects).toEqual([]);
    await worker.stop();
  });

  it('apply an answer only to the job and the arguments of its question', async () => {
    const { source, effects } = createScene(jobs);
    const worker = jobs.work({ dispatcher: source, queues: ['c'] });
    const [one, two] = [await jobs.submit(pay(1), { queue: 'c' }), await jobs.submit(pay(1), { queue: 'c' })];
    await jobs.answer((await untilAsked(jobs, one)).id, { action: 'allow', by: 'ana' });
    expect(await one.result()).toMatchObject({ ok: true });
    const open = await untilAsked(jobs, two);
    expect(effects).toEqual([{ amount: 1 }]);
    await two.cancel('by user');
    await expect(jobs.answer(open.id, { action: 'allow', by: 'ana' })).rejects.toMatchObject({ code: 'NOT_OPEN' });
    expect(await jobs.questions()).toEqual([]);
    expect(effects).toEqual([{ amount: 1 }]);
    await worker.stop();
  });

  it('take one of two answers that arrive at the same time', async () => {
    const { source, effects } = createScene(jobs);
    const worker = jobs.work({ dispatcher: source, queues: ['e'] });
    const submitted = await Promise.all([1, 2, 3, 4].map((amount) => jobs.submit(pay(amount), { queue: 'e' })));
    for (const job of submitted) {
      const { id, arguments: args } = await untilAsked(jobs, job);
      const answers = (['allow', 'deny'] as const).map((action) => jobs.answer(id, { action, by: action }));
      const [allowed, denied] = await Promise.allSettled(answers);
      const [lost, won] = allowed!.status === 'rejected' ? [allowed, denied!] : [denied!, allowed!];
      expect([won.status, lost]).toMatchObject(['fulfilled', { status: 'rejected', reason: { code: 'NOT_OPEN' } }]);
      expect(await job.result()).toMatchObject({ ok: won === allowed });
      expect(effects.filter((effect) => isDeepStrictEqual(effect, args))).toHaveLength(won === allowed ? 1 : 0);
    }
    await worker.stop();
  });

  it('let a call of a sub-agent wait, and both agents continue on another worker', async () => {
    const start = () => {
      const { source, effects } = createScene(jobs);
      const agents = [
        createDurableAgent({
          name: 'main',
          subagents: ['helper'],
          model: createStepModel([{ name: 'agent_helper', args: { prompt: 'Pay 3.' } }, 'Done.']),
        }),
        createDurableAgent({ name: 'helper', model: createStepModel([{ name: 'pay', args: { amount: 3 } }, 'Paid.']) }),
      ];
      return { effects, worker: jobs.work({ dispatcher: source, agents, queues: ['f'] }) };
    };
    const first = start();
    const run = await jobs.submitRun({ agent: 'main', prompt: 'Pay 3.' }, { queue: 'f' });
    const asked = await untilAnyAsked(jobs);
    await first.worker.stop({ timeoutMs: 1 });
    const second = start();
    await jobs.answer(asked.id, { action: 'allow', by: 'ana' });
    expect(await run.result()).toMatchObject({ ok: true, structured: { text: 'Done.', turns: 2 } });
    expect([first.effects, second.effects]).toEqual([[], [{ amount: 3 }]]);
    await second.worker.stop();
  });

  it('let the call of a client wait that uses the jobs as a source of tools, as an MCP server does', async () => {
    const { source, effects } = createScene(jobs);
    const worker = jobs.work({ dispatcher: source, queues: ['g'] });
    const result = jobs.asToolSource(source, { queue: 'g' }).dispatch(pay(4));
    const asked = await untilAnyAsked(jobs);
    expect(effects).toEqual([]);
    await jobs.answer(asked.id, { action: 'allow', by: 'ana' });
    expect(await result).toMatchObject({ ok: true });
    expect(effects).toEqual([{ amount: 4 }]);
    await worker.stop();
  });

  it('deny a call whose question was not answered in time', async () => {
    const { source, effects } = createScene(jobs, 300);
    const worker = jobs.work({ dispatcher: source, queues: ['d'] });
    const job = await jobs.submit(pay(1), { queue: 'd' });
    const denial = { source: 'no-approver', reason: 'the question was not answered in time' };
    expect(await job.result()).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED', denial } });
    expect(await jobs.questions()).toEqual([]);
    expect(effects).toEqual([]);
    await worker.stop();
  });
});

it('two calls have the same fingerprint only if their arguments are equal, in any order of the keys', () => {
  const of = (args: object): string => fingerprintOf({ tool: 'pay', provider: 'own', arguments: args });
  expect(of({ a: { c: 1, b: 2 } })).toBe(of({ a: { b: 2, c: 1 } }));
  for (const other of [{ a: [['b', 1]] }, { a: { b: '1' } }, { a: [{ b: 1 }] }, [['a', { b: 1 }]]])
    expect(of(other)).not.toBe(of({ a: { b: 1 } }));
});

const restarted = [
  ['PGlite', async () => ({ url: `file:${directory}/jobs`, schema: 'haft_jobs' })],
  ...(isPostgresMissing ? [] : [['PostgreSQL', () => places.next()] as const]),
] as const;
const places = new ServerPlaces();
let directory: string;
let removeDirectory: () => Promise<void>;
beforeAll(async () => {
  [directory, removeDirectory] = await createDirectory();
});
afterAll(async () => {
  await places.remove();
  await removeDirectory();
});

describe.each(restarted)('questions on %s after a restart', (_, place) => {
  it('are answered by one process and applied by another, unless they have expired', async () => {
    const { url, schema } = await place();
    const asking = await openJobs({ url, schema });
    // One worker gives its questions a day, the other one 200 ms.
    const [first, hasty] = [createScene(asking), createScene(asking, 200)];
    asking.work({ dispatcher: first.source, queues: ['a'] });
    asking.work({ dispatcher: hasty.source, queues: ['b'] });
    const [kept, late] = [await asking.submit(pay(1), { queue: 'a' }), await asking.submit(pay(2), { queue: 'b' })];
    const [question, expired] = await Promise.all([untilAsked(asking, kept), untilQuestionId(late)]);
    await asking.close();

    const answering = await openJobs({ url, schema });
    while ((await answering.questions()).length > 1) await answering.job(late.id).info();
    await answering.answer(question.id, { action: 'allow', by: 'ana' });
    await expect(answering.answer(expired, { action: 'allow', by: 'ana' })).rejects.toMatchObject({ code: 'NOT_OPEN' });
    await answering.close();

    const working = await openJobs({ url, schema });
    const second = createScene(working);
    working.work({ dispatcher: second.source, queues: ['a', 'b'] });
    expect(await working.job(kept.id).result()).toMatchObject({ ok: true });
    expect(await working.job(late.id).result()).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } });
    expect([first.effects, hasty.effects, second.effects]).toEqual([[], [], [{ amount: 1 }]]);
    await working.close();
  });
});

/** Waits until a job asks, and returns the ID of its question, which may expire at once. */
async function untilQuestionId(job: Job): Promise<string> {
  for await (const { kind, data } of job.events()) if (kind === 'question') return data['question'] as string;
  throw new Error('the job ended without a question');
}
