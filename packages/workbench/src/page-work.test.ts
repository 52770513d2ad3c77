import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowAll, createDispatcher, defineTool, failure, toolError, ToolRegistry } from '@haft/core';
import { openJobs, type Job, type Jobs } from '@haft/jobs';
import { createPermissionEngine } from '@haft/permission';
import { recordRun, replayRun } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApprovals, type Approvals } from './approvals/create-approvals.ts';
import { createChat } from './chat/create-chat.ts';
import { hasChromium, makeDirectory, openPageFixture, type PageFixture } from './fixtures/page-fixture.ts';
import { programArguments } from './fixtures/program-arguments.ts';
import { openRuns } from './runs/open-runs.ts';

const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  initialTitle: (args) => `Pay ${(args as { readonly amount: number }).amount}`,
  execute: () => 'paid <b>now</b>',
});

const answer = `It is <i>paid</i>: **20**, see [your bank](https://elsewhere.example/x) and \`pay\`.

| what | amount |
|---|---|
| bill | 20 |

- [x] asked
- &lt;b&gt; [run](javascript:alert) \\* ![receipt](https://elsewhere.example/p.png)
  1. \u202Etxt.exe

\`\`\`sh
pay 20
\`\`\`
> <script>alert(1)</script>`;

// Skipped where no browser is installed; `.ci/run` installs one.
describe.skipIf(!hasChromium)('the pages Jobs and Chat (skipped without Chromium)', () => {
  let jobs: Jobs;
  let approvals: Approvals;
  let tools: ReturnType<typeof createDispatcher>;
  let fixture: PageFixture;

  beforeAll(async () => {
    const directory = await makeDirectory();
    const url = `file:${join(directory, 'jobs')}`;
    const program = fileURLToPath(new URL('fixtures/lose-worker.ts', import.meta.url));
    const signal = await new Promise((resolve) => {
      execFile(process.execPath, [...programArguments, program, url], (error) => resolve(error?.signal));
    });
    expect(signal).toBe('SIGKILL');
    jobs = await openJobs({ url });
    approvals = createApprovals();
    const registry = new ToolRegistry({ tools: [pay] });
    tools = createDispatcher({ registry, permission: createPermissionEngine({ ask: approvals.ask }) });
    const runs = openRuns({ directory: join(directory, 'runs'), replay: replayRun });
    const model = scriptedModel([
      { text: 'I pay.', calls: [{ name: 'pay', arguments: '{"amount": 20,}' }], usage: { totalTokens: 100 } },
      { text: answer, usage: { totalTokens: 50 } },
      'I pay again. <tool_call>{"name": "pay", "arguments": {"amount": 30}}</tool_call>',
      'It is not paid.',
      { text: 'I wait', instead: 'silence' },
    ]);
    const chat = createChat({
      models: { script: model },
      run: (run) => recordRun(run, runs.begin()),
      connect: () => scriptedModel(['Hello from elsewhere.']),
      check: ({ model, apiKey }) => {
        if (apiKey === 'wrong') throw new Error('the server refuses the key');
        return model === 'other' ? 'The key could not be checked.' : undefined;
      },
    });
    fixture = await openPageFixture(directory, { tools, approvals, jobs, chat, runs });
  }, 90_000);
  afterAll(async () => {
    await jobs?.close();
    await fixture?.close();
  });

  const audit = async (): Promise<void> => {
    for (const [width, height, dark] of [
      [320, 700, true],
      [1280, 860, false],
      [3840, 2160, true],
    ] as const) {
      await fixture.page.screen({ width, height, dark });
      expect({ width, found: await fixture.audit() }).toEqual({ width, found: [] });
    }
    await fixture.page.screen({ width: 1280, height: 860 });
  };

  it('shows a job with an unknown outcome, and settles it', async () => {
    const [job] = await jobs.list();
    await fixture.show('#/jobs', '1 unknown');
    await fixture.show(`#/jobs/${job!.id}`, 'Did this call take effect?');
    await fixture.until('payments-1');
    await fixture.until('order-7');
    await audit();
    await fixture.press('It took effect');
    await fixture.until('settled by workbench');
    expect(await jobs.job(job!.id).info()).toMatchObject({ state: 'done', settledBy: 'workbench' });
  });

  it('shows a job that waits for a person, and runs its call once it is allowed', async () => {
    const permission = jobs.approvals(createPermissionEngine());
    const worker = jobs.work({ dispatcher: createDispatcher({ registry: [pay], permission }), queues: ['asking'] });
    const job = await jobs.submit({ id: 'ask', name: 'pay', arguments: { amount: 7 } }, { queue: 'asking' });
    const without = await jobs.submit({ id: 'nope', name: 'nope', arguments: {} }, { queue: 'asking' });
    await fixture.show('#/jobs', 'Pay 7');
    await fixture.until(`Why you are asked: pay needs the user's permission, and no rule allows it`);
    await fixture.until('waits for a worker that has the tool nope');
    await fixture.press('Allow this call');
    expect(await job.result()).toMatchObject({ ok: true });
    await fixture.until('You allowed Pay 7.');
    expect(await fixture.audit()).toEqual([]);
    await fixture.show(`#/jobs/${without.id}`, 'Waits for a worker that has the tool nope');
    await without.cancel('not needed');
    await worker.stop();
  });

  it('shows why a job failed and what a job returned, with its arguments and without its secrets', async () => {
    const order = defineTool({
      name: 'order',
      description: 'Orders an article.',
      input: {
        type: 'object',
        properties: { article: { type: 'string' }, password: { type: 'string' } },
        required: ['article'],
      },
      execute: (args, { callId }) =>
        (args as { readonly article: string }).article === 'cup'
          ? { ordered: 'cup', note: '<b>soon</b>' }
          : failure(callId, toolError('EXECUTION_ERROR', 'no <b>stock</b> \u202Eleft, token=abcdefgh')),
    });
    const dispatcher = createDispatcher({ registry: [order], permission: allowAll });
    const worker = jobs.work({ dispatcher, queues: ['orders'] });
    const submit = (given: object): Promise<Job> =>
      jobs.submit({ id: 'order', name: 'order', arguments: given }, { queue: 'orders' });
    const failed = await submit({ article: 'spoon', password: 'hunter2' });
    const done = await submit({ article: 'cup' });
    await failed.result();
    await done.result();
    await fixture.show(`#/jobs/${failed.id}`, 'EXECUTION_ERROR: no <b>stock</b> ⟨U+202E⟩left, token=[redacted]');
    await fixture.until('"article": "spoon"');
    await fixture.page.until(`document.querySelector('.list').innerText.includes('EXECUTION_ERROR: no <b>stock</b>')`);
    const shown = await fixture.page.evaluate<string>(`document.querySelector('main').innerText`);
    const detail = await fixture.page.evaluate<string>(`document.querySelector('.detail-pane').innerText`);
    expect(await fixture.page.evaluate(`document.querySelectorAll('.detail-pane .notice').length`)).toBe(1);
    expect(detail).toContain('"password": "[redacted]"');
    expect(shown).not.toMatch(/hunter2|abcdefgh/);
    expect(await fixture.page.evaluate(`document.querySelectorAll('main b').length`)).toBe(0);
    await audit();
    await fixture.show(`#/jobs/${done.id}`, '"note": "<b>soon</b>"');
    await worker.stop();
  });

  it('cancels a queued job', async () => {
    const job = await jobs.submit({ id: 'queued', name: 'pay', arguments: { amount: 1 } }, { queue: 'idle' });
    await fixture.show(`#/jobs/${job.id}`, 'Cancel the job');
    await fixture.press('Cancel the job');
    // The list has another cancelled job.
    await fixture.page.until(`document.querySelector('.detail-pane').innerText.includes('cancelled')`);
    expect(await job.info()).toMatchObject({ state: 'cancelled' });
  });

  /** Presses a key in the element that has the focus. */
  const pressKey = (key: string): Promise<unknown> =>
    fixture.page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: ${JSON.stringify(key)}, bubbles: true }))`,
    );
  const focused = (): Promise<string> =>
    fixture.page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName`);
  const sendTask = async (task: string): Promise<void> => {
    await fixture.page.evaluate(`document.querySelector('.chat-form textarea').focus()`);
    await fixture.page.type(task);
    await fixture.press('Send');
  };

  it('lets the agent work on a task, and answers the question of a call in the conversation', async () => {
    await fixture.show('#/chat', 'Give the agent a task');
    await audit();
    await sendTask('Pay the bill.');
    await fixture.until('A call waits for your answer: Pay 20');
    await fixture.until('Exact arguments');
    // The announcement is in a live region, and the question is not: a screen reader does not read all of it at once.
    expect(await fixture.page.evaluate(`document.querySelector('[aria-live] .question') === null`)).toBe(true);
    await audit();
    await fixture.page.evaluate(`document.querySelector('.chat-form textarea').focus()`);
    await pressKey('a');
    expect(approvals.waiting()).toHaveLength(1);
    await fixture.page.press('Escape');
    expect(await focused()).toBe('Pay 20');
    // The second key comes before the answer to the first: it must not deny the call, and is not an error.
    await fixture.page.evaluate(
      `for (const key of 'ad') document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`,
    );
    await fixture.until('It is <i>paid</i>: 20, see your bank (https://elsewhere.example/x) and pay.');
    // The page hears of the answer and of the question that is gone in any order.
    await fixture.page.until(`document.querySelector('.question') === null`);
    expect(await focused()).toBe('Task for the agent');
    await fixture.until('150 tokens');
    const shown = (selector: string): Promise<readonly string[]> =>
      fixture.page.evaluate(
        `[...document.querySelectorAll('.chat-log ${selector}')].map((one) => one.getAttribute('href') ?? one.innerText)`,
      );
    expect(await shown('.markdown :is(strong, code, td)')).toEqual(['20', 'pay', 'bill', '20']);
    expect(await shown('.markdown :is(i, b, img, script)')).toEqual([]);
    expect(await shown('.markdown a')).toEqual(['https://elsewhere.example/x', 'https://elsewhere.example/p.png']);
    expect(await shown('.markdown > ul > li')).toEqual([
      '☑ asked',
      '&lt;b&gt; run (javascript:alert) * image: receipt (https://elsewhere.example/p.png)\n⟨U+202E⟩txt.exe',
    ]);
    expect(await shown('.markdown pre')).toEqual(['pay 20']);
    expect(await shown('.markdown blockquote')).toEqual(['<script>alert(1)</script>']);
    await fixture.page.evaluate(`document.querySelector('.chat-log .call').open = true`);
    await fixture.until('paid <b>now</b>');
    await audit();
    await fixture.show('#/runs', 'Pay the bill.');
  });

  it('denies a call in the conversation with a reason, also while a question of another session waits', async () => {
    await fixture.show('#/chat', 'Pay the bill.');
    const other = tools.dispatch({ id: 'other', name: 'pay', arguments: { amount: 1 } }, { sessionId: 'elsewhere' });
    await sendTask('Pay again.');
    await fixture.until('A call waits for your answer: Pay 30');
    expect(await fixture.page.evaluate(`document.querySelectorAll('.question').length`)).toBe(1);
    expect(approvals.waiting()).toHaveLength(2);
    approvals.answer(approvals.waiting()[0]!.id, { action: 'deny' });
    await other;
    await fixture.until('I pay again.');
    expect(await fixture.page.evaluate(`document.querySelector('.chat-log').innerText`)).not.toContain('<tool_call>');
    await fixture.page.evaluate(
      `[...document.querySelectorAll('.chat-log .message')].find((one) => one.innerText.startsWith('whole text')).open = true`,
    );
    await fixture.until('I pay again. <tool_call>{"name": "pay", "arguments": {"amount": 30}}</tool_call>');
    expect(await fixture.audit()).toEqual([]);
    await fixture.page.evaluate(`document.querySelector('.question .deny input').focus()`);
    await fixture.page.type('add it to the next bill');
    expect(approvals.waiting()).toHaveLength(1);
    await fixture.page.press('Enter');
    await fixture.until('It is not paid.');
    await fixture.page.evaluate(`[...document.querySelectorAll('.chat-log .call')].at(-1).open = true`);
    await fixture.until('add it to the next bill');
  });

  it('stops a task, and connects another endpoint', async () => {
    await fixture.show('#/chat', 'Pay the bill.');
    await fixture.page.evaluate(`document.querySelector('.chat-form textarea').focus()`);
    await fixture.page.type('Wait.');
    await fixture.press('Send');
    await fixture.until('I wait');
    const other = tools.dispatch({ id: 'other', name: 'pay', arguments: { amount: 1 } }, { sessionId: 'elsewhere' });
    await fixture.until('A call of another session, such as a subagent, waits for an answer.');
    approvals.denyAll('not now');
    await other;
    await fixture.press('Stop');
    await fixture.until('The task was stopped.');
    await fixture.page.evaluate(`document.querySelector('.chat-models details').open = true`);
    await fixture.page.evaluate(`document.querySelectorAll('.chat-models input')[1].focus()`);
    await fixture.page.type('other');
    await fixture.page.evaluate(`document.querySelectorAll('.chat-models input')[2].focus()`);
    await fixture.page.type('wrong');
    await fixture.press('Connect');
    // The error is inside the form's part of the page, and the fields stay for a correction.
    await fixture.page.until(
      `document.querySelector('.chat-models details').innerText.includes('Not connected: the server refuses the key')`,
    );
    expect(await fixture.page.evaluate(`document.querySelectorAll('.chat-models input')[2].value`)).toBe('wrong');
    expect(await fixture.page.evaluate(`document.querySelector('select').value`)).toBe('script');
    await audit();
    await fixture.page.evaluate(`document.querySelectorAll('.chat-models input')[2].select()`);
    await fixture.page.type('right');
    await fixture.press('Connect');
    await fixture.until('Connected: other answers from now on. The key could not be checked.');
    await fixture.page.until(`document.querySelector('select').value === 'other at http://localhost:11434/v1'`);
    expect(await fixture.page.evaluate(`document.querySelectorAll('.chat-models input')[2].value`)).toBe('');
    await fixture.press('New conversation');
    await fixture.until('Give the agent a task');
    await fixture.page.evaluate(`document.querySelector('.chat-form textarea').focus()`);
    await fixture.page.type('Hello?');
    await fixture.press('Send');
    await fixture.until('Hello from elsewhere.');
    // Chromium reports the refused key, and nothing else.
    expect(fixture.page.complaints).toEqual([expect.stringMatching(/409 \(Conflict\) \S+\/api\/chat\/connect$/)]);
  });
});
