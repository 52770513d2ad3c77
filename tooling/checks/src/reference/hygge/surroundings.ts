import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSkills } from '@haft/builtins';
import { allowAll, createDispatcher, renderForModel, success, ToolRegistry, type ToolSource } from '@haft/core';
import { fromStoredResult, toStoredResult } from '@haft/core/results';
import { loadPlugins, type PluginEvent, type PluginLoader } from '@haft/dynamic-tools';
import { createConnection, readServers } from '@haft/mcp';
import { createPermissionEngine, type Grant, type PermissionEngineOptions } from '@haft/permission';
import { createHooks, createSubagents, runAgent } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import { expect, onTestFinished } from 'vitest';
import { codeOf, createGround, makeFolder } from '../ground.ts';
import { makeCall, makeTool, runTool } from '../made-tool.ts';
import { serveTools } from '../serve-tools.ts';
import type { Shown } from '../walk-features.ts';

interface Loaded {
  readonly loader: PluginLoader;
  readonly registry: ToolRegistry;
  readonly folder: string;
  readonly events: readonly PluginEvent[];
}

async function load(files: Readonly<Record<string, string>>, registry = new ToolRegistry()): Promise<Loaded> {
  const folder = makeFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const events: PluginEvent[] = [];
  const onEvent = (event: PluginEvent): void => void events.push(event);
  const loader = await loadPlugins(folder, { registry, isolation: 'inline', onEvent });
  onTestFinished(() => loader.stop());
  return { loader, registry, folder, events };
}

const plugin = (name: string, rest = '', tool = `${name}_tool`): string =>
  `export default { name: '${name}', version: '1.0.0', ${rest}
   tools: [{ name: '${tool}', description: 'Is of ${name}.', kind: 'read', execute: () => '${name} did' }] };`;
const throwing = (): never => {
  throw new Error('broken');
};
const engine = (options: PermissionEngineOptions = {}) => ({ permission: createPermissionEngine(options) });

/** The surroundings of hygge's tools: errors, permission, plugins, hooks, agents and servers. */
export const surroundings: Readonly<Record<string, Shown>> = {
  H3: [
    'invalid arguments, a failing engine and a throwing body each have a code',
    async () => {
      const source = createDispatcher({ registry: [makeTool({ input: { type: 'object', properties: {} } })] });
      const broken = await source.dispatch({ ...makeCall('work', 'just words'), stopped: 'stop' });
      expect(codeOf(broken)).toMatch(/^INVALID_/);
      expect(codeOf(await runTool(makeTool(), {}, { permission: { ask: throwing } }))).toBe('PERMISSION_ENGINE_FAILED');
      expect(codeOf(await runTool(makeTool({ execute: throwing })))).toBe('EXECUTION_ERROR');
    },
  ],
  H5: [
    'audit data of a tool is kept with the result',
    async () => {
      const tool = makeTool({
        execute: (_args: unknown, { callId }: { callId: string }) => success(callId, 'x', { metadata: { rows: 3 } }),
      });
      const kept = JSON.stringify(await toStoredResult(await runTool(tool)));
      expect(fromStoredResult(JSON.parse(kept)).metadata).toMatchObject({ rows: 3 });
    },
  ],
  H27: [
    'reads inside the folder run; reads outside, writes and commands need an approval',
    async () => {
      const ground = createGround({ files: { 'a.txt': 'a\n' }, ...engine() });
      const codes = await Promise.all(
        [
          ['read', { path: 'a.txt' }],
          ['read', { path: '/etc/hostname' }],
          ['write', { path: 'b.txt', content: 'b' }],
          ['bash', { command: 'make' }],
        ].map(async ([name, args]) => codeOf(await ground.call(name as string, args))),
      );
      expect(codes).toEqual(['ok', 'PERMISSION_DENIED', 'PERMISSION_DENIED', 'PERMISSION_DENIED']);
    },
  ],
  H28: [
    'a permanent approval is stored and applies to agents too; a denial is not stored',
    async () => {
      let kept: readonly Grant[] = [];
      let asked = 0;
      const grantStore = { load: () => kept, save: (grants: readonly Grant[]) => void (kept = grants) };
      const first = createPermissionEngine({
        grantStore,
        ask: ({ arguments: args }) => {
          asked += 1;
          return (args as { n?: number }).n === 1 ? { action: 'allow', scope: 'always' } : { action: 'deny' };
        },
      });
      const tool = makeTool({ kind: 'other', input: { type: 'object', properties: { n: { type: 'integer' } } } });
      for (const n of [1, 1, 2, 2]) await runTool(tool, { n }, { permission: first }, { sessionId: `agent ${n}` });
      expect([asked, kept.length]).toEqual([3, 1]);
      const later = { permission: createPermissionEngine({ grantStore }) };
      expect(codeOf(await runTool(tool, { n: 1 }, later))).toBe('ok');
    },
  ],
  H31: [
    'a secret is protected behind a link, from a search of its folder and from a command',
    async () => {
      const ground = createGround({
        files: { '.env': 'KEY=geheim\n', 'a.txt': 'KEY=public\n' },
        links: { 'plain.txt': '.env' },
        ...engine({ mode: 'allow' }),
      });
      expect(codeOf(await ground.call('read', { path: 'plain.txt' }))).toBe('PERMISSION_DENIED');
      expect(codeOf(await ground.call('bash', { command: 'cat .env' }))).toBe('PERMISSION_DENIED');
      const found = await ground.say('grep', { pattern: 'KEY' });
      expect([found.includes('public'), found.includes('geheim')]).toEqual([true, false]);
    },
  ],
  H32: [
    'a plugin declares its name, version, entry and needs before it runs; a single file is a plugin too',
    async () => {
      const manifest = { entry: 'main.mjs', api: 1, description: 'Big.', capabilities: { hosts: ['a.example'] } };
      const { loader } = await load({
        'big/plugin.json': JSON.stringify(manifest),
        'big/main.mjs': plugin('big'),
        'lone.mjs': plugin('lone'),
        'late/plugin.json': JSON.stringify({ api: 99 }),
        'late/index.mjs': 'throw new Error("ran")',
      });
      const [big, late, lone] = loader.plugins();
      expect(big).toMatchObject({
        name: 'big',
        version: '1.0.0',
        state: 'live',
        capabilities: { hosts: ['a.example'] },
      });
      expect(late).toMatchObject({ state: 'failed', failure: { phase: 'discover' } });
      expect(lone).toMatchObject({ id: 'lone', state: 'live' });
    },
  ],
  H33: [
    'a plugin may lie elsewhere, or be an installed package: a link in the folder loads it',
    async () => {
      const { loader, folder, registry } = await load({});
      const elsewhere = makeFolder();
      const installed = join(elsewhere, 'node_modules', 'packed');
      mkdirSync(installed, { recursive: true });
      writeFileSync(join(elsewhere, 'local.mjs'), plugin('local'));
      writeFileSync(join(installed, 'package.json'), JSON.stringify({ type: 'module', exports: './entry.js' }));
      writeFileSync(join(installed, 'entry.js'), plugin('packed'));
      const both = new Promise<void>((resolve) => {
        loader.onEvent(
          ({ type }) =>
            void (type === 'loaded' && registry.has('local_tool') && registry.has('packed_tool') && resolve()),
        );
      });
      symlinkSync(join(elsewhere, 'local.mjs'), join(folder, 'local.mjs'));
      symlinkSync(installed, join(folder, 'packed'));
      await both;
      const called = await createDispatcher({ registry }).dispatch(makeCall('packed_tool'));
      expect(renderForModel(called)).toBe('packed did');
    },
  ],
  H34: [
    'a new version replaces all tools of the old one, and a version that fails halfway leaves nothing behind',
    async () => {
      const own = new ToolRegistry();
      own.register(makeTool({ name: 'taken' }));
      const { loader, folder, registry } = await load(
        {
          'a.mjs': plugin('a', '', 'old_name'),
          'b.mjs': `export default { name: 'b', version: '1.0.0', tools: [
             { name: 'b_free', description: 'Free.', execute: () => '' }, { name: 'taken', description: 'No.', execute: () => '' }] };`,
        },
        own,
      );
      expect([registry.has('b_free'), registry.get('taken')?.description]).toEqual([false, 'Works.']);
      writeFileSync(join(folder, 'a.mjs'), plugin('a', '', 'new_name'));
      await loader.reload('a');
      expect([registry.has('old_name'), registry.has('new_name')]).toEqual([false, true]);
    },
  ],
  H35: [
    'a faulty plugin does not affect others, and its error names the file',
    async () => {
      const { registry, events } = await load({
        'bad.mjs': 'export default {\n oops,\n};',
        'good.mjs': plugin('good'),
      });
      expect(registry.has('good_tool')).toBe(true);
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'failed',
          failure: expect.objectContaining({ file: 'bad.mjs', line: 2 }) as object,
        }),
      );
    },
  ],
  H36: [
    'a plugin provides tools, hooks, prompts and resources, and has its own log',
    async () => {
      const rest = `prompts: [{ name: 'review', prepare: () => 'Review.' }],
        resources: [{ uri: 'notes://today', name: 'Today', type: 'text/plain', read: () => 'tea' }],
        hooks: { beforeCall: () => ({ deny: 'not today' }) },`;
      const { loader, registry } = await load({ 'full.mjs': plugin('full', rest) });
      expect([loader.prompts().map(({ name }) => name), loader.resources().map(({ uri }) => uri)]).toEqual([
        ['review'],
        ['notes://today'],
      ]);
      const denied = await createDispatcher({ registry, middleware: [loader.hooks] }).dispatch(makeCall('full_tool'));
      expect(denied).toMatchObject({ error: { denial: { reason: 'not today' } } });
    },
  ],
  H37: [
    'a hook that throws or never answers denies the call',
    async () => {
      for (const beforeCall of ['() => { throw new Error("x") }', '() => new Promise(() => {})']) {
        const { loader } = await load({
          'guard.mjs': plugin('guard', `hooks: { timeoutMs: 20, beforeCall: ${beforeCall} },`),
        });
        expect(codeOf(await runTool(makeTool(), {}, { middleware: [loader.hooks] }))).toBe('PLUGIN_FAILED');
      }
    },
  ],
  H39: [
    'permission is checked for the arguments that a hook returned',
    async () => {
      const asked: unknown[] = [];
      const hooks = createHooks([{ name: 'safer', beforeCall: () => ({ arguments: { path: 'b' } }) }]);
      const permission = {
        ask: ({ arguments: args }: { arguments: unknown }) => (asked.push(args), { action: 'allow' } as const),
      };
      const tool = makeTool({ input: { type: 'object', properties: { path: { type: 'string' } } } });
      await runTool(tool, { path: 'a' }, { permission, middleware: [hooks] });
      expect(asked).toEqual([{ path: 'b' }]);
    },
  ],
  H40: [
    'skills of a later folder take precedence, and invalid skills are reported',
    async () => {
      const skill = (name: string, says: string): string =>
        `---\nname: ${name}\ndescription: ${says}.\nextra: kept\n---\n${says}`;
      const { folder } = createGround({
        files: {
          'home/review.md': skill('review', 'Home'),
          'home/Bad_Name.md': skill('Bad_Name', 'x'),
          'home/other.md': skill('another', 'x'),
          'project/review/SKILL.md': skill('review', 'Project'),
        },
      });
      const library = await loadSkills({ directories: [join(folder, 'home'), join(folder, 'project')] });
      expect(library.skills.map(({ description }) => description)).toEqual(['Project.']);
      expect(library.problems).toHaveLength(2);
    },
  ],
  H41: [
    'types of agents have a description, a prompt, tools and a model, and can change',
    async () => {
      const own = scriptedModel(['Own.']);
      let types: Record<string, object> = { general: { description: 'Does anything.' } };
      const subagents = createSubagents({
        model: scriptedModel([]),
        source: (): ToolSource => source,
        types: () => types as never,
      });
      const source = createDispatcher({
        registry: [...subagents.tools, makeTool(), makeTool({ name: 'b' })],
        permission: allowAll,
      });
      types = { reader: { description: 'Reads.', systemPrompt: 'You read.', model: own, allow: { tools: ['b'] } } };
      const ask = (subagent_type: string) => source.dispatch(makeCall('subagent', { subagent_type, prompt: 'x' }));
      expect(codeOf(await ask('general'))).toBe('INVALID_ARGS');
      expect(renderForModel(await ask('reader'))).toBe('Own.');
      expect(own.requests[0]).toMatchObject({ messages: [{ content: 'You read.' }, {}], tools: [{ name: 'b' }] });
    },
  ],
  H42: [
    'servers are read from a file, their tools carry their name, and a changed list is reloaded',
    async () => {
      const { servers, problems } = readServers({
        mcpServers: { Shop: { url: 'https://shop.example/mcp' }, bad: { args: 3 } },
      });
      expect([Object.keys(servers), problems.length]).toEqual([['Shop'], 1]);
      const registry = new ToolRegistry();
      const served = serveTools([makeTool({ name: 'price' })]);
      const changed = new Promise<void>(
        (resolve) => void registry.onChange(() => registry.has('shop_stock') && resolve()),
      );
      const connection = await createConnection({ ...served.reach, name: 'shop', registry });
      onTestFinished(() => connection.close());
      expect(registry.names).toEqual(['shop_price']);
      served.registry.register(makeTool({ name: 'stock' }));
      await changed;
      const source = createDispatcher({ registry, permission: allowAll });
      expect(renderForModel(await source.dispatch(makeCall('shop_stock')))).toMatch(/untrusted[^]*done/);
    },
  ],
  H44: [
    'a run has a limit',
    async () => {
      const again = { calls: [{ name: 'work' }] };
      const model = scriptedModel([again, again, 'Enough.']);
      const run = await runAgent({ model, tools: [makeTool()], prompt: 'x', maxToolIterations: 2 });
      expect([run.stopReason, run.calls.length, run.text]).toEqual(['limit', 2, 'Enough.']);
    },
  ],
};
