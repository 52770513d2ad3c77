import { createMemoryDocuments, createReadTracker, createTodoStore, loadSkills, type Memory } from '@haft/builtins';
import { createDispatcher, renderForModel, type ToolSource } from '@haft/core';
import { createPermissionEngine } from '@haft/permission';
import { createCompactTool, createHistoryCompactor, createSubagents, runAgent } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { expect } from 'vitest';
import { codeOf, createGround, textOf } from '../ground.ts';
import { makeTool } from '../made-tool.ts';
import type { Shown } from '../walk-features.ts';

const user = { role: 'user', content: 'x' } as const;

/** The tools of hygge, and the functions that they share. */
export const tools: Readonly<Record<string, Shown>> = {
  H11: [
    'tools share a record of reads, and optional tools exist if their dependency is given',
    async () => {
      const readTracker = createReadTracker();
      const ground = createGround({ files: { 'a.txt': 'a\n' }, builtins: { readTracker } });
      await ground.call('read', { path: 'a.txt' });
      expect(codeOf(await ground.call('write', { path: 'a.txt', content: 'b\n' }))).toBe('ok');
      expect(ground.source.snapshot().has('question')).toBe(false);
      const asking = createGround({ builtins: { ask: () => Promise.resolve({ kind: 'unavailable' }) } });
      expect(asking.source.snapshot().has('question')).toBe(true);
    },
  ],
  H12: [
    'read counts lines from 1, cuts long lines, and reports folders and binary files as mistakes',
    async () => {
      const files = { 'a.txt': `one\ntwo\n${'x'.repeat(3_000)}\n`, 'd/b.txt': '', 'c.bin': Uint8Array.of(0, 1, 2, 0) };
      const ground = createGround({ files });
      expect(await ground.say('read', { path: 'a.txt', offset: 2, limit: 1 })).toMatch(/^2→two\n/);
      const long = await ground.say('read', { path: 'a.txt', offset: 3 });
      expect(long).toContain('x'.repeat(1_900));
      expect(long).not.toContain('x'.repeat(2_100));
      expect(codeOf(await ground.call('read', { path: 'd' }))).toBe('IS_DIRECTORY');
      expect(codeOf(await ground.call('read', { path: 'c.bin' }))).toBe('BINARY_FILE');
    },
  ],
  H13: [
    'write creates folders, replaces only files that were read, and shows the diff',
    async () => {
      const ground = createGround({ files: { 'a.txt': 'old\n' } });
      expect(codeOf(await ground.call('write', { path: 'x/y/z.txt', content: 'new\n' }))).toBe('ok');
      expect(ground.text('x/y/z.txt')).toBe('new\n');
      expect(codeOf(await ground.call('write', { path: 'a.txt', content: 'new\n' }))).toBe('NOT_READ');
      await ground.call('read', { path: 'a.txt' });
      const { diff } = await ground.call('write', { path: 'a.txt', content: 'new\n' });
      expect(diff?.patch).toContain('-old\n+new');
    },
  ],
  H14: [
    'edit distinguishes an empty text, no change, no match and several matches',
    async () => {
      const ground = createGround({ files: { 'a.txt': 'b b\n' } });
      await ground.call('read', { path: 'a.txt' });
      const codes = await Promise.all(
        [
          ['', 'x'],
          ['b b', 'b b'],
          ['c', 'x'],
          ['b', 'x'],
        ].map(async ([old_text, new_text]) => codeOf(await ground.call('edit', { path: 'a.txt', old_text, new_text }))),
      );
      expect(codes).toEqual(['INVALID_ARGS', 'NO_CHANGE', 'TEXT_NOT_FOUND', 'TEXT_MULTIPLE_MATCHES']);
      expect(await ground.say('edit', { path: 'a.txt', oldString: 'b', newString: 'x', replaceAll: true })).toContain(
        'a.txt',
      );
      expect(ground.text('a.txt')).toBe('x x\n');
    },
  ],
  H15: [
    'bash gets a clean environment, and keeps the output of a failed or late command',
    async () => {
      process.env['WALK_SECRET'] = 'geheim';
      const ground = createGround();
      const command = 'echo "[$WALK_SECRET]"; exit 3';
      const [failed, late] = await Promise.all([
        ground.call('bash', { command }),
        ground.call('bash', { command: 'echo begun; sleep 20', timeout_ms: 300 }),
      ]);
      delete process.env['WALK_SECRET'];
      expect([codeOf(failed), codeOf(late)]).toEqual(['EXIT_CODE', 'TIMEOUT']);
      expect(renderForModel(failed)).toContain('[]');
      expect(renderForModel(late)).toContain('begun');
    },
  ],
  H16: [
    'grep accepts a path, a glob and a limit, and skips generated files',
    async () => {
      const files = { 'src/a.ts': 'tea\ntea\n', 'src/b.md': 'tea\n', 'node_modules/c.ts': 'tea\n', '.git/d': 'tea\n' };
      const ground = createGround({ files });
      const found = await ground.call('grep', { pattern: 'te[a]', path: '.', include: '*.ts' });
      expect(found.structured).toMatchObject([{ line: 1 }, { line: 2 }]);
      expect(await ground.say('grep', { pattern: 'tea', max_results: 1 })).not.toMatch(/tea[^]*tea\n[^]*tea/);
    },
  ],
  H17: [
    'glob has a limit, and reports a missing folder instead of an empty result',
    async () => {
      const ground = createGround({ files: { 'a.ts': '', 'b.ts': '', 'c/d.ts': '' } });
      expect((await ground.call('glob', { pattern: '**/*.ts', max_results: 2 })).structured).toHaveLength(2);
      expect(codeOf(await ground.call('glob', { pattern: '*', path: 'nowhere' }))).toBe('NOT_FOUND');
    },
  ],
  H18: [
    'non-public addresses are refused, and fetching needs permission',
    async () => {
      const ground = createGround();
      const denied = await ground.call('web_fetch', { url: 'http://169.254.169.254/latest/meta-data' });
      expect(codeOf(denied)).toBe('PERMISSION_DENIED');
      const guarded = createGround({ permission: createPermissionEngine() });
      expect(await guarded.call('web_fetch', { url: 'https://example.org/' })).toMatchObject({
        error: { denial: { source: 'no-approver' } },
      });
    },
  ],
  H19: [
    'memories have scopes and ids, can be deleted, and secrets are refused',
    async () => {
      const memory = { session: createMemoryDocuments<Memory>(), project: createMemoryDocuments<Memory>() };
      const ground = createGround({ builtins: { memory } });
      const kept = await ground.call('remember', { content: 'Tea at five.', scope: 'project' });
      const { id } = kept.structured as { readonly id: string };
      expect(await ground.say('recall', { query: 'tea' })).toContain('Tea at five.');
      const secret = 'api_key=sk-abcdefghijklmnopqrstuvwx0123456789';
      expect(codeOf(await ground.call('remember', { content: secret }))).toBe('INVALID_ARGS');
      expect(codeOf(await ground.call('forget', { memory_id: id, scope: 'project' }))).toBe('ok');
      expect(await ground.say('recall', { query: 'tea' })).not.toContain('Tea at five.');
    },
  ],
  H20: [
    'todo replaces the list, has four states, and notifies the program',
    async () => {
      const changes: unknown[] = [];
      const todos = createTodoStore({ onChange: (...change: unknown[]) => void changes.push(change) });
      const ground = createGround({ builtins: { todos } });
      const list = ['pending', 'in_progress', 'completed', 'cancelled'].map((status) => ({ content: status, status }));
      await ground.call('todo', { todos: [{ content: 'old' }] });
      const said = await ground.say('todo', { items: list });
      for (const { content } of list) expect(said).toContain(content);
      expect([said.includes('old'), changes.length]).toEqual([false, 2]);
    },
  ],
  H21: [
    'a question has two to nine options, waits, and can be declined',
    async () => {
      const ground = createGround({
        builtins: {
          ask: ({ question, options }) =>
            Promise.resolve(
              question === 'Tea?' ? { kind: 'chosen', labels: [options[1]?.label ?? ''] } : { kind: 'dismissed' },
            ),
        },
      });
      expect(await ground.say('question', { question: 'Tea?', options: ['yes', 'no'] })).toContain('chose: no');
      expect(codeOf(await ground.call('question', { question: 'Why?' }))).toBe('ABORTED');
      expect(codeOf(await ground.call('question', { question: 'Tea?', options: ['yes'] }))).toBe('INVALID_ARGS');
    },
  ],
  H22: [
    'a skill is shown with its folder, and an unknown name lists the existing skills',
    async () => {
      const files = { 'skills/release/SKILL.md': '---\nname: release\ndescription: Releases.\n---\nCheck first.\n' };
      const { folder } = createGround({ files });
      const skills = await loadSkills({ directories: [`${folder}/skills`] });
      const ground = createGround({ builtins: { skills } });
      expect(await ground.say('skill', { name: 'release' })).toMatch(/^Skill release, in .*release\n\nCheck first\./);
      expect(await ground.say('skill', { name: 'relase' })).toMatch(/NOT_FOUND[^]*release/);
    },
  ],
  H23: [
    'compact takes no arguments, and reports when there is nothing to do',
    async () => {
      const compactor = createHistoryCompactor({ keep: 1 });
      const source = createDispatcher({ registry: [createCompactTool(compactor)] });
      const say = async (): Promise<string> =>
        renderForModel(await source.dispatch({ id: 'c', name: 'compact', arguments: '' }));
      expect(await say()).toContain('NOTHING_TO_COMPACT');
      const messages = Array.from({ length: 6 }, () => [user, { role: 'assistant', content: 'y' } as const]).flat();
      await compactor.shapeHistory(messages, { turn: 1, usage: {} });
      expect(await say()).toContain('summary');
      expect((await compactor.shapeHistory(messages, { turn: 2, usage: {} }))?.length).toBeLessThan(messages.length);
    },
  ],
  H24: [
    'an agent needs one approval, knows its types, answers with its session, and cannot delegate',
    async () => {
      const asked: string[] = [];
      const shown: (readonly string[])[] = [];
      const permission = { ask: ({ tool }: { tool: string }) => (asked.push(tool), { action: 'allow' } as const) };
      const subagents = createSubagents({
        model: scriptedModel([
          ({ tools: seen }) => (
            shown.push(seen.map(({ name }) => name)),
            { text: 'Chapter 3.', usage: { totalTokens: 7 } }
          ),
        ]),
        source: (): ToolSource => source,
        types: { explore: { description: 'Finds things.' } },
      });
      const source = createDispatcher({ registry: [...subagents.tools, makeTool()], permission });
      expect(source.snapshot().get('subagent')?.description).toBeDefined();
      const task = { prompt: 'Where?', description: 'find it' };
      const run = await runAgent({
        model: scriptedModel([
          { calls: [{ name: 'subagent', arguments: { ...task, subagent_type: 'explore' } }] },
          { calls: [{ name: 'subagent', arguments: { ...task, subagent_type: 'unheard_of' } }] },
          'Done.',
        ]),
        tools: source,
        prompt: 'x',
      });
      const [done, unknown] = run.calls.map(({ result }) => result);
      expect(textOf(done)).toBe('Chapter 3.');
      expect(done?.metadata).toMatchObject({
        sessionId: expect.any(String) as string,
        usage: { totalTokens: 7 },
      });
      expect(textOf(unknown)).toMatch(/INVALID_ARGS[^]*explore/);
      expect([asked, shown]).toEqual([['subagent'], [['work']]]);
    },
  ],
};
