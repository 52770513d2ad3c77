import {
  createDispatcher,
  defineTool,
  type AnyTool,
  type ModelEvent,
  type ModelRequest,
  type ToolContext,
} from '@haft/core';
import { createNameCodec } from '@haft/core/registry';
import { runAgent } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';
import {
  builtinNamespace,
  createOutputTool,
  createToolkit,
  data,
  definePrompt,
  json,
  unwrap,
  outputToolInstruction,
  outputToolName,
  readPrompt,
  reservedNamespaces,
  text,
  withDescription,
  withUri,
  type Connector,
  type ConnectorEvent,
  type Toolkit,
  type ToolkitEvent,
  type ToolkitOptions,
} from '@haft/toolkit';
import { afterEach, expect } from 'vitest';
import { servers } from './go-llm/servers.ts';
import { walkFeatures } from './walk-features.ts';

const opened: Toolkit[] = [];
const open = async (options: ToolkitOptions = {}): Promise<Toolkit> => {
  const toolkit = await createToolkit({ builtins: false, ...options });
  opened.push(toolkit);
  return toolkit;
};
afterEach(async () => {
  for (const toolkit of opened.splice(0)) await toolkit.dispose();
});

const object = { type: 'object' } as const;
const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  kind: 'read',
  input: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  execute: ({ word }) => word,
});
const returning = (value: unknown, extra: object = {}): AnyTool =>
  defineTool({ name: 'give', description: 'Gives.', kind: 'read', execute: () => value, ...extra }) as AnyTool;
const contentOf = async (toolkit: Toolkit, tool: AnyTool): Promise<readonly [type: string, content: unknown]> => {
  const answer = await unwrap(toolkit.call(tool));
  return [answer.type, await answer.read()];
};
const server = (name: string, parts: Omit<Connector, 'name'> = { tools: () => [echo] }): Connector => ({
  name,
  ...parts,
});
const connected = (parts?: Omit<Connector, 'name'>): ToolkitOptions => ({
  connections: { one: 'http://one/', two: 'http://two/' },
  delegate: { createConnector: (url) => server(new URL(url).host, parts) },
});
const key = async (toolkit: Toolkit, given: string): Promise<string> => {
  const found = await toolkit.lookup(given);
  return found.ok ? found.item.key : found.error.code;
};
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

walkFeatures({
  system: 'go-llm',
  letter: 'G',
  count: 49,
  maxMissing: 0,
  shown: {
    G1: [
      'a tool, a prompt and a resource all resolve to a resource',
      async () => {
        const toolkit = await open({
          tools: [echo],
          prompts: [definePrompt({ name: 'hi', template: 'Hi' })],
          resources: [text('note', 'x')],
          model: scriptedModel(['Hello']),
        });
        for (const [what, input] of [
          ['echo', { word: 'a' }],
          ['hi', {}],
          ['text:note', {}],
        ] as const)
          expect(await toolkit.call(what, input)).toMatchObject({ ok: true, uri: expect.any(String) as string });
      },
    ],
    G2: [
      'a tool has a name, a description, schemas and a body',
      () => expect(echo).toMatchObject({ name: 'echo', description: 'Says it again.', output: undefined }),
    ],
    G3: [
      'destructive and open world are tri-state hints',
      () => {
        const { traits } = defineTool({
          name: 'a',
          description: 'A.',
          traits: { destructive: false },
          execute: () => '',
        });
        expect([traits.destructive, traits.readOnly]).toEqual([false, false]);
      },
    ],
    G4: [
      'a body may return nothing, text, bytes, JSON or a resource',
      async () => {
        const toolkit = await open();
        expect(await contentOf(toolkit, returning(undefined))).toEqual(['text/plain', '']);
        expect(await contentOf(toolkit, returning('tea'))).toEqual(['text/plain', 'tea']);
        expect(await contentOf(toolkit, returning({ a: 1 }))).toEqual(['application/json', '{"a":1}']);
        expect(
          (await contentOf(toolkit, returning(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))))[0],
        ).toBe('image/png');
        expect(await contentOf(toolkit, returning(text('x', 'y', { type: 'text/markdown' })))).toEqual([
          'text/markdown',
          'y',
        ]);
      },
    ],
    G5: [
      'a tool needs no schema and no hints',
      () => expect(defineTool({ name: 'a', description: 'A.', execute: () => '' }).traits.readOnly).toBe(false),
    ],
    G6: [
      'a resource has a URI, a name, a description, a type and can be read',
      () => {
        const note = text('note', 'x', { description: 'A note.' });
        expect([note.uri, note.name, note.description, note.type, note.read()]).toEqual([
          'text:note',
          'note',
          'A note.',
          'text/plain',
          'x',
        ]);
      },
    ],
    G7: [
      'constructors detect types and transcode, wrappers rename, must throws',
      async () => {
        expect(data('a.txt', Buffer.from('\uFEFFhé', 'utf16le')).read()).toBe('hé');
        expect(withDescription(withUri(json('a', 1), 'x:1'), 'One.')).toMatchObject({
          uri: 'x:1',
          description: 'One.',
          type: 'application/json',
        });
        await expect(unwrap((await open()).call('nothing'))).rejects.toMatchObject({ code: 'CALL_FAILED' });
      },
    ],
    G8: [
      'a prompt has a name, a title, a description and is prepared from resources',
      async () => {
        const prompt = definePrompt({
          name: 'hi',
          title: 'A greeting',
          description: 'Greets.',
          template: 'Hi {{ . }}',
        });
        expect(prompt).toMatchObject({ name: 'hi', title: 'A greeting', description: 'Greets.' });
        expect(await prompt.prepare('Ada', [])).toEqual([{ role: 'user', content: 'Hi Ada' }]);
      },
    ],
    G9: [
      'an invalid option makes creation fail',
      () => expect(createToolkit({ tool: [] } as object)).rejects.toMatchObject({ code: 'BAD_PARAMETER' }),
    ],
    G10: [
      'a batch is added as a whole, reserved names are refused, and a known URI is replaced with an event',
      async () => {
        const toolkit = await open();
        const events: string[] = [];
        toolkit.onEvent(({ type }) => void events.push(type));
        expect(() => toolkit.addTool(echo, returning(1, { name: outputToolName }))).toThrow(/reserved/);
        toolkit.addResource(text('a', '1'));
        toolkit.addResource(text('a', '2'));
        await tick();
        expect([(await toolkit.list()).count, events]).toEqual([1, ['resource-list-changed', 'resource-updated']]);
      },
    ],
    G11: [
      'an addition is removed as a tool, otherwise a prompt, otherwise a resource, otherwise NOT_FOUND',
      async () => {
        const toolkit = await open({
          tools: [echo],
          prompts: [definePrompt({ name: 'echo', template: 'x' })],
          resources: [text('a', '')],
        });
        for (const each of ['echo', 'echo', 'text:a']) toolkit.removeBuiltin(each);
        expect((await toolkit.list()).count).toBe(0);
        expect(() => toolkit.removeBuiltin('echo')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }) as Error);
      },
    ],
    G12: [
      'changes of the program are reported like those of a server',
      async () => {
        const toolkit = await open();
        const event = new Promise<ToolkitEvent>((resolve) => void toolkit.onEvent(resolve));
        toolkit.addTool(echo);
        expect(await event).toMatchObject({ type: 'tool-list-changed', namespace: builtinNamespace, added: ['echo'] });
      },
    ],
    G13: [
      'expected one of the namespaces builtin and user, and one per connection',
      async () => {
        const toolkit = await open({ ...connected(), tools: [echo] });
        await toolkit.user.setPrompt('---\nname: hi\n---\nHi');
        const { tools, prompts } = await toolkit.list();
        expect([...tools, ...prompts].map(({ namespace }) => namespace)).toEqual(['builtin', 'one', 'two', 'user']);
        expect(reservedNamespaces).toEqual(expect.arrayContaining(['builtin', 'user']));
      },
    ],
    G14: [
      'a call belongs to the given session',
      async () => {
        const tool = defineTool({
          name: 'who',
          description: 'Who.',
          kind: 'read',
          execute: (_args, { session }) => `${session.id} ${String(session.metadata['team'])}`,
        });
        const answer = (await open()).callWith({ session: { id: 's1', metadata: { team: 'a' } } }, tool);
        expect(await (await unwrap(answer)).read()).toBe('s1 a');
      },
    ],
    G15: [
      'names are looked up by ns.name, uri#ns, name and URI, in a fixed order',
      async () => {
        const toolkit = await open(
          connected({ tools: () => [echo], resources: () => [text('a', '', { uri: 'x:1' })] }),
        );
        expect(await Promise.all(['two.echo', 'x:1#two', 'echo', 'x:1'].map((each) => key(toolkit, each)))).toEqual([
          'two.echo',
          'x:1#two',
          'one.echo',
          'x:1#one',
        ]);
      },
    ],
    G16: ['an unknown key is NOT_FOUND', async () => expect(await key(await open(), 'nothing')).toBe('NOT_FOUND')],
    G17: [
      'submit_output always means the output tool',
      async () => expect(await key(await open(), 'submit_output')).toBe('builtin.submit_output'),
    ],
    G18: [
      'a failing connector hides no other',
      async () => {
        const toolkit = await open({
          ...connected({ prompts: () => Promise.reject(new Error('down')) }),
          tools: [echo],
        });
        expect(await key(toolkit, 'echo')).toBe('builtin.echo');
        expect((await toolkit.list()).diagnostics).toHaveLength(2);
      },
    ],
    G19: [
      'a list reports the total count before paging',
      async () => {
        const { tools, count, offset, limit } = await (
          await open(connected())
        ).list({ type: 'tool', limit: 1, offset: 1 });
        expect([tools.map((each) => each.key), count, offset, limit]).toEqual([['two.echo'], 2, 1, 1]);
      },
    ],
    G20: [
      'namespaces and names filter, remote tools are listed as ns.tool, and the offset applies without a limit',
      async () => {
        const toolkit = await open(connected());
        const keys = async (request: object): Promise<readonly string[]> =>
          (await toolkit.list(request)).tools.map((each) => each.key);
        expect(await keys({ namespace: ['one', 'missing'] })).toEqual(['one.echo']);
        expect(await keys({ name: ['two.echo'] })).toEqual(['two.echo']);
        expect(await keys({ offset: 1 })).toEqual(['two.echo']);
      },
    ],
    G21: [
      'the whole list is paged in one order',
      async () => {
        const toolkit = await open({ ...connected(), resources: [text('a', '')] });
        expect((await toolkit.list({ offset: 1, limit: 2 })).resources).toHaveLength(1);
      },
    ],
    G22: [
      'a call accepts a name, a tool or a prompt',
      async () => {
        const prompt = definePrompt({ name: 'hi', template: 'Hi' });
        const toolkit = await open({ tools: [echo], model: scriptedModel(['Hello']) });
        expect([
          (await toolkit.call('echo', { word: 'a' })).ok,
          (await toolkit.call(echo, { word: 'a' })).ok,
          (await toolkit.call(prompt)).ok,
        ]).toEqual([true, true, true]);
      },
    ],
    G23: [
      'input is validated even if absent, output by its schema, and the session is available',
      async () => {
        const toolkit = await open({ tools: [echo] });
        expect(await toolkit.call('echo')).toMatchObject({ error: { code: 'INVALID_ARGS' } });
        const wrong = returning({ a: 1 }, { output: { type: 'object', required: ['b'] } });
        expect(await toolkit.call(wrong)).toMatchObject({ error: { code: 'OUTPUT_INVALID' } });
      },
    ],
    G24: [
      'additional resources reach the tool',
      async () => {
        const count = defineTool({
          name: 'count',
          description: 'Counts.',
          kind: 'read',
          input: object,
          execute: (_args, { resources }) => String(resources.length),
        });
        expect(
          await (await unwrap((await open()).call(count, json('a', {}), text('b', ''), text('c', '')))).read(),
        ).toBe('2');
      },
    ],
    G25: [
      'a delegate runs prompts; without a model and a delegate the error is BAD_PARAMETER',
      async () => {
        const prompt = definePrompt({ name: 'hi', template: 'Hi' });
        expect(await (await open()).call(prompt)).toMatchObject({ error: { code: 'BAD_PARAMETER' } });
        const toolkit = await open({
          delegate: { call: (given, first) => text('answer', `${given.name} ${first?.name}`) },
        });
        expect(await (await unwrap(toolkit.call(prompt, { a: 1 }))).read()).toBe('hi input');
      },
    ],
    G26: [
      'prompts that call each other stop at a maximum depth',
      async () => {
        async function* again({ messages, tools }: ModelRequest): AsyncGenerator<ModelEvent> {
          const last = messages.at(-1);
          if (last?.role === 'tool') yield { type: 'text', text: JSON.stringify(last.content) };
          else yield { type: 'tool-call', id: 'c', name: tools[0]!.name, arguments: '{}' };
          yield { type: 'finish', reason: 'stop' };
        }
        const toolkit = await open({
          maxPromptDepth: 2,
          model: { name: 'm', generate: again },
          prompts: [definePrompt({ name: 'loop', template: 'x', tools: ['loop'] })],
        });
        expect(await (await unwrap(toolkit.call('loop'))).read()).toContain('LIMIT_REACHED');
      },
    ],
    G27: [
      'connectors are added and removed at run time, by address or under a namespace',
      async () => {
        const toolkit = await open({ delegate: { createConnector: () => server('shop') } });
        expect((await toolkit.addConnector('http://a/')).namespace).toBe('shop');
        expect((await toolkit.addNamedConnector('other', 'http://b/')).namespace).toBe('other');
        expect([await toolkit.removeConnector('http://a/'), await toolkit.removeConnector('other')]).toEqual([
          true,
          true,
        ]);
        expect(toolkit.snapshot().names).toEqual([]);
      },
    ],
    G28: [
      'run waits for its end and for everything that it started',
      async () => {
        let closed = false;
        const toolkit = await open({
          connections: ['http://a/'],
          delegate: { createConnector: () => server('a', { close: () => void (closed = true) }) },
        });
        const stop = new AbortController();
        const running = toolkit.run(stop.signal);
        stop.abort();
        await running;
        expect(closed).toBe(true);
      },
    ],
    G29: [
      'a listener may call list, because it runs outside of any lock',
      async () => {
        const toolkit = await open();
        const listed = new Promise<number>(
          (resolve) => void toolkit.onEvent(async () => resolve((await toolkit.list()).count)),
        );
        toolkit.addTool(echo);
        expect(await listed).toBe(1);
      },
    ],
    G30: [
      'every kind of connector event is reported',
      async () => {
        let say: (event: ConnectorEvent) => void = () => undefined;
        const toolkit = await open({
          connections: { a: 'http://a/' },
          delegate: { createConnector: (_url, onEvent) => ((say = onEvent), server('a')) },
        });
        const types: string[] = [];
        toolkit.onEvent(({ type }) => void types.push(type));
        say({ type: 'state-change', state: 'restarting' });
        say({ type: 'prompt-list-changed' });
        say({ type: 'resource-list-changed' });
        say({ type: 'resource-updated', uri: 'x:1' });
        await tick();
        expect(types).toEqual(['state-change', 'prompt-list-changed', 'resource-list-changed', 'resource-updated']);
      },
    ],
    G31: [
      'a server with a reserved name gets a state that says so',
      async () => {
        const toolkit = await open({ connections: ['http://a/'], delegate: { createConnector: () => server('user') } });
        expect(toolkit.connections()).toMatchObject([
          { state: 'failed', reason: expect.stringContaining('reserved') as string },
        ]);
      },
    ],
    G33: [
      'addresses are compared without user, query, fragment and default port, but with the case of the path',
      async () => {
        const toolkit = await open({ delegate: { createConnector: () => server('a') } });
        expect((await toolkit.addConnector('HTTPS://me:secret@Host.example:443/Path?q#f')).url).toBe(
          'https://host.example/Path',
        );
        await expect(toolkit.addConnector('ftp://x/')).rejects.toMatchObject({ code: 'BAD_PARAMETER' });
      },
    ],
    G36: [
      'a session is never absent, and progress is reported',
      async () => {
        const updates: unknown[] = [];
        const tool = defineTool({
          name: 'work',
          description: 'Works.',
          kind: 'read',
          execute: (_args, context: ToolContext) => (
            context.progress({ done: 1, total: 2 }),
            typeof context.session.id
          ),
        });
        const answer = await (await open()).callWith({ onProgress: (update) => void updates.push(update) }, tool);
        expect(await unwrap(answer).read()).toBe('string');
        expect(updates).toEqual([{ done: 1, total: 2 }]);
      },
    ],
    G37: [
      'a tracer wraps every call',
      async () => {
        const spans: string[] = [];
        const toolkit = await open({
          tools: [echo],
          tracer: { name: 'tracer', around: async (info, next) => (spans.push(info.tool.name), next()) },
        });
        await toolkit.call('echo', { word: 'a' });
        expect(spans).toEqual(['echo']);
      },
    ],
    G38: [
      'every field of the front matter is read',
      () => {
        const prompt = readPrompt(
          '---\nname: a\ntitle: A title\ndescription: d\nmodel: m\nprovider: p\nsystem_prompt: s\ninput: {type: string}\nformat: {type: object}\ntools: [x]\nthinking: true\nthinking_budget: 9\nmax_tokens: 5\n---\nx',
        );
        expect(prompt).toMatchObject({
          name: 'a',
          title: 'A title',
          model: 'm',
          provider: 'p',
          systemPrompt: 's',
          tools: ['x'],
          thinking: true,
          thinkingBudget: 9,
          maxOutputTokens: 5,
        });
        expect(prompt.output).toBeDefined();
      },
    ],
    G39: [
      'templates have json, default, join, upper, lower and trim',
      () => {
        const prompt = definePrompt({
          name: 'a',
          template: '{{ json .l }} {{ default "x" .n }} {{ join .l "-" }} {{ upper .s }}{{ lower .s }}{{ trim " t " }}',
        });
        expect(prompt.render({ l: [1, 2], s: 'aB' })).toBe('[1,2] x 1-2 ABabt');
      },
    ],
    G40: [
      'variables may be of any type, line endings may vary, and an unclosed fence is an error',
      async () => {
        const toolkit = await open({
          model: scriptedModel(['ok']),
          prompts: [readPrompt('---\r\nname: a\r\ninput: {type: string}\r\n---\r\n{{ . }}\r\n')],
        });
        expect((await toolkit.call('a', text('x', 'tea'))).ok).toBe(true);
        expect(() => readPrompt('---\nname: a\n')).toThrow(/:?1: .*closing --- line/);
      },
    ],
    G41: [
      'there is an output tool, and the model is told to use it',
      () => {
        expect([createOutputTool(object).name, outputToolInstruction.includes(outputToolName)]).toEqual([
          outputToolName,
          true,
        ]);
      },
    ],
    G42: [
      'the output tool can be added by hand, and is recognized in a run',
      async () => {
        (await open()).addTool(createOutputTool(object));
        const run = await runAgent({
          model: scriptedModel([{ calls: [{ name: outputToolName, arguments: { a: 1 } }] }]),
          tools: [echo],
          prompt: 'x',
          output: { schema: object },
        });
        expect(run.output).toEqual({ a: 1 });
      },
    ],
    G43: [
      'at the limit, the last calls run and the answer is returned',
      async () => {
        const model = scriptedModel([{ calls: [{ name: 'echo', arguments: { word: 'a' } }] }, 'Enough.']);
        const run = await runAgent({ model, tools: [echo], prompt: 'x', maxToolIterations: 1 });
        expect([run.stopReason, run.text, run.calls[0]?.result.ok]).toEqual(['limit', 'Enough.', true]);
      },
    ],
    G44: [
      'a throwing body fails only its own call, and the other calls are answered',
      async () => {
        const bad = returning(0, {
          name: 'bad',
          execute: () => {
            throw new Error('boom');
          },
        });
        const source = createDispatcher({ registry: [echo, bad] });
        const results = await source.dispatchBatch([
          { id: '1', name: 'bad', arguments: {} },
          { id: '2', name: 'echo', arguments: { word: 'a' } },
        ]);
        expect(results.map(({ ok }) => ok)).toEqual([false, true]);
      },
    ],
    G45: [
      'the loop validates like every other entry point',
      async () => {
        const run = await runAgent({
          model: scriptedModel([{ calls: [{ name: 'echo', arguments: {} }] }, 'x']),
          tools: [echo],
          prompt: 'x',
        });
        expect(run.calls[0]?.result).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
      },
    ],
    G46: [
      'foreign names become names that every vendor accepts, and can be mapped back',
      () => {
        const given = ['shop.price', 'shop__price', 'shop/price'];
        const codec = createNameCodec(given);
        const names = given.map((name) => codec.encode(name));
        expect(new Set(names).size).toBe(3);
        expect(codec.decode(names[0]!)).toBe('shop.price');
      },
    ],
    G48: [
      'a bare name of several namespaces means the first, and the others are listed',
      async () => {
        const { diagnostics } = await (await open(connected())).lookup('echo');
        expect(diagnostics).toMatchObject([{ kind: 'ambiguous', keys: ['one.echo', 'two.echo'] }]);
      },
    ],
    ...servers,
  },
  decided: { G49: ['0010-what-is-not-carried-over.md', /Connectors for news, weather or a home/] },
  missing: {},
});
