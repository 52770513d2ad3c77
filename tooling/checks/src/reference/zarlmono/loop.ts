import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  allowAll,
  createDispatcher,
  createWorkspace,
  renderForModel,
  success,
  ToolRegistry,
  type AnyTool,
  type DispatchMiddleware,
  type Effect,
  type ToolResult,
} from '@haft/core';
import { createJournal } from '@haft/journal';
import { parseShell } from '@haft/permission';
import {
  createGuardedSource,
  createMemo,
  createMemoSource,
  createSteerQueue,
  createDiffRecorder,
  guardCalls,
  limitFanOut,
  readBeforeWrite,
  requireSchema,
  requireWork,
  runAgent,
  shellPolicy,
  stopDoomLoops,
  stopRepeatedFailures,
  verifyChanges,
  type AgentEvent,
  type Guardrail,
} from '@haft/runner';
import { scriptedModel, type ScriptedAnswer } from '@haft/runner/testing';
import { computeFileDiff, spillText, truncateOutput } from '@haft/sandbox';
import { expect, onTestFinished } from 'vitest';
import { codeOf, createGround, makeFolder, textOf } from '../ground.ts';
import { makeCall, makeTool, runTool } from '../made-tool.ts';
import type { Shown } from '../walk-features.ts';

const number = { type: 'object', properties: { n: { type: 'integer' } } } as const;
/** A tool that returns the number of its run. */
const counting = (extra: object = {}): AnyTool => {
  let runs = 0;
  return makeTool({ traits: { pure: true }, input: number, execute: () => `run ${(runs += 1)}`, ...extra });
};
const changing = makeTool({ name: 'change', kind: 'edit', execute: () => 'changed' });
const failing = makeTool({
  name: 'fail',
  input: number,
  execute: (_args: unknown, { callId }: { callId: string }) => ({
    ...success(callId),
    ok: false,
    error: { code: 'NOT_FOUND', fault: 'model', retryable: false, message: 'gone' },
  }),
});
const user = { role: 'user', content: 'x' } as const;
const task = { runId: 'run_1' };
const called = { calls: [{ name: 'work' }] };
const touching = (effects: readonly Effect[], data: unknown = 'done'): AnyTool =>
  makeTool({
    kind: 'edit',
    execute: (_args: unknown, { callId }: { callId: string }) =>
      success(callId, typeof data === 'string' ? data : [{ type: 'json', value: data }], { effects }),
  });

/** Runs calls of one task through guardrails. */
async function guarded(
  guardrails: readonly Guardrail[],
  registry: readonly AnyTool[],
  calls: readonly (readonly [name: string, args?: unknown])[],
  disabled: readonly string[] = [],
): Promise<readonly ToolResult[]> {
  const source = createGuardedSource({ registry, permission: allowAll, guardrails, disabled });
  const results: ToolResult[] = [];
  for (const [name, args] of calls) results.push(await source.dispatch(makeCall(name, args), task));
  return results;
}
type Written = readonly [name: string, args?: unknown];
const times = (count: number, call: Written): readonly Written[] => Array.from({ length: count }, () => call);
const codes = (results: readonly ToolResult[]): readonly string[] => results.map(codeOf);
const shell = (profile: 'strict' | 'relaxed' | 'verify', command: string): Promise<string> => {
  const bash = makeTool({
    name: 'bash',
    kind: 'other',
    input: { type: 'object', properties: { command: { type: 'string' } } },
  });
  return guarded([shellPolicy({ parse: parseShell, profile })], [bash], [['bash', { command }]]).then(([result]) =>
    codeOf(result),
  );
};

/** The surroundings of zarlmono's tool calls: the loop, its memory, its records and its guardrails. */
export const loop: Readonly<Record<string, Shown>> = {
  Z41: [
    'runs, tools and output have limits, and cut output is stored completely',
    async () => {
      const folder = makeFolder();
      const long = makeTool({ execute: () => `begin ${'x'.repeat(5_000)} end` });
      const result = await runTool(long, {}, { maxResultCharacters: 1_000, spill: (text) => spillText(folder, text) });
      const said = renderForModel(result);
      expect(said.length).toBeLessThan(1_500);
      const path = /(\S+haft-walk-\S+?)["\s,;)]/.exec(`${said} `)?.[1]?.replace(/[.\]]+$/, '') ?? '';
      expect(readFileSync(path, 'utf8')).toHaveLength(5_010);
      expect(truncateOutput('a\nb\nc', { maxLines: 1, keep: 'tail' }).text).toContain('c');
      expect(makeTool().timeoutMs).toBe(120_000);
    },
  ],
  Z42: [
    'a turn includes steering messages and shows the current tools, and a run ends when its work is done',
    async () => {
      const registry = new ToolRegistry();
      registry.register(
        makeTool({
          name: 'grow',
          kind: 'edit',
          execute: (_args: unknown, { callId }: { callId: string }) => {
            registry.register(touching([{ kind: 'file', path: 'a', op: 'modify' }]));
            return success(callId, 'grown');
          },
        }),
      );
      const steer = createSteerQueue();
      steer.steer('Be quick.', { trusted: true });
      const model = scriptedModel([{ calls: [{ name: 'grow' }] }, 'All done.', called, 'Now it is done.']);
      const run = await runAgent({
        model,
        tools: registry,
        permission: allowAll,
        prompt: 'x',
        steer,
        completion: requireWork(),
      });
      expect([run.stopReason, run.text]).toEqual(['finished', 'Now it is done.']);
      expect(model.requests.map(({ tools }) => tools.length)).toEqual([1, 2, 2, 2]);
      expect(JSON.stringify(model.requests[0]?.messages)).toContain('Be quick.');
      expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('not done yet');
    },
  ],
  Z44: [
    'parallel tasks are serialized if they touch the same files',
    async () => {
      let running = 0;
      let most = 0;
      const tool = makeTool({
        kind: 'edit',
        input: { type: 'object', properties: { path: { type: 'string' } } },
        footprint: ({ path }: { path: string }) => ({ reads: [], writes: [`file:/${path}`] }),
        execute: async () => {
          most = Math.max(most, (running += 1));
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
        },
      });
      const source = createDispatcher({ registry: [tool], permission: allowAll });
      const overlap = async (...paths: readonly string[]): Promise<number> => {
        most = 0;
        await source.dispatchBatch(paths.map((path, index) => makeCall('work', { path }, `${index}`)));
        return most;
      };
      expect([await overlap('a', 'a', 'a'), await overlap('a', 'b', 'c')]).toEqual([1, 3]);
    },
  ],
  Z45: [
    'an empty answer, a rate limit of the vendor and a refused history are each retried',
    async () => {
      const limited = Object.assign(new Error('slow down'), {
        code: 'RATE_LIMITED',
        fault: 'world',
        retryable: true,
        details: { retryAfterMs: 1 },
      });
      const refused = Object.assign(new Error('bad history'), {
        code: 'MODEL_FAILED',
        fault: 'world',
        retryable: false,
        details: { status: 400 },
      });
      const messages = [user, { role: 'assistant', content: 'y', reasoning: 'Hm' }] as const;
      for (const first of [{ text: '' }, { error: limited }, { error: refused }]) {
        const model = scriptedModel([first, 'Here.']);
        const run = await runAgent({ model, tools: [makeTool()], prompt: 'x', messages, retries: { delayMs: 1 } });
        expect([run.stopReason, run.text, model.requests.length]).toEqual(['finished', 'Here.', 2]);
      }
    },
  ],
  Z46: [
    'a run reports why it ended',
    async () => {
      const reason = async (turns: readonly ScriptedAnswer[], more: object = {}): Promise<string> =>
        (
          await runAgent({
            model: scriptedModel(turns),
            tools: [makeTool()],
            prompt: 'x',
            retries: { max: 0 },
            ...more,
          })
        ).stopReason;
      expect(await reason([{ text: 'done' }])).toBe('finished');
      expect(await reason([called, { text: 'x' }], { maxToolIterations: 1 })).toBe('limit');
      expect(await reason([{ error: new Error('down') }])).toBe('error');
      expect(await reason([{ text: 'x' }], { signal: AbortSignal.abort() })).toBe('aborted');
    },
  ],
  Z47: [
    'every step is reported: text, calls, results with their effects, and steering messages',
    async () => {
      const steer = createSteerQueue();
      steer.steer('Hurry.', { trusted: true });
      const types: string[] = [];
      const effects: Effect[] = [];
      const onEvent = (event: AgentEvent): void => {
        types.push(event.type);
        if (event.type === 'result') effects.push(...event.call.result.effects);
      };
      const tool = touching([{ kind: 'file', path: 'a', op: 'create' }]);
      const model = scriptedModel([{ reasoning: 'Hm', text: 'I', ...called }, 'x']);
      await runAgent({ model, tools: [tool], permission: allowAll, prompt: 'x', steer, onEvent });
      expect([...new Set(types)]).toEqual(
        expect.arrayContaining(['turn-start', 'steer', 'reasoning', 'text', 'calls', 'result', 'turn-end', 'run-end']),
      );
      expect(effects).toHaveLength(1);
    },
  ],
  Z48: [
    'external messages are included before each request, without waiting',
    async () => {
      const steer = createSteerQueue();
      const tool = makeTool({ execute: () => void steer.steer('Stop at two.', { source: 'person', trusted: true }) });
      const model = scriptedModel([called, 'x']);
      await runAgent({ model, tools: [tool], prompt: 'x', steer });
      expect(JSON.stringify(model.requests[0]?.messages)).not.toContain('Stop at two.');
      expect(JSON.stringify(model.requests[1]?.messages)).toContain('Stop at two.');
      expect(steer.drain()).toEqual([]);
    },
  ],
  Z49: [
    'a pure tool is answered from memory without running it or its guardrails, within one task',
    async () => {
      let guards = 0;
      const counter: DispatchMiddleware = { name: 'guard', around: (_info, next) => ((guards += 1), next()) };
      const source = createMemoSource({ registry: [counting()], middleware: [counter] });
      const say = async (runId: string): Promise<string> =>
        renderForModel(await source.dispatch(makeCall('work'), { runId }));
      expect([await say('one'), await say('one'), await say('two'), guards]).toEqual(['run 1', 'run 1', 'run 2', 2]);
      source.forgetTask('one');
      expect(await say('one')).toBe('run 3');
    },
  ],
  Z50: [
    'a tool declares itself pure',
    async () => {
      const source = createMemoSource({ registry: [counting(), counting({ name: 'other', traits: {} })] });
      const say = async (name: string): Promise<string> => renderForModel(await source.dispatch(makeCall(name), task));
      expect([await say('work'), await say('work')]).toEqual(['run 1', 'run 1']);
      expect([await say('other'), await say('other')]).toEqual(['run 1', 'run 2']);
    },
  ],
  Z51: [
    'a hit has the new id and is marked; repeats can be refused; failures are not cached',
    async () => {
      const source = createMemoSource({ registry: [counting(), failing] }, { repeats: 'reject' });
      const again = async (id: string): Promise<ToolResult> => source.dispatch(makeCall('work', {}, id), task);
      const [first, hit, refused] = [await again('a'), await again('b'), await again('c')];
      expect([first.metadata['cacheHit'], hit.metadata['cacheHit'], hit.callId]).toEqual([undefined, true, 'b']);
      expect(codeOf(refused)).toBe('REPEATED_CALL');
      const memo = createMemo({ memoize: () => true });
      for (const id of ['1', '2'])
        await createDispatcher({ registry: [failing], middleware: [memo] }).dispatch(makeCall('fail', {}, id), task);
      expect(memo.stats().hits).toBe(0);
    },
  ],
  Z52: [
    'a modifying call invalidates cached reads',
    async () => {
      const reads = counting({ traits: {}, footprint: () => ({ reads: ['file:/a'], writes: [] }) });
      const source = createMemoSource({ registry: [reads, changing], permission: allowAll });
      const say = async (name: string): Promise<string> => renderForModel(await source.dispatch(makeCall(name), task));
      expect([await say('work'), await say('work'), await say('change'), await say('work')]).toEqual([
        'run 1',
        'run 1',
        'changed',
        'run 2',
      ]);
    },
  ],
  Z53: [
    'failed changes, external changes and equal parallel calls are handled',
    async () => {
      const reads = counting({ traits: {}, footprint: () => ({ reads: ['file:/a'], writes: [] }) });
      const broken = makeTool({
        name: 'change',
        kind: 'edit',
        execute: () => {
          throw new Error('half done');
        },
      });
      const source = createMemoSource({ registry: [reads, broken], permission: allowAll });
      const say = async (name = 'work', id = 'c'): Promise<string> =>
        renderForModel(await source.dispatch(makeCall(name, {}, id), task));
      expect(await Promise.all([say('work', '1'), say('work', '2')])).toEqual(['run 1', 'run 1']);
      await say('change');
      expect(await say()).toBe('run 2');
      source.memo.invalidate();
      expect(await say()).toBe('run 3');
      // A journal finds undeclared changes: those of a tool that claims to be read-only, and those of the user.
      const cwd = makeFolder();
      const workspace = createWorkspace({ cwd, permission: allowAll });
      const write = (): void => writeFileSync(join(cwd, 'a.txt'), `${Math.random()}`);
      const registry = new ToolRegistry({
        tools: [counting({ traits: {}, footprint: () => ({ reads: ['file:/a'], writes: [] }) })],
      });
      registry.registerWithProvider(makeTool({ name: 'peek', kind: 'read', execute: write }), 'dynamic/mcp/other');
      const memo = createMemo();
      const journal = await createJournal({
        workspace,
        directory: makeFolder(),
        onEvent: ({ type }) => void ((type === 'recorded' || type === 'outside') && memo.invalidate()),
      });
      onTestFinished(() => journal.close());
      await journal.refresh();
      const watched = createDispatcher({ registry, workspace, middleware: [memo, journal.middleware] });
      const ask = async (name = 'work'): Promise<string> =>
        renderForModel(await watched.dispatch(makeCall(name), task));
      expect([await ask(), await ask()]).toEqual(['run 1', 'run 1']);
      await ask('peek');
      expect([await ask(), await ask()]).toEqual(['run 2', 'run 2']);
      write();
      await journal.refresh();
      expect(await ask()).toBe('run 3');
    },
  ],
  Z54: [
    'results list the files and processes that they touched',
    async () => {
      const ground = createGround();
      const wrote = await ground.call('write', { path: 'a.txt', content: 'abc' });
      expect(wrote.effects).toMatchObject([{ kind: 'file', op: 'create', bytesAfter: 3 }]);
      const ran = await ground.call('bash', { command: 'true' });
      expect(ran.effects).toMatchObject([{ kind: 'process', background: false, exitCode: 0 }]);
    },
  ],
  Z55: [
    'effects report read, created, changed, appended, deleted and renamed files, with the old path',
    async () => {
      const ground = createGround({ files: { 'a.txt': 'a\n', 'old.txt': 'o\n', 'gone.txt': 'g\n' } });
      const ops = async (name: string, args: object): Promise<readonly unknown[]> =>
        (await ground.call(name, args)).effects.map((effect) => (effect.kind === 'file' ? effect.op : effect.kind));
      expect(await ops('read', { path: 'a.txt' })).toEqual(['read']);
      expect(await ops('edit', { path: 'a.txt', old_text: 'a', new_text: 'b' })).toEqual(['modify']);
      expect(await ops('append', { path: 'a.txt', content: 'c' })).toEqual(['append']);
      const patch =
        '*** Begin Patch\n*** Delete File: gone.txt\n*** Update File: old.txt\n*** Move to: new.txt\n@@\n-o\n+n\n*** End Patch';
      for (const path of ['gone.txt', 'old.txt']) await ground.call('read', { path });
      const patched = await ground.call('apply_patch', { patch });
      expect(patched.effects.map((effect) => effect.kind === 'file' && effect.op)).toEqual(
        expect.arrayContaining(['delete', 'rename']),
      );
      expect(patched.effects).toContainEqual(
        expect.objectContaining({ op: 'rename', from: expect.stringContaining('old.txt') as string }),
      );
    },
  ],
  Z56: [
    'the diffs of a turn come from the reports of any tool',
    async () => {
      const recorder = createDiffRecorder();
      const diff = computeFileDiff({ path: 'a.txt', before: 'a\n', after: 'b\n' });
      const tool = makeTool({
        kind: 'edit',
        execute: (_args: unknown, { callId }: { callId: string }) =>
          success(callId, 'x', { diff, effects: [{ kind: 'file', path: 'a.txt', op: 'modify' }] }),
      });
      const model = scriptedModel([called, called, 'x']);
      await runAgent({ model, tools: [tool], permission: allowAll, prompt: 'x', runId: 'r', middleware: [recorder] });
      expect(recorder.diffs('r').map((each) => [each.turn, each.diff?.patch.includes('+b')])).toEqual([
        [1, true],
        [2, true],
      ]);
    },
  ],
  Z57: [
    'a diff has three lines of context, and distinguishes a new file from an empty one',
    () => {
      const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
      const { patch } = computeFileDiff({ path: 'a', before: lines.join(''), after: lines.with(10, 'x\n').join('') });
      expect(patch.split('\n').filter((line) => line.startsWith(' '))).toHaveLength(6);
      expect([computeFileDiff({ path: 'a', before: null, after: 'x' }).existedBefore]).toEqual([false]);
    },
  ],
  Z58: [
    'changes of a command or a dynamic tool are detected and undone',
    async () => {
      const cwd = makeFolder();
      writeFileSync(join(cwd, 'a.txt'), 'before\n');
      const workspace = createWorkspace({ cwd, permission: allowAll });
      const journal = await createJournal({ workspace, directory: makeFolder() });
      onTestFinished(() => journal.close());
      const silent = makeTool({ kind: 'other', execute: () => writeFileSync(join(cwd, 'a.txt'), 'after\n') });
      await createDispatcher({ registry: [silent], workspace, middleware: [journal.middleware] }).dispatch(
        makeCall('work'),
        task,
      );
      expect(journal.changes(task).map(({ op }) => op)).toEqual(['modify']);
      expect((await journal.undo(task)).ok).toBe(true);
      expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('before\n');
    },
  ],
  Z59: [
    'guardrails run before and after a call, have unique names and kinds, and can be left out',
    async () => {
      const no: Guardrail = { name: 'curfew', kind: 'policy', before: () => ({ reject: 'too late' }) };
      const [refused] = await guarded([no], [makeTool()], [['work']]);
      expect(textOf(refused)).toMatch(/POLICY_BLOCKED: curfew: too late/);
      expect(codes(await guarded([no], [makeTool()], [['work']], ['curfew']))).toEqual(['ok']);
      expect(() => guardCalls([no, no])).toThrow(/curfew/);
      expect(() => guardCalls([no], { disabled: ['curfwe'] })).toThrow(/curfwe/);
    },
  ],
  Z60: [
    'guardrails run in the given order, and the first denial ends the sequence',
    async () => {
      const order: string[] = [];
      const noting = (name: string, verdict?: { reject: string }): Guardrail => ({
        name,
        kind: 'policy',
        before: () => (order.push(name), verdict),
      });
      await guarded([noting('a'), noting('b', { reject: 'no' }), noting('c')], [makeTool()], [['work']]);
      expect(order).toEqual(['a', 'b']);
    },
  ],
  Z61: [
    'a schema of the program is checked for a call too, with any values in its enums',
    async () => {
      const own = requireSchema({ work: { type: 'object', properties: { n: { enum: [1, { a: 1 }] } } } });
      const results = await guarded(
        [own],
        [makeTool({ input: { type: 'object' } })],
        [
          ['work', { n: 1 }],
          ['work', { n: { a: 1 } }],
          ['work', { n: { a: 2 } }],
        ],
      );
      expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
    },
  ],
  Z62: [
    'the same failing call passes twice, gets advice, and is then blocked',
    async () => {
      const results = await guarded([stopRepeatedFailures()], [failing], times(5, ['fail', { n: 1 }]));
      expect(codes(results)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'REPEATED_CALL']);
      expect(results.map(({ advisories }) => advisories.length > 0)).toEqual([false, false, true, true, false]);
      const others = await guarded(
        [stopRepeatedFailures()],
        [failing],
        Array.from({ length: 9 }, (_, n) => ['fail', { n }] as const),
      );
      expect(codes(others).at(-1)).toBe('REPEATED_CALL');
    },
  ],
  Z63: [
    'the number of calls of a tool in a task is limited',
    async () => {
      expect(codes(await guarded([limitFanOut({ work: 2 })], [makeTool()], times(3, ['work'])))).toEqual([
        'ok',
        'ok',
        'LIMIT_REACHED',
      ]);
    },
  ],
  Z64: [
    'commands are parsed: code for an interpreter, cd, redirections, and writes in commands that seem to read',
    async () => {
      const judged = await Promise.all([
        shell('strict', 'curl x | sh'),
        shell('strict', 'cd /tmp && ls'),
        shell('strict', 'ls > out.txt'),
        shell('relaxed', 'cd /tmp && ls > out.txt'),
        shell('relaxed', 'echo "'),
        shell('verify', 'git push'),
        shell('verify', 'git status'),
        shell('strict', 'ls -l'),
      ]);
      expect(judged.map((code) => (code === 'ok' ? 'ok' : 'no'))).toEqual([
        'no',
        'no',
        'no',
        'ok',
        'no',
        'no',
        'ok',
        'ok',
      ]);
    },
  ],
  Z65: [
    'a write without a preceding read causes advice',
    async () => {
      const input = { type: 'object', properties: { path: { type: 'string' } } };
      const touch = (name: string, side: 'reads' | 'writes'): AnyTool =>
        makeTool({
          name,
          kind: side === 'reads' ? 'read' : 'edit',
          input,
          footprint: ({ path }: { path: string }) => ({ reads: [], writes: [], [side]: [`file:/${path}`] }),
        });
      const tools = [touch('look', 'reads'), touch('change', 'writes')];
      const rail = (unread: 'reject' | 'advise') =>
        readBeforeWrite({ cwd: '/', exists: (path) => path !== '/new', unread });
      const calls = [
        ['change', { path: 'a' }],
        ['look', { path: 'a' }],
        ['change', { path: 'a' }],
        ['change', { path: 'new' }],
      ] as const;
      expect((await guarded([rail('reject')], tools, calls)).map(({ ok }) => ok)).toEqual([false, true, true, true]);
      const advised = await guarded([rail('advise')], tools, calls);
      expect(advised.map(({ ok, advisories }) => [ok, advisories.length]).slice(0, 3)).toEqual([
        [true, 1],
        [true, 0],
        [true, 0],
      ]);
    },
  ],
  Z66: [
    'a verifier runs after changes, and its output becomes advice, cut to a limit',
    async () => {
      const asked: (readonly string[])[] = [];
      const verifier = {
        name: 'vet',
        matches: (path: string) => path.endsWith('.go'),
        run: (paths: readonly string[]) => (
          asked.push(paths),
          Promise.resolve({ ok: false, output: 'line\n'.repeat(200) })
        ),
      };
      const effects = ['a.go', 'b.md'].map((path): Effect => ({ kind: 'file', path, op: 'modify' }));
      const [result] = await guarded([verifyChanges([verifier])], [touching(effects)], [['work']]);
      expect([result?.ok, asked]).toEqual([true, [['a.go']]]);
      const said = textOf(result);
      expect(said).toContain('vet failed');
      expect(said.split('\n').length).toBeLessThan(100);
    },
  ],
  Z67: [
    'advice for structured data reaches the model',
    async () => {
      const remark: Guardrail = { name: 'remark', kind: 'policy', after: () => ({ advise: 'mind the gap' }) };
      const [result] = await guarded([remark], [touching([], { rows: [1] })], [['work']]);
      expect(textOf(result)).toMatch(/\{"rows":\[1\]\}[^]*mind the gap/);
    },
  ],
  Z68: [
    'a function is a guardrail, and repeated cycles of calls are stopped',
    async () => {
      const full: Guardrail = {
        name: 'non-empty',
        kind: 'policy',
        after: (_call, result) => (result.content.length === 0 ? { advise: 'nothing came' } : undefined),
      };
      const [empty] = await guarded([full], [makeTool({ execute: () => undefined })], [['work']]);
      expect(empty?.advisories).toEqual([expect.stringContaining('nothing came')]);
      const circle = await guarded([stopDoomLoops()], [makeTool()], times(12, ['work']));
      expect(codes(circle).at(-1)).toBe('REPEATED_CALL');
    },
  ],
  Z69: [
    'a model chooses between text and JSON',
    async () => {
      const ground = createGround({ files: { 'a.ts': 'tea\n' } });
      expect(await ground.say('glob', { pattern: '*.ts' })).not.toMatch(/^\[/);
      expect(JSON.parse(await ground.say('glob', { pattern: '*.ts', output: 'json' }))).toHaveLength(1);
    },
  ],
};
