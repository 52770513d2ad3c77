import { join } from 'node:path';
import { loadSkills } from '@haft/builtins';
import {
  allowAll,
  asProviderTools,
  createDispatcher,
  createWorkspace,
  defineTool,
  renderForModel,
  type AnyTool,
  type Message,
  type ToolContext,
} from '@haft/core';
import { createPermissionEngine, type PermissionRule } from '@haft/permission';
import { compactHistory, createAgent, pairHistory, runAgent } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { compileSchema } from '@haft/schema';
import { expect } from 'vitest';
import { codeOf, createGround } from '../ground.ts';
import { makeCall, makeTool, runTool } from '../made-tool.ts';
import type { Shown } from '../walk-features.ts';

const edit = (extra: object = {}): AnyTool => makeTool({ name: 'edit_file', kind: 'edit', ...extra });
const bash = makeTool({
  name: 'bash',
  kind: 'other',
  traits: { requires: ['process'] },
  input: { type: 'object', properties: { command: { type: 'string' } } },
});
const judge = async (rules: readonly PermissionRule[], tool: AnyTool, args: object): Promise<string> =>
  codeOf(await runTool(tool, args, { permission: createPermissionEngine({ rules }) }));

/** The surroundings of dskcode's tools: contract, dispatch, permission, skills and conversation. */
export const around: Readonly<Record<string, Shown>> = {
  D1: [
    'a tool has a title for each call, receives its input as it grows, can be limited to models, and may adapt its description to the model',
    async () => {
      const tool = makeTool({
        description: ({ model, has }: { model?: { name: string }; has: (name: string) => boolean }) =>
          `For ${model?.name ?? 'anybody'}${has('other') ? ', beside other' : ''}.`,
        input: { type: 'object', properties: { path: { type: 'string' } } },
        initialTitle: ({ path }: { path: string }) => `Work on ${path}`,
        onInput: () => undefined,
        supportedModels: ['acme/*'],
      });
      expect([tool.initialTitle?.({ path: 'a' }), tool.supportsInputStreaming]).toEqual(['Work on a', true]);
      const source = createDispatcher({ registry: [tool, makeTool({ name: 'other' })] });
      const shown = await source.visibleTo({ name: 'm', vendor: 'acme' });
      expect(asProviderTools(shown).find(({ name }) => name === 'work')?.description).toBe('For m, beside other.');
      expect((await source.visibleTo({ name: 'm', vendor: 'else' })).names).toEqual(['other']);
    },
  ],
  D4: [
    'a body receives its folder, its signal, its deadline and its write roots',
    async () => {
      let seen: ToolContext | undefined;
      const tool = defineTool({
        name: 'look',
        description: 'Looks.',
        kind: 'read',
        execute: (_args, context) => void (seen = context),
      });
      await runTool(tool, {}, { workspace: createWorkspace({ cwd: '/' }) }, { timeoutMs: 1_000 });
      expect(seen).toMatchObject({ cwd: '/', writeRoots: ['/'], signal: { aborted: false } });
      expect(seen!.deadline - seen!.now()).toBeLessThanOrEqual(1_000);
    },
  ],
  D5: [
    'a result has text for the model, and a summary and a diff for people; a denial has its source and reason',
    async () => {
      const ground = createGround({ files: { 'a.txt': 'a\n' } });
      await ground.call('read', { path: 'a.txt' });
      const changed = await ground.call('edit', { path: 'a.txt', old_text: 'a', new_text: 'b' });
      expect(changed).toMatchObject({
        summary: 'Modified: a.txt (+1 -1)',
        diff: { path: 'a.txt', additions: 1, deletions: 1 },
      });
      const rules = [{ action: 'deny', tool: 'edit_file', reason: 'frozen', key: 'freeze' }] as const;
      expect(await runTool(edit(), {}, { permission: createPermissionEngine({ rules }) })).toMatchObject({
        error: { denial: { source: 'rule', ruleKey: 'freeze', reason: expect.stringContaining('frozen') as string } },
      });
    },
  ],
  D7: [
    'the model reads text, programs read the value',
    async () => {
      const rows = [{ name: 'a' }, { name: 'b' }];
      const tool = makeTool({
        execute: () => rows,
        renderModel: (out: typeof rows) => out.map(({ name }) => name).join('\n'),
      });
      const result = await runTool(tool);
      expect([renderForModel(result), result.structured]).toEqual(['a\nb', rows]);
    },
  ],
  D14: [
    'wrong arguments are rejected before the user is asked, instead of running with a warning',
    async () => {
      const order: string[] = [];
      const tool = edit({
        input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        execute: () => void order.push('ran'),
      });
      const permission = { ask: () => (order.push('asked'), { action: 'allow' } as const) };
      await runTool(tool, { n: 'many' }, { permission });
      expect(order).toEqual([]);
      await runTool(tool, { n: 1 }, { permission });
      expect(order).toEqual(['asked', 'ran']);
    },
  ],
  D15: [
    'reads overlap, writes then run one after the other, and results keep the order of the calls',
    async () => {
      const order: string[] = [];
      const timed = (name: string, kind: string): AnyTool =>
        makeTool({
          name,
          kind,
          execute: async () => {
            order.push(`${name}+`);
            await new Promise((resolve) => setImmediate(resolve));
            order.push(`${name}-`);
            return name;
          },
        });
      const registry = [timed('r1', 'read'), timed('r2', 'read'), timed('w1', 'edit'), timed('w2', 'edit')];
      const source = createDispatcher({ registry, permission: allowAll });
      const results = await source.dispatchBatch(
        ['w1', 'r1', 'w2', 'r2'].map((name) => makeCall(name, {}, name)),
        { mode: 'reads-then-writes' },
      );
      expect(order).toEqual(['r1+', 'r2+', 'r1-', 'r2-', 'w1+', 'w1-', 'w2+', 'w2-']);
      expect(results.map(renderForModel)).toEqual(['w1', 'r1', 'w2', 'r2']);
    },
  ],
  D17: [
    'each of several interrupted calls gets an answer, even if some have one already',
    () => {
      const call = (id: string) => ({ id, name: 'x', arguments: {} });
      const answer = (callId: string): Message => ({ role: 'tool', callId, name: 'x', content: [], isError: false });
      const { messages } = pairHistory([
        { role: 'assistant', content: '', toolCalls: [call('a'), call('b')] },
        answer('b'),
        { role: 'assistant', content: '', toolCalls: [call('c')] },
        { role: 'user', content: 'on' },
      ]);
      expect(
        messages.map((each) => (each.role === 'tool' ? `${each.callId}${each.isError ? '!' : ''}` : each.role)),
      ).toEqual(['assistant', 'a!', 'b', 'assistant', 'c!', 'user']);
    },
  ],
  D19: [
    'an aborted session continues with the next turn',
    async () => {
      const agent = createAgent({ model: scriptedModel([{ text: 'x', instead: 'silence' }, 'Here again.']) });
      const first = agent.run('a');
      setImmediate(() => agent.abort());
      expect((await first).stopReason).toBe('aborted');
      expect((await agent.run('b')).text).toBe('Here again.');
    },
  ],
  D20: [
    'write roots and deadlines apply to tools in a run too',
    async () => {
      const ground = createGround();
      const model = scriptedModel([{ calls: [{ name: 'write', arguments: { path: '../x.txt', content: 'x' } }] }, 'x']);
      const run = await runAgent({ model, tools: ground.source, prompt: 'x' });
      expect(codeOf(run.calls[0]?.result)).toBe('OUTSIDE_WRITE_ROOTS');
      const slow = makeTool({ execute: () => new Promise(() => undefined) });
      const late = await runAgent({
        model: scriptedModel([{ calls: [{ name: 'work' }] }, 'x']),
        tools: [slow],
        prompt: 'x',
        toolTimeoutMs: 20,
      });
      expect(codeOf(late.calls[0]?.result)).toBe('TIMEOUT');
    },
  ],
  D23: [
    '5.5 is not an integer; 5.0 is an integer and a number',
    () => {
      const check = (type: 'integer' | 'number', n: number): unknown =>
        compileSchema({ type: 'object', properties: { n: { type } } }).validate({ n });
      expect(check('integer', 5.5)).toMatchObject({ ok: false });
      expect([check('integer', 5), check('number', 5.5)]).toMatchObject([{ ok: true }, { ok: true }]);
    },
  ],
  D42: [
    'each of several denied calls gets its own answer',
    async () => {
      const rules: readonly PermissionRule[] = [
        { action: 'deny', tool: 'a', reason: 'first', key: 'one' },
        { action: 'deny', tool: 'b', reason: 'second', key: 'two' },
      ];
      const source = createDispatcher({
        registry: [makeTool({ name: 'a' }), makeTool({ name: 'b' })],
        permission: createPermissionEngine({ rules }),
      });
      const results = await source.dispatchBatch([makeCall('b', {}, '1'), makeCall('a', {}, '2')]);
      expect(results.map((each) => !each.ok && each.error.denial?.ruleKey)).toEqual(['two', 'one']);
    },
  ],
  D44: [
    'rules name tools, paths and commands; the first match decides, and patterns match the whole text',
    async () => {
      const rules: readonly PermissionRule[] = [
        { action: 'deny', command: 'git push *' },
        { action: 'allow', command: 'git *' },
        { action: 'allow', tool: 'github_*' },
      ];
      expect(await judge(rules, bash, { command: 'git push origin' })).toBe('PERMISSION_DENIED');
      expect(await judge(rules, bash, { command: 'git status' })).toBe('ok');
      expect(await judge(rules, makeTool({ name: 'github_issue', kind: 'other' }), {})).toBe('ok');
      expect(await judge(rules, makeTool({ name: 'my_github_issue', kind: 'other' }), {})).toBe('PERMISSION_DENIED');
      expect(() => createPermissionEngine({ rules: [{ action: 'allow', path: '[' }] })).toThrow(/bracket/);
    },
  ],
  D45: [
    'an approval for the session applies to the same call only, and every decision is reported with its author',
    async () => {
      const events: string[] = [];
      let asked = 0;
      const permission = createPermissionEngine({
        ask: () => ((asked += 1), { action: 'allow', scope: 'session' }),
        rules: [{ action: 'allow', command: 'ls' }],
        onDecision: ({ by }) => void events.push(by),
      });
      for (const command of ['make', 'make', 'make all', 'ls'])
        await runTool(bash, { command }, { permission }, { sessionId: 'one' });
      expect([asked, events]).toEqual([2, ['person', 'grant', 'person', 'rule']]);
      expect(await judge([], bash, { command: 'make' })).toBe('PERMISSION_DENIED');
    },
  ],
  D46: [
    'rules of the project override the defaults, and a denial by the user stands',
    async () => {
      const decide = async (layers: object): Promise<string> =>
        codeOf(await runTool(edit(), {}, { permission: createPermissionEngine({ rules: layers }) }));
      const [yes, no] = [[{ action: 'allow', tool: 'edit_file' }], [{ action: 'deny', tool: 'edit_file' }]];
      expect(await decide({ project: yes, default: [{ action: 'ask', tool: 'edit_file' }] })).toBe('ok');
      expect(await decide({ project: yes, user: no })).toBe('PERMISSION_DENIED');
    },
  ],
  D47: [
    'reads need permission too, and destructive commands are denied even if all else is allowed',
    async () => {
      const permission = createPermissionEngine({ mode: 'allow' });
      const ground = createGround({ files: { '.env': 'KEY=geheim' }, permission });
      expect(await ground.call('read', { path: '.env' })).toMatchObject({ error: { denial: { source: 'protected' } } });
      expect(codeOf(await runTool(bash, { command: 'RM -RF /; rm -rf /' }, { permission }))).toBe('PERMISSION_DENIED');
    },
  ],
  D48: [
    'the model reads the reason of a denial, and the advice not to work around it',
    async () => {
      const rules = [{ action: 'deny', tool: 'edit_file', reason: 'the file is frozen' }] as const;
      const model = scriptedModel([{ calls: [{ name: 'edit_file' }] }, 'x']);
      await runAgent({ model, tools: [edit()], prompt: 'x', permission: createPermissionEngine({ rules }) });
      expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toMatch(/the file is frozen.*(another|other) way/);
    },
  ],
  D49: [
    'skills have names, descriptions and a size, can be hidden from the list, and are read by a tool',
    async () => {
      const skill = (name: string, more = ''): string =>
        `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nBody of ${name}.`;
      const { folder } = createGround({
        files: {
          'a/SKILL.md': skill('a'),
          'hidden/SKILL.md': skill('hidden', 'disable_model_invocation: true\n'),
          '-edge/SKILL.md': skill('-edge'),
          'big/SKILL.md': skill('big') + 'x'.repeat(110_000),
        },
      });
      const skills = await loadSkills({ directories: [join(folder)] });
      const ground = createGround({ builtins: { skills } });
      const shown = (await ground.source.visibleTo({ name: 'm' })).get('skill')!.description;
      expect([shown.includes('Does a.'), shown.includes('Does hidden.'), skills.problems.length]).toEqual([
        true,
        false,
        2,
      ]);
      expect(await ground.say('skill', { name: 'hidden' })).toContain('Body of hidden.');
    },
  ],
  D50: [
    'a conversation is shortened by whole turns, and a call stays with its answer',
    async () => {
      const turn = (id: string): readonly Message[] => [
        { role: 'assistant', content: '', toolCalls: [{ id, name: 'x', arguments: {} }] },
        { role: 'tool', callId: id, name: 'x', content: [], isError: false },
      ];
      const whole: readonly Message[] = [{ role: 'user', content: 'first' }, ...['a', 'b', 'c', 'd'].flatMap(turn)];
      const { messages, removed } = await compactHistory(whole, { keep: 2, summarize: () => 'older' });
      expect(removed).toBe(4);
      expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool', 'assistant', 'tool']);
      expect(pairHistory(messages).changes).toEqual([]);
    },
  ],
};
