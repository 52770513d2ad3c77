import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toAiSdkTools } from '@haft/ai-sdk';
import {
  allowAll,
  createDispatcher,
  defineTool,
  renderForModel,
  type ModelEvent,
  type ModelRequest,
  type Prompt,
  type Resource,
} from '@haft/core';
import { createConnection, serve } from '@haft/mcp';
import { createOutputTool } from '@haft/runner';
import { compileSchema } from '@haft/schema';
import { scriptedModel } from '@haft/runner/testing';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Connector, ConnectorEvent } from '../connections/connector.ts';
import { createToolkit } from './create-toolkit.ts';
import type { ToolkitEvent } from '../events.ts';
import { unwrap } from '../calling/unwrap-answer.ts';
import type { AgentPrompt } from '../prompts/agent-prompt.ts';
import { json } from '../resources/json.ts';
import { text } from '../resources/text.ts';
import type { ToolkitOptions } from '../options/toolkit-options.ts';
import type { Toolkit } from './toolkit.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'toolkit-'));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const greet = defineTool({
  name: 'greet',
  description: 'Greets somebody.',
  kind: 'read',
  input: z.strictObject({ name: z.string() }),
  execute: ({ name }) => `Hello, ${name}!`,
});

const plainPrompt = (name: string, extra: Partial<Prompt> = {}): Prompt => ({
  name,
  variables: [],
  prepare: () => [{ role: 'user', content: `run ${name}` }],
  ...extra,
});

/** A connector of the program. Its items are data, and its events can be triggered. */
function connector(
  name: string,
  parts: Omit<Connector, 'name'>,
): {
  made: Connector;
  say: (event: ConnectorEvent) => void;
  create: (url: string, onEvent: (event: ConnectorEvent) => void) => Connector;
} {
  let listen: (event: ConnectorEvent) => void = () => undefined;
  const made = { name, ...parts };
  return {
    made,
    say: (event) => listen(event),
    create: (_url, onEvent) => {
      listen = onEvent;
      return made;
    },
  };
}

/** Resolves with the first matching event. */
function received(
  toolkit: { onEvent(listener: (event: ToolkitEvent) => void): () => void },
  fits: (event: ToolkitEvent) => boolean,
): Promise<ToolkitEvent> {
  return new Promise((resolve) => {
    const stop = toolkit.onEvent((event) => {
      if (!fits(event)) return;
      stop();
      resolve(event);
    });
  });
}

const opened: Toolkit[] = [];
const open = async (options: ToolkitOptions): Promise<Toolkit> => {
  const toolkit = await createToolkit(options);
  opened.push(toolkit);
  return toolkit;
};
afterEach(async () => {
  for (const toolkit of opened.splice(0)) await toolkit.dispose();
});

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('createToolkit', () => {
  it('lets a model make many calls with one script if the program tool is enabled', async () => {
    const script = `return Promise.all(['Ann', 'Bo'].map((name) => tools.greet({ name })))`;
    const toolkit = await open({ builtins: false, tools: [greet], program: { jail: 'off' }, permission: allowAll });
    const shown = await toolkit.visibleTo({ name: 'm' });
    expect(shown.get('program')?.description).toContain('greet(args: { name: string })');
    const result = await toolkit.dispatch({ id: '1', name: 'program', arguments: { script } });
    expect(result.structured).toEqual(['Hello, Ann!', 'Hello, Bo!']);
    expect((await open({ builtins: false, tools: [greet] })).snapshot().names).toEqual(['greet']);
  });

  it('creates everything for an agent: built-in tools in the directory, and a question to the user before changes', async () => {
    const questions: string[] = [];
    const model = scriptedModel([
      { calls: [{ name: 'write', arguments: { path: 'note.txt', content: 'tea\n' } }] },
      { calls: [{ name: 'read', arguments: { path: 'note.txt' } }] },
      'Done.',
    ]);
    const toolkit = await open({
      cwd,
      model,
      ask: ({ tool }) => {
        questions.push(tool);
        return { action: 'allow' };
      },
    });
    const { text: answer, calls } = await toolkit.answer('Write a note.');
    expect(answer).toBe('Done.');
    expect(calls.map(({ result }) => result.ok)).toEqual([true, true]);
    expect(questions).toEqual(['write']);
    expect(await readFile(join(cwd, 'note.txt'), 'utf8')).toBe('tea\n');
    expect(JSON.stringify(model.requests[0]?.messages[0])).not.toContain(tmpdir());
  });

  it('denies calls that need approval if it cannot ask the user, and never leaves the directory', async () => {
    const toolkit = await open({ cwd });
    const write = await toolkit.call('write', { path: 'x.txt', content: '' });
    expect(write).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } });
    const free = await open({ cwd, permission: allowAll });
    const outside = await free.call('write', { path: '../x.txt', content: '' });
    expect(outside).toMatchObject({ ok: false, error: { code: 'OUTSIDE_WRITE_ROOTS' } });
    expect(free.workspace.jail).toEqual({ policy: 'preferred' });
  });

  it('rejects unknown and invalid options and suggests the correct name', async () => {
    const refusal = async (options: object): Promise<string> =>
      createToolkit(options).then(
        () => '',
        (error: unknown) => String(error),
      );
    expect(await refusal({ modell: 1 })).toMatch(/modell is not an option \(did you mean model\?\)/);
    expect(await refusal({ tools: greet })).toMatch(/tools is not valid \(expected an array of tools/);
    expect(await refusal({ tools: [greet, greet] })).toMatch(/the tool "greet" exists already/);
    expect(await refusal({ connections: { user: 'http://localhost/' } })).toMatch(/user is reserved/);
    expect(await refusal({ connections: { a: 'ftp://x/' } })).toMatch(/expected a URL/);
    expect(await refusal({ permission: allowAll, rules: [] })).toMatch(/permission replaces ask/);
    await writeFile(join(cwd, 'file.txt'), '');
    expect(await refusal({ plugins: join(cwd, 'file.txt') })).toMatch(/is not a folder/);
    expect(await refusal({ cwd: join(cwd, 'nowhere') })).toMatch(/cwd is not a folder .*nowhere/);
    expect(await refusal({ prompts: ['Summarize {{ . }}'] })).toMatch(/path of a Markdown file.*definePrompt/);
    expect(await refusal({ prompts: ['Be brief, please.'] })).toMatch(/path of a Markdown file.*definePrompt/);
    expect(await refusal({ cwd, prompts: ['prompts/gone.md'] })).toMatch(/gone\.md does not exist/);
  });

  it('ends everything it started once, and answers with CLOSED afterwards', async () => {
    let closed = 0;
    const server = connector('one', { close: () => void (closed += 1) });
    const toolkit = await createToolkit({
      builtins: false,
      tools: [greet],
      connections: ['http://one/'],
      delegate: { createConnector: server.create },
    });
    const stop = new AbortController();
    const running = toolkit.run(stop.signal);
    stop.abort();
    await running;
    await Promise.all([toolkit.dispose(), toolkit.dispose()]);
    expect(closed).toBe(1);
    expect(await toolkit.call('greet', { name: 'Ada' })).toMatchObject({ ok: false, error: { code: 'CLOSED' } });
    expect(await toolkit.dispatch({ id: 'c', name: 'greet', arguments: {} })).toMatchObject({ callId: 'c', ok: false });
    expect(() => toolkit.addTool(greet)).toThrow(expect.objectContaining({ code: 'CLOSED' }) as Error);
  });
});

describe('call', () => {
  it('validates missing arguments too, and answers with a resource', async () => {
    const toolkit = await open({ builtins: false, tools: [greet] });
    expect(await unwrap(toolkit.call('greet', { name: 'Ada' })).then((answer) => answer.read())).toBe('Hello, Ada!');
    expect(await toolkit.call('builtin.greet', json('who', { name: 'Bo' }))).toMatchObject({
      ok: true,
      type: 'text/plain',
    });
    expect(await toolkit.call('greet')).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
    expect(await toolkit.call('great')).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND', hint: expect.stringContaining('greet') as string },
    });
    await expect(unwrap(toolkit.call('greet'))).rejects.toMatchObject({ name: 'ToolkitError', code: 'CALL_FAILED' });
    await expect(unwrap(toolkit.call('greet'))).rejects.toThrow(/don't match its schema\. \$\.\w+ is required/);
    await expect(unwrap(toolkit.call('great'))).rejects.toThrow(/"great" was not found\. Use one of .*greet/);
  });

  it('warns about an unreachable server and a missing plugin directory if no listener is set', async () => {
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
    const connections = { none: { command: 'no-such-command-here' } };
    const quiet = await createToolkit({ cwd, logger, plugins: join(cwd, 'no-plugins'), connections });
    await quiet.dispose();
    expect(warnings.join('\n')).toMatch(/none could not be connected/);
    expect(warnings.filter((warning) => warning.includes('no-plugins'))).toHaveLength(1);
  });

  it('reports the expected input if another value is given', async () => {
    for (const [options, received] of [
      [{ model: 'gpt' }, /model is not valid \(expected a Model: .* got "gpt"\)/],
      [{ model: {} }, /model is not valid/],
      [{ logger: {} }, /logger is not valid \(expected an object with debug/],
      [{ tracer: () => 1 }, /tracer is not valid \(expected an object such as/],
      [{ middleware: [() => 1] }, /middleware\[0\] is not valid \(expected an object such as/],
      [{ delegate: { call: 5 } }, /delegate\.call is not valid \(expected a function, got 5\)/],
      [{ jail: 'off' }, /such as \{ policy: 'off' \}/],
      [{ builtins: true }, /include: \['read', 'grep'\]/],
      [{ plugins: ['plugins'] }, /plugins is not valid \(expected a folder or an object with directory, got a list\)/],
      [{ program: 'off' }, /program is not valid \(expected true, false or an object/],
      [{ prompts: [{ name: 'a', template: 'x' }] }, /must come from definePrompt or readPrompt/],
    ] as const)
      await expect(createToolkit(options as object)).rejects.toThrow(received);
    const toolkit = await open({ builtins: false, tools: [greet] });
    expect(() => toolkit.addTool([greet] as never)).toThrow(/addTool\(\.\.\.tools\)/);
    await expect(toolkit.callWith('greet' as never, { name: 'Ada' } as never)).rejects.toThrow(
      /callWith: its argument is not valid \(expected an object such as \{ signal \} as the first argument, got "greet"\)/,
    );
    await expect(toolkit.callWith({ sesion: {} } as never, 'greet')).rejects.toThrow(
      /sesion is not an option \(did you mean session\?\)/,
    );
    await expect(toolkit.callWith({ session: 'me' } as never, 'greet')).rejects.toThrow(/a string is a sessionId/);
    await expect(toolkit.run('now' as never)).rejects.toThrow(/AbortSignal/);
    await expect(toolkit.answer({ prompt: 'x' } as never)).rejects.toThrow(/must be a string/);
    expect(() => unwrap({} as never)).toThrow(/the result of call or read/);
    await expect(toolkit.user.setPrompt({ name: 'x' } as never)).rejects.toThrow(/the source must be Markdown/);
  });

  it('rejects unchecked values as inputs', async () => {
    const toolkit = await open({ builtins: false, tools: [greet] });
    const failed = await toolkit.call('great');
    await expect(toolkit.call('greet', failed as never)).rejects.toThrow(/input 1 is a failed answer \(NOT_FOUND/);
    await expect(toolkit.call('greet', toolkit.call('great') as never)).rejects.toThrow(/a promise; await it/);
    expect(await toolkit.call('greet', { ok: false, error: 'plain', name: 'Ada' })).toMatchObject({
      error: { code: 'INVALID_ARGS' },
    });
    expect(() => toolkit.onEvent('tool-list-changed' as never)).toThrow(/must be a function/);
    await expect(toolkit.serve({ http: { port: '80' as never } })).rejects.toThrow(/http\.port is not valid/);
    await expect(toolkit.serve({ port: 80 } as never)).rejects.toThrow(/port is a member of http/);
  });

  it('rejects an unknown member of delegate', async () => {
    const delegate = { onevent: () => undefined } as ToolkitOptions['delegate'];
    await expect(createToolkit({ delegate } as ToolkitOptions)).rejects.toMatchObject({ code: 'BAD_PARAMETER' });
  });

  it('passes further resources to the tool, wherever the arguments are in the list', async () => {
    const count = defineTool({
      name: 'count',
      description: 'Counts letters.',
      kind: 'read',
      input: z.object({ letter: z.string() }),
      output: z.object({ counts: z.array(z.number()) }),
      execute: async ({ letter }, { resources }) => ({
        counts: await Promise.all(resources.map(async (each) => String(await each.read()).split(letter).length - 1)),
      }),
    });
    const toolkit = await open({ builtins: false });
    const answer = await toolkit.call(count, text('a', 'banana'), json('args', { letter: 'a' }), text('b', 'tea'));
    expect(answer).toMatchObject({ ok: true, type: 'application/json', name: 'count' });
    expect(await unwrap(answer).read()).toBe('{"counts":[3,1]}');
  });

  it('returns a resource that a tool returned, and a resource that is called by its URI', async () => {
    const report = text('report', '# Report', { type: 'text/markdown', uri: 'report:1' });
    const write = defineTool({ name: 'write_report', description: 'Writes.', kind: 'read', execute: () => report });
    const toolkit = await open({ builtins: false, tools: [write], resources: [report] });
    expect(await toolkit.call('write_report')).toMatchObject({ ok: true, uri: 'report:1', type: 'text/markdown' });
    expect(await unwrap(toolkit.call('report:1')).then((resource) => resource.read())).toBe('# Report');
  });

  it('asks for permission for unregistered tools too', async () => {
    const remove = defineTool({ name: 'remove_all', description: 'Removes all.', execute: () => 'gone' });
    const toolkit = await open({ builtins: false });
    expect(await toolkit.call(remove)).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } });
  });

  it('aborts with the signal of its context', async () => {
    const wait = defineTool({
      name: 'wait',
      description: 'Waits.',
      kind: 'read',
      execute: (_args, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('x')))),
    });
    const toolkit = await open({ builtins: false });
    const stop = new AbortController();
    const answer = toolkit.callWith({ signal: stop.signal }, wait);
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
  });
});

describe('prompts', () => {
  it('runs a prompt with the variables of the first input and the model, restricted to the tools that it names', async () => {
    const model = scriptedModel([{ calls: [{ name: 'greet', arguments: { name: 'Ada' } }] }, 'I said hello.']);
    const toolkit = await open({
      cwd,
      model,
      tools: [greet],
      prompts: [
        {
          ...plainPrompt('welcome'),
          variables: [{ name: 'who', required: true }],
          tools: ['builtin.greet'],
          prepare: (variables) => [{ role: 'user', content: `Greet ${(variables as { who: string }).who}.` }],
        },
      ],
    });
    const answer = await toolkit.call('welcome', { who: 'Ada' });
    expect(await unwrap(answer).read()).toBe('I said hello.');
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['greet']);
    expect(model.requests[0]?.messages.at(-1)?.content).toBe('Greet Ada.');
    expect(await toolkit.call('welcome')).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
  });

  it('answers with valid JSON if the prompt has an output schema', async () => {
    const prompt: AgentPrompt = {
      ...plainPrompt('rate'),
      output: compileSchema({ type: 'object', properties: { stars: { type: 'integer' } }, required: ['stars'] }),
    };
    const model = scriptedModel([{ calls: [{ name: 'submit_output', arguments: '{stars: "4"}' }] }]);
    const toolkit = await open({ builtins: false, model, tools: [greet], prompts: [prompt] });
    expect(await unwrap(toolkit.call('rate')).then((answer) => answer.read())).toBe('{"stars":4}');
    toolkit.addTool(createOutputTool({ type: 'object' }));
    expect((await toolkit.lookup('submit_output')).ok).toBe(true);
  });

  it('reports an error if the prompt has neither a model nor a delegate', async () => {
    const prompts = [plainPrompt('hello')];
    const without = await open({ builtins: false, prompts });
    expect(await without.call('hello')).toMatchObject({ ok: false, error: { code: 'BAD_PARAMETER' } });
    const seen: Resource[] = [];
    const delegating = await open({
      builtins: false,
      prompts,
      delegate: { call: (_prompt, ...resources) => (seen.push(...resources), text('answer', 'mine')) },
    });
    expect(await unwrap(delegating.call('hello', { a: 1 }, text('b', 'x'))).then((each) => each.read())).toBe('mine');
    expect(seen.map(({ name }) => name)).toEqual(['input', 'b']);
  });

  it('limits the depth of prompts that call each other', async () => {
    const requests: ModelRequest[] = [];
    const toolkit = await open({
      builtins: false,
      model: { name: 'm', generate: (request) => (requests.push(request), callOnce(request)) },
      prompts: [
        { ...plainPrompt('ping'), tools: ['pong'] },
        { ...plainPrompt('pong'), tools: ['ping'] },
      ] as AgentPrompt[],
      maxPromptDepth: 3,
    });
    expect(await unwrap(toolkit.call('ping')).then((answer) => answer.read())).toBe('deepest: LIMIT_REACHED');
    expect(requests.map(({ tools }) => tools[0]?.name)).toEqual(['pong', 'ping', 'pong', 'pong', 'ping', 'pong']);
  });
});

/** A model that calls the only tool once, and then answers with its result. */
async function* callOnce({ messages, tools }: ModelRequest): AsyncGenerator<ModelEvent> {
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    const received = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    yield {
      type: 'text',
      text: received.startsWith('deepest') ? received : `deepest: ${/[A-Z]+_[A-Z]+/.exec(received)?.[0]}`,
    };
    yield { type: 'finish', reason: 'stop' };
    return;
  }
  yield { type: 'tool-call', id: 'c', name: tools[0]?.name ?? '', arguments: '{}' };
  yield { type: 'finish', reason: 'tool-calls' };
}

describe('lookup and list', () => {
  const twin = (name: string): Connector => ({
    name,
    tools: () => [greet],
    prompts: () => [plainPrompt('review')],
    resources: () => [text('readme', name, { uri: 'file:///readme' })],
  });

  it('finds items by namespace, URI and namespace, name, and URI, always in the same order, and reports other matches', async () => {
    const toolkit = await open({
      builtins: false,
      connections: { zeta: 'http://zeta/', alpha: 'http://alpha/' },
      prompts: [plainPrompt('review')],
      delegate: { createConnector: (url) => twin(new URL(url).host) },
    });
    const key = async (given: string): Promise<string> => {
      const found = await toolkit.lookup(given);
      return found.ok ? found.item.key : found.error.code;
    };
    expect(await key('alpha.greet')).toBe('alpha.greet');
    expect(await key('alpha_greet')).toBe('alpha.greet');
    expect(await key('greet')).toBe('zeta.greet');
    expect(await key('review')).toBe('builtin.review');
    expect(await key('alpha.review')).toBe('alpha.review');
    expect(await key('file:///readme')).toBe('file:///readme#zeta');
    expect(await key('file:///readme#alpha')).toBe('file:///readme#alpha');
    expect(await key('file:///readme#nobody')).toBe('NOT_FOUND');
    expect((await toolkit.lookup('review')).diagnostics).toMatchObject([
      { kind: 'ambiguous', keys: ['builtin.review', 'zeta.review', 'alpha.review'] },
    ]);
  });

  it('pages over all items in one order, with the total count, and applies the offset without a limit', async () => {
    const toolkit = await open({
      builtins: false,
      tools: [greet],
      connections: { beta: 'http://beta/' },
      delegate: { createConnector: (url) => twin(new URL(url).host) },
    });
    const all = await toolkit.list();
    const keys = (listing: Awaited<ReturnType<typeof toolkit.list>>): readonly string[] =>
      [...listing.tools, ...listing.prompts, ...listing.resources].map(({ key }) => key);
    expect(keys(all)).toEqual(['beta.greet', 'builtin.greet', 'beta.review', 'file:///readme#beta']);
    const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => toolkit.list({ offset, limit: 1 })));
    expect(pages.flatMap(keys)).toEqual(keys(all));
    expect(pages.every(({ count }) => count === 4)).toBe(true);
    expect(keys(await toolkit.list({ offset: 3 }))).toEqual(['file:///readme#beta']);
    expect(keys(await toolkit.list({ type: 'tool', name: 'greet' }))).toEqual(['beta.greet', 'builtin.greet']);
    expect(keys(await toolkit.list({ name: 'beta.greet' }))).toEqual(['beta.greet']);
    const empty = await toolkit.list({ namespace: ['nobody', 'beta'] });
    expect(keys(empty).every((key) => key.includes('beta'))).toBe(true);
    expect(empty.diagnostics).toMatchObject([{ kind: 'unknown-namespace', namespace: 'nobody' }]);
    expect(empty.diagnostics[0]?.keys).toEqual(expect.arrayContaining(['builtin', 'beta', 'user']));
    await expect(toolkit.list({ namespaces: 'beta' } as object)).rejects.toThrow(
      /namespaces is not an option \(did you mean namespace\?\)/,
    );
    await expect(toolkit.list({ namespace: 5 } as object)).rejects.toThrow(
      /namespace is not valid \(expected a string or an array of strings, got 5\)/,
    );
    await expect(toolkit.list({ type: 'toll' as 'tool' })).rejects.toThrow(
      /type is not valid \(expected "tool", "prompt" or "resource"/,
    );
    await expect(toolkit.list({ limit: -1 })).rejects.toThrow(
      /limit is not valid \(expected a whole number from 0, got -1\)/,
    );
  });

  it('lists the other namespaces if one fails, and reports the failed one', async () => {
    const toolkit = await open({
      builtins: false,
      prompts: [plainPrompt('review')],
      connections: { bad: 'http://bad/' },
      delegate: {
        createConnector: () => ({
          name: 'bad',
          prompts: () => Promise.reject(new Error('out of order')),
          resources: () => [{ uri: 'x:1' } as Resource],
        }),
      },
    });
    const { prompts, resources, diagnostics } = await toolkit.list();
    expect([prompts.length, resources.length]).toEqual([1, 0]);
    expect(diagnostics.map(({ kind, namespace }) => [kind, namespace])).toEqual([
      ['namespace-failed', 'bad'],
      ['invalid-item', 'bad'],
    ]);
    expect((await toolkit.lookup('review')).ok).toBe(true);
  });
});

describe('a tool with the name of a built-in tool', () => {
  const read = defineTool({ name: 'read', description: 'Reads a book.', kind: 'read', execute: () => 'a book' });

  it('hides it, and the log says so', async () => {
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
    const toolkit = await open({ tools: [read, greet], logger });
    expect(warnings.filter((message) => message.includes('hides'))).toEqual([
      expect.stringMatching(/^the tool read hides the built-in tool of that name: rename it, or .*include/),
    ]);
    expect(await toolkit.dispatch({ id: '1', name: 'read', arguments: {} })).toMatchObject({ ok: true });
  });

  it('causes a diagnostic when it is added later, unless the built-in tool is left out', async () => {
    const listen = async (options: ToolkitOptions) => {
      const toolkit = await open(options);
      const found: unknown[] = [];
      toolkit.onEvent((event) => void (event.type === 'diagnostic' && found.push(event.diagnostic)));
      toolkit.addTool(read);
      await tick();
      return found;
    };
    expect(await listen({})).toMatchObject([{ kind: 'hidden-tool', keys: ['read'] }]);
    expect(await listen({ builtins: { include: ['grep'] } })).toEqual([]);
    expect(await listen({ builtins: false })).toEqual([]);
  });
});

describe('changes while running', () => {
  it('applies a change completely or not at all, and sends its event outside of any lock', async () => {
    const toolkit = await open({ builtins: false });
    const events: ToolkitEvent[] = [];
    let seen = -1;
    toolkit.onEvent(async (event) => {
      events.push(event);
      seen = (await toolkit.list()).count;
    });
    const other = defineTool({ name: 'other', description: 'Another.', execute: () => '' });
    expect(() => toolkit.addTool(other, { ...other, name: 'submit_output' })).toThrow(/reserved/);
    expect(() => toolkit.addPrompt(plainPrompt('a'), plainPrompt('a b'))).toThrow(/must be 1 to 64/);
    expect((await toolkit.list()).count).toBe(0);
    toolkit.addTool(greet, other);
    toolkit.addResource(text('notes', 'one'));
    toolkit.addResource(text('notes', 'two'));
    await tick();
    await tick();
    expect(seen).toBe(3);
    toolkit.removeBuiltin('other');
    toolkit.removeBuiltin('text:notes');
    expect(() => toolkit.removeBuiltin('other')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }) as Error);
    await tick();
    expect(events.map(({ type }) => type)).toEqual([
      'tool-list-changed',
      'resource-list-changed',
      'resource-updated',
      'tool-list-changed',
      'resource-list-changed',
    ]);
    expect(events[0]).toMatchObject({ namespace: 'builtin', added: ['greet', 'other'] });
  });

  it('updates names, lists and listeners when a connection changes', async () => {
    let tools = [greet];
    const server = connector('shop', { tools: () => tools, close: () => undefined });
    const toolkit = await open({ builtins: false, delegate: { createConnector: server.create } });
    const info = await toolkit.addConnector('https://user:secret@Shop.example:443/mcp?x=1#y');
    expect(info).toMatchObject({ namespace: 'shop', url: 'https://shop.example/mcp', state: 'ready' });
    await expect(toolkit.addConnector('https://shop.example/mcp')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(toolkit.addNamedConnector('shop', 'https://else.example/')).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const changed = received(toolkit, ({ type }) => type === 'tool-list-changed');
    tools = [greet, { ...greet, name: 'wave' }];
    server.say({ type: 'tool-list-changed' });
    expect(await changed).toMatchObject({ namespace: 'shop', added: ['shop_wave'] });
    const updated = received(toolkit, ({ type }) => type === 'resource-updated');
    server.say({ type: 'resource-updated', uri: 'x:1' });
    expect(await updated).toEqual({ type: 'resource-updated', namespace: 'shop', uri: 'x:1' });
    expect(await toolkit.removeConnector('shop')).toBe(true);
    expect(await toolkit.removeConnector('shop')).toBe(false);
    expect(toolkit.snapshot().names).toEqual([]);
  });

  it('keeps running if a server reports a reserved name or cannot be reached', async () => {
    const toolkit = await open({
      builtins: false,
      connections: ['http://one/', 'http://two/'],
      delegate: {
        createConnector: (url) => {
          if (url === 'http://two/') throw new Error('nobody is there');
          return { name: 'builtin', tools: () => [greet] };
        },
      },
    });
    expect(toolkit.connections().map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', expect.stringMatching(/builtin is reserved/) as string],
      ['failed', 'nobody is there'],
    ]);
    expect(toolkit.snapshot().names).toEqual([]);
  });
});

describe('integrations', () => {
  it('uses the tools of an MCP server, serves itself over MCP and converts itself for the AI SDK', async () => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const remote = serve(createDispatcher({ registry: [greet] }), { name: 'remote', transport: serverSide });
    const toolkit = await open({
      builtins: false,
      permission: allowAll,
      connections: { greeter: { transport: clientSide } },
    });
    expect(toolkit.connections()).toMatchObject([{ namespace: 'greeter', state: 'ready', server: { name: 'remote' } }]);
    expect(await toolkit.call('greeter.greet', { name: 'Ada' })).toMatchObject({ ok: true });

    const [outerSide, innerSide] = InMemoryTransport.createLinkedPair();
    const server = await toolkit.serve({ transport: innerSide });
    const outer = await createConnection({ transport: outerSide, name: 'outer' });
    expect(outer.tools.map(({ name }) => name)).toEqual(['outer_greeter_greet']);
    await outer.close();
    await server.close();

    expect(Object.keys(toAiSdkTools(toolkit))).toEqual(['greeter_greet']);
    await remote.close();
  });

  it('loads a directory of plugins, each in its own namespace', async () => {
    const directory = await mkdtemp(join(cwd, 'plugins-'));
    const tool = `{ name: 'get_weather', description: 'Weather.', kind: 'read', input: { type: 'object' }, execute: () => 'Rain' }`;
    await writeFile(
      join(directory, 'weather.mjs'),
      `export default { name: 'weather', version: '1.0.0', tools: [${tool}] };`,
    );
    await writeFile(join(directory, 'broken.mjs'), 'export default {');
    const toolkit = await open({ builtins: false, plugins: { directory, isolation: 'inline' } });
    const found = await toolkit.lookup('weather.get_weather');
    expect(found).toMatchObject({ ok: true, item: { namespace: 'weather' } });
    expect(toolkit.plugins().map(({ id, state }) => [id, state])).toEqual([
      ['broken', 'failed'],
      ['weather', 'live'],
    ]);
    const result = await toolkit.dispatch({ id: '1', name: 'get_weather', arguments: '{}' });
    expect(renderForModel(result)).toBe('Rain');
  });

  it('reports a plugin that declares hosts without a grant', async () => {
    const directory = await mkdtemp(join(cwd, 'plugins-'));
    const tool = `{ name: 'get_weather', description: 'Weather.', input: { type: 'object' }, execute: () => 'Rain' }`;
    await writeFile(
      join(directory, 'weather.mjs'),
      `export default { name: 'weather', version: '1.0.0', capabilities: { hosts: ['a.example'] }, tools: [${tool}] };`,
    );
    const events: ToolkitEvent[] = [];
    await open({
      builtins: false,
      plugins: { directory, jail: 'off', loadTimeoutMs: 30_000 },
      delegate: { onEvent: (event) => void events.push(event) },
    });
    const message = expect.stringContaining('write grants: { "weather": { "hosts": [ "a.example" ] } }') as string;
    expect(events).toContainEqual({
      type: 'diagnostic',
      diagnostic: { kind: 'plugin', namespace: 'weather', message },
    });
  });

  it('serves prompts and resources of plugins by name, and runs their hooks around calls and turns', async () => {
    const directory = await mkdtemp(join(cwd, 'plugins-'));
    const plugin = (more: string): string => `export default { name: 'guard', version: '1.0.0', tools: [], ${more} };`;
    await writeFile(
      join(directory, 'guard.mjs'),
      plugin(`prompts: [{ name: 'review', variables: [{ name: 'file' }], prepare: ({ file }) => 'Review ' + file }],
        resources: [{ uri: 'rules://house', name: 'house', type: 'text/plain', read: () => 'No shouting.' }],
        hooks: { beforeCall: ({ name }) => name === 'greet' ? { deny: 'no greetings' } : undefined,
          beforeTurn: () => ({ note: 'mind the house' }) }`),
    );
    // A plugin with the name of another namespace replaces nothing.
    await writeFile(join(directory, 'builtin.mjs'), plugin(`prompts: [{ name: 'mine', prepare: () => 'x' }]`));
    const model = scriptedModel(['Fine.', 'Fine.']);
    const events: ToolkitEvent[] = [];
    const toolkit = await open({
      builtins: false,
      model,
      tools: [greet],
      plugins: { directory, isolation: 'inline' },
      delegate: { onEvent: (event) => void events.push(event) },
    });
    expect(await toolkit.lookup('guard.review')).toMatchObject({ ok: true, item: { kind: 'prompt' } });
    expect((await toolkit.list({ type: ['prompt', 'resource'] })).count).toBe(2);
    const house = await toolkit.call('rules://house');
    expect(house.ok && (await house.read())).toBe('No shouting.');
    const denied = await toolkit.dispatch({ id: '1', name: 'greet', arguments: { name: 'Ada' } });
    expect(denied).toMatchObject({ ok: false, error: { denial: { source: 'hook', reason: 'no greetings' } } });
    expect((await toolkit.call('review', { file: 'a.ts' })).ok).toBe(true);
    await toolkit.answer('Hello');
    for (const request of model.requests) expect(JSON.stringify(request.messages)).toContain('mind the house');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Review a.ts');
    expect(events).toContainEqual({ type: 'prompt-list-changed', namespace: 'guard' });
    expect(events).toContainEqual({ type: 'resource-list-changed', namespace: 'guard' });
  });
});
