import { writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function open(options: Parameters<typeof openPluginFolder>[0] = {}): Promise<PluginFolder> {
  const folder = await openPluginFolder(options);
  endings.push(() => folder.end());
  return folder;
}

async function temporaryFolder(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'haft-outside-')));
  endings.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const importing = (what: string, tool = 'answer'): string => `${what}
export default { name: 'x', version: '1.0.0', tools: [{ name: '${tool}', description: 'Answers.', input: { type: 'object' }, execute: () => String(word) }] };`;

describe('plugin file changes', () => {
  it('merge quick writes into few loads, and load the last one', async () => {
    const folder = await open();
    await folder.loader.ready;
    // Synchronous, so that nothing else can happen in between.
    for (let count = 0; count <= 40; count += 1)
      writeFileSync(join(folder.directory, 'busy.ts'), pluginSource('busy', `version ${count}`));
    await folder.event('loaded', 'busy');
    await expect.poll(() => folder.text('busy')).toBe('version 40');
    expect(folder.events.filter((event) => event.type === 'loaded' || event.type === 'replaced').length).toBeLessThan(
      10,
    );
  });

  it('never serve a file that is half written', async () => {
    const folder = await open();
    const whole = pluginSource('slow_write', 'whole');
    await folder.write('slow.ts', pluginSource('slow_write', 'before'));
    await folder.loader.ready;
    for (let length = 0; length < whole.length; length += 40) {
      await folder.write('slow.ts', whole.slice(0, length));
      expect(await folder.text('slow_write')).toBe('before');
    }
    await folder.write('slow.ts', whole);
    await folder.event('replaced', 'slow');
    expect(await folder.text('slow_write')).toBe('whole');
  });

  it('load a saved single file early, and do not report its incomplete states', async () => {
    // A time in the future counts as settled, regardless of how long the test takes.
    const folder = await open({ settleMs: 2_000 });
    const file = join(folder.directory, 'quick.mjs');
    await writeFile(file, pluginSource('quick', 'before'));
    await utimes(file, Date.now() / 1_000 + 3_600, Date.now() / 1_000 + 3_600);
    await folder.loader.ready;
    let sawHalf = (): void => undefined;
    const half = new Promise<void>((resolve) => (sawHalf = resolve));
    const world = globalThis as { haftHalf?: () => void };
    world.haftHalf = () => sawHalf();
    onTestFinished(() => void delete world.haftHalf);
    await writeFile(file, `globalThis.haftHalf();\nthrow new Error('half of it');`);
    await half;
    await writeFile(file, pluginSource('quick', 'after'));
    await folder.event('replaced', 'quick');
    expect(await folder.text('quick')).toBe('after');
    expect(folder.events.map(({ type }) => type)).not.toContain('failed');
    await writeFile(file, `throw new Error('all of it');`);
    expect((await folder.event('failed', 'quick')).failure.message).toBe('all of it');
  });

  it('serve a folder that is copied slowly once it is complete', async () => {
    const folder = await open();
    await folder.loader.ready;
    await folder.write('parts/index.ts', importing(`import { word } from './lib/word.ts';`));
    const { failure } = await folder.event('failed', 'parts');
    expect(failure).toMatchObject({ phase: 'import', file: 'parts/index.ts', line: 1 });
    await folder.write('parts/lib/word.ts', `export const word: string = 'there';`);
    await folder.event('loaded', 'parts');
    expect(await folder.text('answer')).toBe('there');
  });

  it('serve a folder under its name after it is moved in, renamed and moved out', async () => {
    const folder = await open();
    const outside = await temporaryFolder();
    await mkdir(join(outside, 'tool'));
    await writeFile(join(outside, 'tool', 'index.mjs'), pluginSource('moved', 'here'));
    await folder.loader.ready;
    await rename(join(outside, 'tool'), join(folder.directory, 'first'));
    await folder.event('loaded', 'first');
    await rename(join(folder.directory, 'first'), join(folder.directory, 'second'));
    await folder.event('loaded', 'second');
    expect(folder.loader.plugins().map((plugin) => plugin.id)).toEqual(['second']);
    expect(folder.registry.providerFor('moved')).toBe('dynamic/plugin/second');
    await rename(join(folder.directory, 'second'), join(outside, 'tool'));
    await folder.event('removed', 'second');
    expect(folder.registry.names).toEqual(['list_plugins', 'reload_plugin']);
    await cp(join(outside, 'tool'), join(folder.directory, 'first'), { recursive: true });
    await folder.event('loaded', 'first');
  });

  it('are watched when the folder is created, removed and created again', async () => {
    const outside = await temporaryFolder();
    const folder = await open({ directory: join(outside, 'later') });
    await folder.loader.ready;
    await folder.write('a.ts', pluginSource('a_tool', 'a'));
    await folder.event('loaded', 'a');
    await rm(folder.directory, { recursive: true });
    await folder.event('removed', 'a');
    await folder.write('b.ts', pluginSource('b_tool', 'b'));
    await folder.event('loaded', 'b');
    expect(folder.registry.names).toEqual(['b_tool', 'list_plugins', 'reload_plugin']);
  });

  it('follow a linked folder to its target', async () => {
    const folder = await open();
    const outside = await temporaryFolder();
    await writeFile(join(outside, 'word.ts'), `export const word: string = 'old';`);
    await writeFile(join(outside, 'index.ts'), importing(`import { word } from './word.ts';`));
    await symlink(outside, join(folder.directory, 'linked'));
    await folder.loader.ready;
    expect(await folder.text('answer')).toBe('old');
    await writeFile(join(outside, 'word.ts'), `export const word: string = 'new';`);
    await folder.event('replaced', 'linked');
    expect(await folder.text('answer')).toBe('new');
  });

  it('include imported files beside it and outside, JSON and CommonJS', async () => {
    const folder = await open();
    const outside = await temporaryFolder();
    await writeFile(join(outside, 'far.ts'), `export const far: string = 'far 1';`);
    await folder.write('_shared/near.ts', `export const near: string = 'near 1';`);
    await folder.write('mix/data.json', `{"json": "json 1"}`);
    await folder.write('mix/old.cjs', `module.exports = { old: 'cjs 1' };`);
    await folder.write(
      'mix/index.ts',
      importing(`import { far } from '${join(outside, 'far.ts')}';
        import { near } from '../_shared/near.ts';
        import data from './data.json' with { type: 'json' };
        import common from './old.cjs';
        const word = [far, near, data.json, common.old].join(', ');`),
    );
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([{ id: 'mix', state: 'live' }]);
    expect(await folder.text('answer')).toBe('far 1, near 1, json 1, cjs 1');
    await writeFile(join(outside, 'far.ts'), `export const far: string = 'far 2';`);
    await folder.event('replaced', 'mix');
    await folder.write('_shared/near.ts', `export const near: string = 'near 2';`);
    await folder.event('replaced', 'mix');
    await folder.write('mix/data.json', `{"json": "json 2"}`);
    await folder.event('replaced', 'mix');
    await folder.write('mix/old.cjs', `module.exports = { old: 'cjs 2' };`);
    await folder.event('replaced', 'mix');
    expect(await folder.text('answer')).toBe('far 2, near 2, json 2, cjs 2');
  });

  it('include files that are imported at run time', async () => {
    const folder = await open();
    await folder.write('lazy/word.ts', `export const word: string = 'old';`);
    await folder.write(
      'lazy/index.ts',
      importing(`const word = 'unused';`).replace('() => String(word)', `async () => (await import('./word.ts')).word`),
    );
    await folder.loader.ready;
    expect(await folder.text('answer')).toBe('old');
    await folder.write('lazy/word.ts', `export const word: string = 'new';`);
    await folder.event('replaced', 'lazy');
    expect(await folder.text('answer')).toBe('new');
  });

  it('include a file that an import did not find', async () => {
    const folder = await open();
    await folder.write('needy.ts', importing(`import { word } from './_lib/word.ts';`));
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([{ id: 'needy', state: 'failed' }]);
    await folder.write('_lib/word.ts', `export const word: string = 'found';`);
    await folder.event('loaded', 'needy');
    expect(await folder.text('answer')).toBe('found');
  });

  it("exclude the plugin's own output, notes and packages", async () => {
    const folder = await open();
    await folder.write('quiet/index.ts', pluginSource('quiet', 'quiet'));
    await folder.loader.ready;
    await folder.write('quiet/notes.md', 'a note');
    await folder.write('quiet/state.json', '{}');
    await folder.write('quiet/node_modules/x/index.js', 'export default 1;');
    await folder.write('README.md', 'about the plugins');
    await folder.write('.hidden.ts', pluginSource('hidden', 'x'));
    await folder.write('_draft.ts', pluginSource('draft', 'x'));
    await folder.write('some.test.ts', pluginSource('a_test', 'x'));
    await folder.write('types.d.ts', 'export {};');
    await folder.write('last.ts', pluginSource('last', 'x'));
    await folder.event('loaded', 'last');
    expect(folder.registry.names).toEqual(['last', 'list_plugins', 'quiet', 'reload_plugin']);
    expect(folder.events.map((event) => event.type)).toEqual(['loaded', 'loaded']);
  });
});

describe('plugin discovery', () => {
  it.each([
    ['a manifest that is no JSON', { 'package.json': '{' }, /package\.json is not valid/, 'odd/package.json'],
    [
      'an entry outside of its folder',
      { 'plugin.json': '{"entry": "../other.ts"}' },
      /not a file inside the plugin's folder/,
      'odd/plugin.json',
    ],
    [
      'an entry that is not there',
      { 'plugin.json': '{"entry": "main.ts"}' },
      /"main\.ts" does not exist/,
      'odd/plugin.json',
    ],
    [
      'a manifest of wrong types',
      { 'plugin.json': '{"name": "odd", "entry": ["main.ts"]}' },
      /plugin\.json is not valid: entry must be a string \(got a list\)/,
      'odd/plugin.json',
    ],
    [
      'a misspelled member in plugin.json',
      { 'plugin.json': '{"capabilites": {"hosts": ["example.com"]}}' },
      /plugin\.json is not valid: capabilites is not a member of a manifest; did you mean capabilities\?/,
      'odd/plugin.json',
    ],
    [
      'a misspelled member in package.json',
      { 'package.json': '{"haft": {"capabilites": {"hosts": ["example.com"]}}}' },
      /package\.json is not valid: capabilites is not a member of a manifest; did you mean capabilities\?/,
      'odd/package.json',
    ],
    [
      'capabilities outside haft in package.json',
      { 'package.json': '{"capabilities": {"hosts": ["example.com"]}}' },
      /package\.json is not valid: capabilities has no effect there; write "haft": \{ "capabilities": \{ … \} \}/,
      'odd/package.json',
    ],
    ['no entry', { 'notes.md': 'x' }, /no entry file/, ''],
  ])('ignores a folder with %s', async (_what, files, message, file) => {
    const folder = await open();
    for (const [name, text] of Object.entries(files)) await folder.write(`odd/${name}`, text);
    await folder.loader.ready;
    const [plugin] = folder.loader.plugins();
    expect(plugin).toMatchObject({ id: 'odd', state: 'failed', failure: { phase: 'discover', file } });
    expect(plugin!.failure!.message).toMatch(message);
    await rm(join(folder.directory, 'odd'), { recursive: true });
    await folder.event('removed', 'odd');
    expect(folder.loader.plugins()).toEqual([]);
  });

  it('reports a plugin whose capabilities are a named export, and accepts one that also has them as a member', async () => {
    const folder = await open();
    const named = `export const capabilities = { hosts: ['example.com'] };\n`;
    await folder.write('named.ts', named + pluginSource('named', 'x'));
    await folder.write('shared.ts', named + pluginSource('shared', 'x').replace('tools:', 'capabilities, tools:'));
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([
      { id: 'named', failure: { phase: 'validate', message: expect.stringMatching(/^its named export capabilities/) } },
      { id: 'shared', state: 'live', capabilities: { hosts: ['example.com'] } },
    ]);
  });

  it('ignores names that are not valid ids', async () => {
    const folder = await open();
    await folder.write('two words.ts', pluginSource('two_words', 'x'));
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([{ state: 'failed', failure: { phase: 'discover' } }]);
  });

  it('reads the manifest, without running it, if the export has no name', async () => {
    const folder = await open();
    await folder.write(
      'told/package.json',
      '{"name": "told-plugin", "version": "2.1.0", "description": "Tells.", "type": "module", "exports": {".": {"import": "./src/entry.mjs"}}}',
    );
    await folder.write(
      'told/src/entry.mjs',
      pluginSource('told', 'x').replace(/name: 'fixture',\s+version: '1.0.0',/, ''),
    );
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([
      { id: 'told', name: 'told-plugin', version: '2.1.0', description: 'Tells.' },
    ]);
  });

  it('serves one of a file and a folder with the same id', async () => {
    const folder = await open();
    await folder.write('same/index.ts', pluginSource('from_folder', 'x'));
    await folder.loader.ready;
    await folder.write('same.ts', pluginSource('from_file', 'x'));
    const { failure } = await folder.event('failed', 'same');
    expect(failure).toMatchObject({ phase: 'register', message: 'same has the same id; rename or remove one of them' });
    await rm(join(folder.directory, 'same'), { recursive: true });
    await folder.event('loaded', 'same');
    expect(folder.registry.has('from_file')).toBe(true);
    await unlink(join(folder.directory, 'same.ts'));
    await folder.event('removed', 'same');
    expect(folder.registry.names).toEqual(['list_plugins', 'reload_plugin']);
  });

  it('lets a plugin import only the packages that the host offers', async () => {
    const folder = await open({ hostPackages: [] });
    await folder.write('needs.ts', `import { z } from 'zod';\nexport default z;`);
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([
      { failure: { phase: 'import', file: 'needs.ts', line: 1, message: expect.stringContaining(`'zod'`) } },
    ]);
  });
});
