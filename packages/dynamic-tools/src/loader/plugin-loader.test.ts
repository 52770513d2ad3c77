import { rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTool, silentLogger } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';

const open: PluginFolder[] = [];

async function start(options: Parameters<typeof openPluginFolder>[0] = {}): Promise<PluginFolder> {
  const folder = await openPluginFolder(options);
  open.push(folder);
  return folder;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.end()));
});

describe('plugin folder', () => {
  it('serves existing files and folders under dynamic/plugin/<id>', async () => {
    const folder = await start();
    await folder.write('one.mjs', pluginSource('one_tool', 'one'));
    await folder.write('two/index.ts', pluginSource('two_tool', 'two'));
    await folder.write('three/package.json', '{"name":"third","type":"module","main":"./lib/main.js"}');
    await folder.write('three/lib/main.js', pluginSource('three_tool', 'three'));
    await folder.loader.ready;
    expect(folder.registry.names).toEqual(['list_plugins', 'one_tool', 'reload_plugin', 'three_tool', 'two_tool']);
    expect(folder.registry.providerFor('two_tool')).toBe('dynamic/plugin/two');
    expect(folder.registry.providerFor('list_plugins')).toBe('lifecycle');
    expect(await folder.text('one_tool')).toBe('one');
    expect(await folder.text('two_tool')).toBe('two');
    expect(await folder.text('three_tool')).toBe('three');
  });

  it('follows a plugin that is added, changed, renamed, removed and created again', async () => {
    const folder = await start();
    await folder.loader.ready;
    await folder.write('weather.ts', pluginSource('get_weather', 'rain'));
    expect((await folder.event('loaded', 'weather')).plugin).toMatchObject({
      state: 'live',
      revision: 1,
      tools: ['get_weather'],
    });
    expect(await folder.text('get_weather')).toBe('rain');

    await folder.write('weather.ts', pluginSource('get_weather', 'sun'));
    await folder.event('replaced', 'weather');
    expect(await folder.text('get_weather')).toBe('sun');

    await rename(join(folder.directory, 'weather.ts'), join(folder.directory, 'climate.ts'));
    await folder.event('loaded', 'climate');

    await unlink(join(folder.directory, 'climate.ts'));
    await folder.event('removed', 'climate');
    expect(folder.registry.has('get_weather')).toBe(false);

    await folder.write('climate.ts', pluginSource('get_weather', 'snow'));
    await folder.event('loaded', 'climate');
    expect(await folder.text('get_weather')).toBe('snow');
  });

  it('reloads a plugin when an imported file changes', async () => {
    const folder = await start();
    await folder.write('deep/lib/answer.ts', `import { word } from './word.ts';\nexport const answer: string = word;`);
    await folder.write('deep/lib/word.ts', `export const word: string = 'old';`);
    await folder.write(
      'deep/index.ts',
      `import { answer } from './lib/answer.ts';
       export default { name: 'deep', version: '1.0.0', tools: [{ name: 'deep_tool', description: 'Answers.', input: { type: 'object' }, execute: () => answer }] };`,
    );
    await folder.loader.ready;
    expect(await folder.text('deep_tool')).toBe('old');
    await folder.write('deep/lib/word.ts', `export const word: string = 'new';`);
    await folder.event('replaced', 'deep');
    expect(await folder.text('deep_tool')).toBe('new');
  });

  it('lets a plugin outside of any workspace import core and zod from the host', async () => {
    const folder = await start();
    await folder.write(
      'typed.ts',
      `import { defineTool, silentLogger } from '@haft/core';
       import { definePlugin } from '@haft/dynamic-tools';
       import { z } from 'zod';
       export default definePlugin({
         name: 'typed', version: '1.0.0',
         tools: [defineTool({ name: 'add', description: 'Adds.', input: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => String(a + b) })],
       });`,
    );
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([{ state: 'live' }]);
    expect(await folder.text('add', { a: 2, b: 3 })).toBe('5');
    expect(await folder.text('add', { a: 2 })).toContain('INVALID_ARGS');
  });
});

describe('a CommonJS file in the plugin folder', () => {
  it('is reported with the name to give it, until it is renamed', async () => {
    const folder = await start();
    await folder.write('weather.cjs', 'module.exports = { tools: [] };');
    await folder.write('weather.test.cjs', '');
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([{ id: 'weather.cjs', state: 'failed' }]);
    expect((await folder.event('failed')).failure).toEqual({
      id: 'weather.cjs',
      phase: 'discover',
      file: 'weather.cjs',
      message:
        'it is a CommonJS module, but plugins are ES modules (expected weather.mjs with "export default { … }" instead of "module.exports = { … }")',
    });
    await folder.write('weather.cjs', pluginSource('get_weather', 'rain'));
    await rename(join(folder.directory, 'weather.cjs'), join(folder.directory, 'weather.mjs'));
    await folder.event('loaded', 'weather');
    await folder.until(() => folder.loader.plugins().length === 1);
  });
});

describe('version that does not load', () => {
  const broken: readonly (readonly [
    what: string,
    source: string,
    phase: string,
    line: number | undefined,
    message: RegExp,
  ])[] = [
    ['does not parse', 'export default {\n  name: ,\n};', 'import', 2, /Unexpected token|Expression expected/],
    ['throws', '\n\nthrow new Error("boom");', 'import', 3, /boom/],
    [
      'lacks a package',
      '\nimport x from "not-installed-anywhere";\nexport default x;',
      'import',
      2,
      /not-installed-anywhere/,
    ],
    ['lacks a file', '\nimport x from "./gone.ts";\nexport default x;', 'import', 2, /gone\.ts/],
    [
      'never finishes loading',
      'await new Promise(() => {});',
      'import',
      undefined,
      /did not finish loading within 300 ms/,
    ],
    ['exports nothing', 'export const x = 1;', 'validate', undefined, /no default export/],
    [
      'misspells a member',
      'export default { name: "x", version: "1", tool: [] };',
      'validate',
      undefined,
      /tool is not a member of a plugin; did you mean tools\?/,
    ],
    ['brings no tool', 'export default { name: "x", version: "1", tools: [] };', 'validate', undefined, /no tools/],
    [
      'brings an invalid tool',
      'export default { name: "x", version: "1", tools: [{ name: "Bad Name", description: "x", input: {}, execute() {} }] };',
      'validate',
      undefined,
      /Bad Name/,
    ],
    [
      'has a version that is no text',
      'export default { name: "x", version: 1, tools: [] };',
      'validate',
      undefined,
      /^version must be a string such as 1\.0\.0 \(got number\)$/,
    ],
  ];
  for (const extension of ['ts', 'mjs']) {
    it.each(broken)(
      `keeps the old version and reports the reason when it %s (${extension})`,
      async (_what, source, phase, line, message) => {
        const folder = await start({ loadTimeoutMs: 300 });
        await folder.write(`weather.${extension}`, pluginSource('get_weather', 'old'));
        await folder.loader.ready;
        await folder.write(`weather.${extension}`, source);
        const { failure, serving } = await folder.event('failed', 'weather');
        expect(serving).toBe(true);
        expect(failure).toMatchObject({ id: 'weather', phase, file: `weather.${extension}` });
        expect(failure.line).toBe(line);
        expect('line' in failure).toBe(line !== undefined);
        expect(failure.message).toMatch(message);
        expect(failure.message).not.toContain(folder.directory);
        expect(await folder.text('get_weather')).toBe('old');
        const listed = await folder.text('list_plugins');
        expect(listed).toContain(`failed (${phase}) in weather.${extension}`);
        expect(listed).toContain('outdated');

        await folder.write(`weather.${extension}`, pluginSource('get_weather', 'mended'));
        await folder.event('replaced', 'weather');
        expect(await folder.text('get_weather')).toBe('mended');
        expect(await folder.text('list_plugins')).not.toContain('failed');
      },
    );
  }

  it('delays no other plugin', async () => {
    const folder = await start({ loadTimeoutMs: 60_000 });
    await folder.write('hung.ts', 'await new Promise(() => {});');
    await folder.write('good.ts', pluginSource('good_tool', 'good'));
    void folder.loader.start();
    await folder.event('loaded', 'good');
    expect(await folder.text('good_tool')).toBe('good');
    await rm(join(folder.directory, 'hung.ts'));
    await writeFile(join(folder.directory, 'other.ts'), pluginSource('other_tool', 'other'));
    await folder.event('loaded', 'other');
  });
});

describe('the logger of a loader', () => {
  it('gets a warning for a version that did not finish loading before a newer one was saved', async () => {
    const lines: unknown[] = [];
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) };
    const folder = await start({ logger, loadTimeoutMs: 300 });
    const hanging = new Promise<void>((resolve) => Reflect.set(globalThis, 'hangs', resolve));
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'hangs'));
    await folder.write('weather.mjs', 'globalThis.hangs(); await new Promise(() => {});');
    void folder.loader.start();
    await hanging;
    await folder.write('weather.mjs', pluginSource('get_weather', 'mended'));
    await folder.event('loaded', 'weather');
    const message = 'the plugin weather did not finish loading within 300 ms, which delayed its newer version';
    expect(lines).toEqual([[message, { plugin: 'weather' }]]);
  });

  it('gets a warning for each failed load, with the file and the line, and for a missing folder', async () => {
    const lines: unknown[] = [];
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) };
    const root = (await start()).directory;
    const folder = await start({ logger, directory: join(root, 'later') });
    await folder.loader.ready;
    const missing = 'the folder does not exist yet; its plugins load as soon as it is created';
    expect(lines.splice(0)).toEqual([[`${folder.directory}: ${missing}`]]);
    await folder.write('weather.mjs', '\n}');
    await folder.event('failed', 'weather');
    const error = "(weather.mjs:2): SyntaxError: Unexpected token '}'";
    expect(lines.splice(0)).toEqual([[`the plugin weather is not loaded ${error}`, { plugin: 'weather' }]]);
    await folder.write('weather.mjs', pluginSource('get_weather', 'old'));
    await folder.event('loaded', 'weather');
    await folder.write('weather.mjs', '\n}');
    await folder.event('failed', 'weather');
    const newVersion = `the new version of the plugin weather is not loaded ${error}; the previous version still answers`;
    expect(lines).toEqual([[newVersion, { plugin: 'weather' }]]);
  });
});

describe('plugin tool names', () => {
  it("can't be those of built-in tools, lifecycle tools or other plugins", async () => {
    const folder = await start();
    const builtin = defineTool({
      name: 'read',
      description: 'Reads.',
      input: { type: 'object' },
      kind: 'read',
      execute: () => 'builtin',
    });
    folder.registry.registerWithProvider(eraseTool(builtin), 'builtin');
    await folder.write('a.ts', pluginSource('shared_tool', 'a'));
    await folder.write('b.ts', pluginSource('shared_tool', 'b'));
    await folder.write('c.ts', pluginSource('read', 'c'));
    await folder.write('d.ts', pluginSource('list_plugins', 'd'));
    await folder.loader.ready;
    expect(await folder.text('shared_tool')).toBe('a');
    expect(await folder.text('read')).toBe('builtin');
    expect(folder.loader.plugins().map(({ id, state, failure }) => [id, state, failure?.message])).toEqual([
      ['a', 'live', undefined],
      ['b', 'failed', 'the tool name shared_tool is taken by the plugin a; choose another name'],
      [
        'c',
        'failed',
        'the tool name read is taken by a tool of the program (builtin); choose another name, or list "read" in mayShadow',
      ],
      ['d', 'failed', 'the tool name list_plugins is taken by a tool that manages other tools; choose another name'],
    ]);
    await rm(join(folder.directory, 'a.ts'));
    await folder.event('removed', 'a');
    await folder.event('loaded', 'b');
    expect(await folder.text('shared_tool')).toBe('b');
  });
});
