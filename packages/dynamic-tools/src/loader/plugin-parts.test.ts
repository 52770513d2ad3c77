import { allowAll, createDispatcher, defineTool, renderForModel, type ToolResult } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { afterEach, describe, expect, it } from 'vitest';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';
import type { PluginLoaderOptions } from '../index.ts';
import { createPluginFromExport } from '../plugin/create-plugin-from-export.ts';
import { readMessages } from '../plugin/parts/read-prompt-messages.ts';
import { takePlugin } from '../plugin/take-plugin.ts';

const open: PluginFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.end()));
});

const other = defineTool({
  name: 'other',
  description: 'Is not a plugin’s.',
  input: { type: 'object' },
  execute: () => '',
});

const kinds = [
  ['inline', { isolation: 'inline' }],
  [
    'in a process of its own',
    { isolation: 'process', jail: 'off', grants: { full: { hooks: true } }, loadTimeoutMs: 30_000 },
  ],
] as const satisfies readonly (readonly [string, Partial<PluginLoaderOptions>])[];

async function start(options: Partial<PluginLoaderOptions> = {}): Promise<PluginFolder> {
  const folder = await openPluginFolder(options);
  open.push(folder);
  return folder;
}

/** Returns the source of a plugin with a tool, a prompt, a resource and a hook. */
const full = (word: string, hooks = ''): string => `export default {
  name: 'full', version: '1.0.0',
  tools: [{ name: 'word', description: 'Says a word.', input: { type: 'object', properties: { n: { type: 'integer' } } }, execute: ({ n }) => '${word} ' + n }],
  prompts: [{
    name: 'ask', description: 'Asks.', variables: [{ name: 'topic', required: true }, { name: 'mood' }],
    prepare: async ({ topic }, [resource]) => [
      { role: 'user', content: '${word} ' + topic + ' ' + (resource ? resource.uri + '=' + await resource.read() : '') },
      { role: 'user', content: [{ type: 'image', data: new Uint8Array([1, 2]), mediaType: 'image/png' }] },
    ],
  }, { name: 'plain', prepare: () => 'just a text' }],
  resources: [
    { uri: 'notes://today', name: 'Today', type: 'text/plain', read: () => 'the notes of ${word}' },
    { uri: 'notes://picture', name: 'Picture', read: async () => new Uint8Array([3, 4]) },
    { uri: 'notes://never', name: 'Never', read: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) },
  ],
  hooks: { ${hooks} },
};`;
const guard = `beforeCall: ({ name, arguments: { n } }) => n === 13 ? { deny: 'unlucky' } : n === 1 ? { arguments: { n: 2 } } : n === 5 ? new Promise((resolve) => setTimeout(resolve, 30_000)) : undefined,
  afterCall: (call, { text }) => text.includes('99') ? { text: 'hidden' } : undefined, timeoutMs: 1_500,
  beforeTurn: ({ messages }) => ({ note: 'seen ' + messages.at(-1).text }), afterTurn: (turn, { text }) => ({ deny: text })`;

describe.each(kinds)('prompts, resources and hooks of a plugin, %s', (_, options) => {
  it('are added, changed and removed together with its tools', async () => {
    const folder = await start(options);
    const { loader, registry } = folder;
    const seen: unknown[] = [];
    registry.onChange(() => seen.push([registry.has('word'), loader.prompts().length, loader.resources().length]));
    await folder.write('full.mjs', full('first', guard));
    await loader.ready;
    expect(loader.plugins()).toMatchObject([
      {
        state: 'live',
        tools: ['word'],
        prompts: ['ask', 'plain'],
        resources: ['notes://today', 'notes://picture', 'notes://never'],
        hooks: ['beforeCall', 'afterCall', 'beforeTurn', 'afterTurn'],
      },
    ]);
    expect(await folder.text('list_plugins')).toContain('prompts: ask, plain; resources: notes://today');
    const [ask, plain] = loader.prompts();
    expect(ask).toMatchObject({
      name: 'ask',
      description: 'Asks.',
      variables: [
        { name: 'topic', required: true },
        { name: 'mood', required: false },
      ],
    });
    const given = { uri: 'mem://x', name: 'x', type: '', read: () => 'inside' };
    expect(await ask!.prepare({ topic: 'rain' }, [given])).toEqual([
      { role: 'user', content: 'first rain mem://x=inside' },
      { role: 'user', content: [{ type: 'image', data: new Uint8Array([1, 2]), mediaType: 'image/png' }] },
    ]);
    expect(await plain!.prepare({}, [])).toEqual([{ role: 'user', content: 'just a text' }]);
    const read = async (uri: string, signal?: AbortSignal): Promise<unknown> =>
      loader
        .resources()
        .find((resource) => resource.uri === uri)!
        .read(signal);
    expect(await read('notes://today')).toBe('the notes of first');
    expect(await read('notes://picture')).toEqual(new Uint8Array([3, 4]));
    await expect(read('notes://never', AbortSignal.timeout(20))).rejects.toThrow();

    const before = loader.prompts();
    expect(loader.prompts()).toBe(before);
    await folder.write('full.mjs', full('second', guard));
    await folder.event('replaced');
    // Callers that still hold the old version reach the new one.
    expect((await before[0]!.prepare({ topic: 'sun' }, []))[0]).toMatchObject({ content: 'second sun ' });
    await folder.write('full.mjs', pluginSource('word', 'alone'));
    await folder.event('replaced');
    expect([loader.prompts(), loader.resources()]).toEqual([[], []]);
    await expect(before[0]!.prepare({ topic: 'sun' }, [])).rejects.toThrow('was removed');
    // The tools of one version are never registered together with the prompts of another.
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['[false,0,0]', '[true,2,3]', '[true,0,0]']),
    );
  }, 60_000);

  it('include hooks that allow, deny or change calls, and deny when they fail', async () => {
    const folder = await start(options);
    await folder.write('full.mjs', full('said', guard));
    await folder.loader.ready;
    const { hooks } = folder.loader;
    const dispatcher = createDispatcher({ registry: folder.registry, permission: allowAll, middleware: [hooks] });
    const call = (n: number): Promise<ToolResult> =>
      dispatcher.dispatch({ id: `c${n}`, name: 'word', arguments: { n } });
    expect(renderForModel(await call(3))).toBe('said 3');
    expect(renderForModel(await call(1))).toBe('said 2');
    expect(renderForModel(await call(99))).toBe('hidden');
    expect(await call(13)).toMatchObject({ error: { code: 'PERMISSION_DENIED', denial: { reason: 'unlucky' } } });
    expect(await call(5)).toMatchObject({ error: { code: 'PLUGIN_FAILED' } });
    const turn = { runId: 'r', turn: 1, modelName: 'm', messages: [{ role: 'user', content: 'hi' } as const] };
    expect(await hooks.beforeTurn!(turn)).toEqual({ note: 'seen hi' });
    const outcome = { text: 'no', finishReason: 'stop', calls: [] } as const;
    expect(await hooks.afterTurn!(turn, outcome)).toEqual({ deny: 'the plugin full ended the run: no' });
    if (options.isolation === 'process') {
      await folder.write('full.mjs', full('said', 'beforeCall: () => process.exit(3)'));
      await folder.event('replaced');
      folder.registry.register(eraseTool(other));
      const otherCall = (): Promise<ToolResult> => dispatcher.dispatch({ id: 'o', name: 'other', arguments: {} });
      expect(await otherCall()).toMatchObject({
        error: { code: 'PLUGIN_FAILED', message: expect.stringContaining('exited with code 3') },
      });
      // The hook denies calls while its plugin is paused.
      expect(await otherCall()).toMatchObject({ error: { code: 'PLUGIN_FAILED' } });
    }
    await folder.loader.stop();
    expect(await hooks.beforeTurn!(turn)).toBeUndefined();
  }, 60_000);
});

describe('prompts, resources and hooks', () => {
  it('include hooks only if granted; otherwise the plugin is refused', async () => {
    const folder = await start({ isolation: 'process', jail: 'off', loadTimeoutMs: 30_000 });
    await folder.write('full.mjs', full('x', guard).replace('tools:', 'capabilities: { hooks: true }, tools:'));
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([
      { state: 'failed', failure: { phase: 'isolate', message: expect.stringContaining('which were not granted') } },
    ]);
    expect([folder.registry.has('word'), folder.loader.prompts()]).toEqual([false, []]);
  });

  it('may exist without tools, and a name belongs to one plugin until it is removed', async () => {
    const folder = await start();
    const only = (text: string): string =>
      `export default { name: 'x', version: '1.0.0', tools: [], prompts: [{ name: 'hello', prepare: () => '${text}' }], resources: [{ uri: 'a://b', name: 'b', read: () => '' }] };`;
    await folder.write('b.mjs', only('from b'));
    await folder.write('a.mjs', only('from a'));
    await folder.loader.ready;
    const say = async (): Promise<unknown> => (await folder.loader.prompts()[0]!.prepare({}, []))[0]!.content;
    expect(folder.loader.plugins()).toMatchObject([
      { id: 'a', state: 'live' },
      {
        id: 'b',
        state: 'failed',
        failure: {
          phase: 'register',
          message: 'the prompt hello is taken by the plugin a; choose another name',
        },
      },
    ]);
    expect(await say()).toBe('from a');
    await folder.write('a.mjs', pluginSource('other', 'x'));
    await expect.poll(say).toBe('from b');
  });

  const prepare = (): string => '';
  const prompt = { name: 'a', prepare };
  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['its prompts must be an array', { prompts: {} }],
    ['prompts[0]: its prepare must be a function', { prompts: [{ name: 'a' }] }],
    ['prompts[0]: its name must be letters', { prompts: [{ name: 'a b', prepare }] }],
    ['each variable needs a name', { prompts: [{ ...prompt, variables: [{}] }] }],
    ['the prompt a exists twice', { prompts: [prompt, prompt] }],
    ['its description is longer', { prompts: [{ ...prompt, description: 'x'.repeat(20_000) }] }],
    ['at most 200', { prompts: Array.from({ length: 201 }, () => prompt) }],
    ['its uri must be one such as', { resources: [{ uri: 'nowhere', name: 'n', read: prepare }] }],
    ['its name must be a string', { resources: [{ uri: 'a://b', name: 5, read: prepare }] }],
    ['hooks.beforecall is unknown', { hooks: { beforecall: prepare } }],
    ['its hooks contain none of', { hooks: {} }],
    ['hooks.beforeCall must be a function', { hooks: { beforeCall: true } }],
    ['hooks.timeoutMs must be a number', { hooks: { beforeCall: prepare, timeoutMs: 1e9 } }],
    ['hooks.required must be true or false', { hooks: { beforeCall: prepare, required: 'no' } }],
    ['hooks.tools must be an array', { hooks: { beforeCall: prepare, tools: 'all' } }],
    [
      'unreadable',
      {
        get hooks(): never {
          throw new Error('unreadable');
        },
      },
    ],
  ])('are refused when invalid: %s', (message, members) => {
    const taken = takePlugin(Object.defineProperties({ tools: [] }, Object.getOwnPropertyDescriptors(members)));
    const made = typeof taken === 'string' ? taken : createPluginFromExport(taken, { name: 'x' });
    expect(typeof made === 'string' ? made : 'message' in made ? made.message : 'taken').toContain(message);
  });

  it.each([
    [5],
    [null],
    [[{ role: 'system', content: 'obey' }]],
    [[{ role: 'tool', callId: '1', name: 'x', content: [], isError: false }]],
    [[{ role: 'user', content: [{ type: 'video' }] }]],
    [[{ role: 'assistant', content: [{ type: 'text', text: 'x' }] }]],
    [Array.from({ length: 300 }, () => ({ role: 'user', content: 'x' }))],
  ])('sends only user and assistant messages: %j', (prepared) => {
    expect(() => readMessages(prepared)).toThrow(TypeError);
  });
});
