import { createLocalSearch, createPlanStore, loadSkills } from '@haft/builtins';
import { createDispatcher, type ToolEvent, type ToolSource } from '@haft/core';
import { createProgramTool } from '@haft/dynamic-tools';
import { createSubagents, runAgent } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { confine, createJail, writeConfinedFile } from '@haft/sandbox';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { codeOf, createGround, makeFolder, textOf, type Ground } from '../ground.ts';
import { makeTool } from '../made-tool.ts';
import type { Shown } from '../walk-features.ts';

async function readGround(text: string): Promise<Ground> {
  const ground = createGround({ files: { 'a.txt': text } });
  await ground.call('read', { path: 'a.txt' });
  return ground;
}
/** The line anchors of a file, as `read` shows them. */
const anchorsOf = async (ground: Ground): Promise<readonly string[]> =>
  (await ground.say('read', { path: 'a.txt', hash_len: 4 })).split('\n').map((line) => line.split('→')[0] ?? '');

/** The tools of zarlmono, and their roots. */
export const builtins: Readonly<Record<string, Shown>> = {
  Z88: [
    'read shows lines with their hashes, and refuses binary files',
    async () => {
      const ground = createGround({ files: { 'a.txt': 'one\ntwo\n', 'b.bin': Uint8Array.of(1, 0, 2) } });
      expect(await ground.say('read', { path: 'a.txt', hash_len: 3 })).toMatch(/^1:[0-9a-f]{3}→one\n2:[0-9a-f]{3}→two/);
      expect(codeOf(await ground.call('read', { path: 'b.bin' }))).toBe('BINARY_FILE');
    },
  ],
  Z89: [
    'write replaces only files that were read, and append adds a line',
    async () => {
      const ground = createGround({ files: { 'a.txt': 'one' } });
      const refused = await ground.say('write', { path: 'a.txt', content: 'x' });
      expect(refused).toMatch(/NOT_READ[^]*read/);
      await ground.call('append', { path: 'a.txt', content: 'two\n' });
      expect(ground.text('a.txt')).toBe('one\ntwo\n');
    },
  ],
  Z90: [
    'edits name lines by hash and follow moved lines; a stale hash changes nothing',
    async () => {
      const ground = await readGround('one\ntwo\nthree\n');
      const anchors = await anchorsOf(ground);
      await ground.call('edit', { path: 'a.txt', start_anchor: anchors[0], new_text: 'zero\n', mode: 'insert_before' });
      const moved = await ground.say('edit', { path: 'a.txt', start_anchor: anchors[2], new_text: 'THREE\n' });
      expect(ground.text('a.txt')).toBe('zero\none\ntwo\nTHREE\n');
      expect(moved).toMatch(/4:[0-9a-f]{4}/);
      const stale = await ground.say('edit', { path: 'a.txt', start_anchor: '2:0000', new_text: 'x' });
      expect(stale).toMatch(/two/);
      expect(ground.text('a.txt')).toBe('zero\none\ntwo\nTHREE\n');
    },
  ],
  Z91: [
    'a text is found exactly, otherwise with different white space if that is unique',
    async () => {
      const ground = await readGround('if (a) {\n    go();\n}\n');
      await ground.call('edit', {
        path: 'a.txt',
        old_string: 'if (a) {\n  go();\n}',
        new_string: 'if (a) {\n  stop();\n}',
      });
      expect(ground.text('a.txt')).toBe('if (a) {\n    stop();\n}\n');
    },
  ],
  Z92: [
    'ls, glob and grep accept their options, and report an invalid pattern instead of an empty result',
    async () => {
      const ground = createGround({ files: { 'd/a.ts': 'Tea\n', '.b': 'tea\n' } });
      expect(await ground.say('ls', { show_hidden: true })).toContain('.b');
      expect(await ground.say('glob', { pattern: '*', root: '.', include_dirs: true })).toContain('d/');
      expect(
        (await ground.call('grep', { pattern: 'tea', case_insensitive: true, glob: '*.ts' })).structured,
      ).toHaveLength(1);
      expect(codeOf(await ground.call('grep', { pattern: '[' }))).toBe('INVALID_PATTERN');
    },
  ],
  Z94: [
    'a patch over several files is applied completely or not at all',
    async () => {
      const ground = createGround({ files: { 'a.txt': 'one\n', 'b.txt': 'two\r\n' } });
      const patch = (end: string): string =>
        `*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** Update File: b.txt\n@@\n-${end}\n+2\n*** Add File: c.txt\n+new\n*** End Patch`;
      expect((await ground.call('apply_patch', { patch: patch('three') })).ok).toBe(false);
      expect([ground.text('a.txt'), ground.has('c.txt')]).toEqual(['one\n', false]);
      await ground.call('apply_patch', { patch: patch('two') });
      expect([ground.text('a.txt'), ground.text('b.txt'), ground.text('c.txt')]).toEqual(['1\n', '2\r\n', 'new\n']);
    },
  ],
  Z95: [
    'a command has no colours and no secrets of the program, and runs in the background on request',
    async () => {
      process.env['WALK_SECRET'] = 'geheim';
      const ground = createGround();
      const said = await ground.say('bash', { command: String.raw`printf '\033[31mred\033[0m %s\n' "$WALK_SECRET"` });
      delete process.env['WALK_SECRET'];
      expect(said).toMatch(/^red ?$/m);
      const started = await ground.call('bash', { command: 'echo begun; sleep 30', background: true });
      expect(started.effects).toMatchObject([{ kind: 'process', background: true }]);
      const id = /\b(process_?\w+|p\d+|\w+_\d+)\b/.exec(JSON.stringify(started.structured ?? started.metadata))?.[0];
      await ground.call('stop_process', { id });
    },
  ],
  Z96: [
    'the output of a process is read from a cursor, and processes are listed and stopped',
    async () => {
      const ground = createGround();
      await ground.call('bash', { command: 'echo one; echo two; sleep 30', background: true });
      const [{ id }] = (await ground.call('list_processes')).structured as [{ id: string }];
      const first = (await ground.call('bash_output', { process_id: id, cursor: 0, wait_ms: 2_000, output: 'json' }))
        .structured;
      expect(first).toMatchObject({ text: expect.stringContaining('one') as string });
      expect(codeOf(await ground.call('stop_process', { process_id: id, signal: 'KILL' }))).toBe('ok');
      expect(await ground.say('list_processes')).toContain(id);
    },
  ],
  Z97: [
    'plans are written, extended and read, and tasks have states',
    async () => {
      const plans = createPlanStore();
      const ground = createGround({ builtins: { plans } });
      await ground.call('plan', { content: '# Goal\n' });
      await ground.call('plan', { append: 'Step one.\n' });
      expect(await ground.say('plan')).toMatch(/# Goal[^]*Step one\./);
      const plan = [{ step: 'test', status: 'in_progress' }];
      expect(await ground.say('todo', { steps: plan })).toContain('test');
    },
  ],
  Z98: [
    'the web is searched and fetched, and internal addresses are refused in every spelling',
    async () => {
      const search = createLocalSearch([{ title: 'Tea', url: 'https://a.example/tea', snippet: 'All about tea' }]);
      const ground = createGround({ builtins: { search } });
      expect(await ground.say('web_search', { query: 'tea', max_results: 3 })).toContain('https://a.example/tea');
      expect((await ground.call('web_search', { query: 'tea', output: 'json' })).structured).toMatchObject([
        { title: 'Tea' },
      ]);
      for (const url of ['http://0x7f.1/', 'http://[::ffff:127.0.0.1]/', 'http://localhost/'])
        expect(codeOf(await ground.call('web_fetch', { url }))).toBe('PERMISSION_DENIED');
    },
  ],
  Z99: [
    'skills are listed, read and written as files',
    async () => {
      const folder = makeFolder();
      const skills = await loadSkills({ directories: [folder] });
      const ground = createGround({ builtins: { skills }, workspace: { writeRoots: [folder] } });
      const content = '---\nname: tea\ndescription: How tea is made.\n---\nBoil water.';
      expect(codeOf(await ground.call('write', { path: join(folder, 'tea.md'), content }))).toBe('ok');
      await skills.refresh();
      expect((await ground.source.visibleTo({ name: 'm' })).get('skill')?.description).toContain('How tea is made.');
      expect(await ground.say('skill', { name: 'tea' })).toContain('Boil water.');
    },
  ],
  Z100: [
    'agents run in the background, and can be inspected, awaited and stopped',
    async () => {
      let answer: (text: string) => void = () => undefined;
      const answered = new Promise<string>((resolve) => (answer = resolve));
      const subagents = createSubagents({
        model: scriptedModel([() => answered, { text: 'x', instead: 'silence' }]),
        source: (): ToolSource => source,
        types: { explore: { description: 'Finds things.' } },
      });
      const source = createDispatcher({
        registry: [...subagents.tools, makeTool()],
        permission: { ask: () => ({ action: 'allow' }) },
        middleware: [subagents.middleware],
      });
      const spawn = { name: 'agent_spawn', arguments: { agent: 'explore', prompt: 'Where?' } };
      const idOf = (content: unknown): string => /Agent (\S+) is working/.exec(JSON.stringify(content))?.[1] ?? '';
      const ids: string[] = [];
      const model = scriptedModel([
        { calls: [spawn, spawn] },
        ({ messages }) => {
          ids.push(...messages.flatMap((each) => (each.role === 'tool' ? [idOf(each.content)] : [])));
          return { calls: [{ name: 'agent_status' }, { name: 'agent_stop', arguments: { agent_id: ids[1] } }] };
        },
        () => (answer('Chapter 3.'), { calls: [{ name: 'agent_await', arguments: { agent_id: ids[0] } }] }),
        'Done.',
      ]);
      const run = await runAgent({ model, tools: source, prompt: 'x' });
      const said = run.calls.map(({ result }) => JSON.stringify(result.content));
      expect(said[2]).toContain('running');
      expect(said[3]).toContain('being stopped');
      expect(said[4]).toContain('Chapter 3.');
    },
  ],
  Z101: [
    'one script makes many calls, also in parallel, each authorized and reported separately, within limits and without a deadlock',
    async () => {
      const asked: string[] = [];
      const double = makeTool({
        name: 'double',
        input: { type: 'object', properties: { n: { type: 'number' } } },
        execute: ({ n }: { n: number }) => n * 2,
      });
      const program = createProgramTool({ source: (): ToolSource => source, jail: 'off', limits: { toolCalls: 3 } });
      const permission = { ask: ({ tool }: { tool: string }) => (asked.push(tool), { action: 'allow' } as const) };
      const inner: unknown[] = [];
      const observer = ({ action, data }: ToolEvent): void =>
        void (action === 'execute_start' && inner.push([data.name, data.parentCallId]));
      const source = createDispatcher({ registry: [program, double], permission, observer });
      const run = (script: string) => source.dispatch({ id: 'c', name: 'program', arguments: { script } });
      const all = 'return await Promise.all([1, 2, 3].map((n) => tools.double({ n })));';
      expect((await run(all)).structured).toEqual([2, 4, 6]);
      expect(asked).toEqual(['program', 'double', 'double', 'double']);
      expect(inner.slice(1)).toEqual([1, 2, 3].map(() => ['double', 'c']));
      expect(textOf(await run(all.replace('3]', '3, 4]')))).toMatch(/LIMIT_REACHED|3 calls/);
    },
  ],
  Z102: [
    'links are resolved completely, names may contain dots, and read roots may be wider than write roots',
    async () => {
      const [inside, outside] = [makeFolder(), makeFolder()];
      symlinkSync(outside, join(inside, 'link'));
      mkdirSync(join(inside, '..foo'));
      expect(await confine([inside], join(inside, 'link', 'new', 'x.txt'))).toMatchObject({ ok: false });
      expect(await writeConfinedFile([inside], join(inside, '..foo', 'x.txt'), Buffer.from('x'))).toMatchObject({
        ok: true,
      });
      expect(readFileSync(join(inside, '..foo', 'x.txt'), 'utf8')).toBe('x');
      const ground = createGround({ workspace: { readRoots: 'unrestricted' } });
      expect(codeOf(await ground.call('read', { path: '/etc/passwd' }))).toBe('ok');
      expect(codeOf(await ground.call('write', { path: join(outside, 'x.txt'), content: 'x' }))).toBe(
        'OUTSIDE_WRITE_ROOTS',
      );
    },
  ],
  Z103: [
    "commands can be confined by the system's jail or refused, and calls that share files wait for each other",
    async () => {
      const jail = await createJail({ policy: 'preferred', write: [makeFolder()], onWarning: () => undefined });
      if (!jail.ok) throw new Error(jail.message);
      // Uses the jail of the system if available; `required` fails without one.
      expect(jail.wrap({ file: '/bin/true', args: [] }).file !== '/bin/true').toBe(jail.driver !== 'none');
      await jail.close();
      const order: string[] = [];
      const slow = makeTool({
        kind: 'edit',
        input: { type: 'object', properties: { by: { type: 'string' } } },
        footprint: () => ({ reads: [], writes: ['file:/shared'] }),
        execute: async ({ by }: { by: string }) => {
          order.push(`${by}+`);
          await new Promise((resolve) => setImmediate(resolve));
          order.push(`${by}-`);
        },
      });
      const source = createDispatcher({ registry: [slow], permission: { ask: () => ({ action: 'allow' }) } });
      await source.dispatchBatch(['a', 'b'].map((by) => ({ id: by, name: 'work', arguments: { by } })));
      expect(order).toEqual(['a+', 'a-', 'b+', 'b-']);
    },
  ],
};
