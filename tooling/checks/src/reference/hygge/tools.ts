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

/** The tools of hygge, and what they share. */
export const tools: Readonly<Record<string, Shown>> = {
  H11: [
    'tools share what was read, and those that need something are there when it is given',
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
    'read counts from 1, cuts long lines, and a folder or bytes are plain mistakes',
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
    'write makes folders, replaces only what was read, and shows the difference',
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
    'edit tells an empty text, no change, no match and several matches apart',
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
    'bash gets a clean environment, and what fails or is late keeps its output',
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
    'grep takes a path, which files and how many, and leaves out what nobody wrote',
    async () => {
      const files = { 'src/a.ts': 'tea\ntea\n', 'src/b.md': 'tea\n', 'node_modules/c.ts': 'tea\n', '.git/d': 'tea\n' };
      const ground = createGround({ files });
      const found = await ground.call('grep', { pattern: 'te[a]', path: '.', include: '*.ts' });
      expect(found.structured).toMatchObject([{ line: 1 }, { line: 2 }]);
      expect(await ground.say('grep', { pattern: 'tea', max_results: 1 })).not.toMatch(/tea[^]*tea\n[^]*tea/);
    },
  ],
  H17: [
    'glob has a limit, and a folder that is not there is no empty answer',
    async () => {
      const ground = createGround({ files: { 'a.ts': '', 'b.ts': '', 'c/d.ts': '' } });
      expect((await ground.call('glob', { pattern: '**/*.ts', max_results: 2 })).structured).toHaveLength(2);
      expect(codeOf(await ground.call('glob', { pattern: '*', path: 'nowhere' }))).toBe('NOT_FOUND');
    },
  ],
  H18: [
    'a page that is not public is out of reach, and fetching needs permission',
    async () => {
      const ground = createGround();
      const denied = await ground.call('web_fetch', { url: 'http://169.254.169.254/latest/meta-data' });
      expect(codeOf(denied)).toBe('PERMISSION_DENIED');
      const guarded = createGround({ permission: createPermissionEngine() });
      expect(await guarded.call('web_fetch', { url: 'https://example.org/' })).toMatchObject({
        error: { denial: { source: 'nobody-to-ask' } },
      });
    },
  ],
  H19: [
    'memories have scopes and ids, secrets are refused, and memories are forgotten',
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
    'todo replaces the list, knows four states, and tells the program',
    async () => {
      const heard: unknown[] = [];
      const todos = createTodoStore({ onChange: (...told: unknown[]) => void heard.push(told) });
      const ground = createGround({ builtins: { todos } });
      const list = ['pending', 'in_progress', 'completed', 'cancelled'].map((status) => ({ content: status, status }));
      await ground.call('todo', { todos: [{ content: 'old' }] });
      const said = await ground.say('todo', { items: list });
      for (const { content } of list) expect(said).toContain(content);
      expect([said.includes('old'), heard.length]).toEqual([false, 2]);
    },
  ],
  H21: [
    'a question has two to nine options, waits, and a person may not want to answer',
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
    'a skill comes with its folder, and one that is not there names those that are',
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
    'compact takes no arguments, and says when there is nothing to do',
    async () => {
      const compactor = createHistoryCompactor({ keep: 1 });
      const source = createDispatcher({ registry: [createCompactTool(compactor)] });
      const say = async (): Promise<string> =>
        renderForModel(await source.dispatch({ id: 'c', name: 'compact', arguments: '' }));
      expect(await say()).toContain('NOTHING_TO_COMPACT');
      const told = Array.from({ length: 6 }, () => [user, { role: 'assistant', content: 'y' } as const]).flat();
      await compactor.shapeHistory(told, { turn: 1, usage: {} });
      expect(await say()).toContain('summary');
      expect((await compactor.shapeHistory(told, { turn: 2, usage: {} }))?.length).toBeLessThan(told.length);
    },
  ],
  H24: [
    'an agent is asked about once, knows its types, answers with its session, and hands out no work itself',
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
