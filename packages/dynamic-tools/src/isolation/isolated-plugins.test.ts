import { join } from 'node:path';
import { allowAll, createDispatcher, renderForModel, silentLogger, type PermissionEngine } from '@haft/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';
import type { PluginEvent, PluginLoaderOptions } from '../index.ts';

const open: PluginFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.end()));
});

/** Loads isolated plugins without the jail, which is not available on every machine. */
async function start(options: Partial<PluginLoaderOptions> = {}): Promise<PluginFolder> {
  const folder = await openPluginFolder({ isolation: 'process', jail: 'off', loadTimeoutMs: 30_000, ...options });
  open.push(folder);
  return folder;
}

/** Never ends and, like an endless loop, lets nothing else run in its process; but leaves the processor to other tests. */
const never = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** Returns the source of a plugin with one tool that has the given body. */
const withBody = (body: string, more = '', members = ''): string => `${more}
export default { name: 'fixture', version: '1.0.0', ${members} tools: [{
  name: 'act', description: 'Acts.', input: { type: 'object' }, execute: ${body},
}] };`;

async function startWith(source: string, options: Partial<PluginLoaderOptions> = {}): Promise<PluginFolder> {
  const folder = await start(options);
  await folder.write('fixture.mjs', source);
  await folder.loader.ready;
  expect(folder.loader.plugins()).toMatchObject([{ id: 'fixture', state: 'live', isolation: 'process' }]);
  return folder;
}

describe('isolated plugin', () => {
  it('serves tools like an inline plugin: typed, with zod, from a folder', async () => {
    const folder = await start();
    await folder.write('typed/lib/word.ts', `export const word: string = 'sum';`);
    await folder.write(
      'typed/index.ts',
      `import { defineTool } from '@haft/core';
       import { definePlugin } from '@haft/dynamic-tools/plugin';
       import { z } from 'zod';
       import { word } from './lib/word.ts';
       export default definePlugin({ name: 'typed', version: '1.2.3', description: 'Adds.', tools: [
         defineTool({ name: 'add', description: 'Adds.', kind: 'read', input: z.object({ a: z.number(), b: z.number().default(1) }),
           execute: ({ a, b }) => \`\${word} \${a + b}\` }),
         defineTool({ name: 'even', description: 'Takes even numbers.', input: z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') }),
           execute: ({ n }) => n }),
       ] });`,
    );
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([
      { id: 'typed', name: 'typed', version: '1.2.3', description: 'Adds.', state: 'live', tools: ['add', 'even'] },
    ]);
    // Without a jail, nothing enforces the claim.
    expect(folder.registry.get('add')?.traits.readOnly).toBe(false);
    expect(await folder.text('add', { a: 2 })).toBe('sum 3');
    expect(await folder.text('add', { a: '2', b: '3' })).toBe('sum 5');
    expect(await folder.call('add', {})).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
    // Only the plugin itself can report this.
    expect(await folder.call('even', { n: 3 })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGS', issues: [{ path: '$.n', message: expect.stringContaining('must be even') }] },
    });
    await folder.write('typed/lib/word.ts', `export const word: string = 'total';`);
    await folder.event('replaced', 'typed');
    expect(await folder.text('add', { a: 2 })).toBe('total 3');
  }, 60_000);

  it('returns every kind of answer', async () => {
    const folder = await startWith(
      withBody(`({ what }) => ({
        text: 'words', error: new Error('count must be 1-10'), nothing: undefined, number: 5, json: { a: [1, null, { '$haft:bytes': 'mine', '__proto__x': 1 }] },
        bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1]), parts: [{ type: 'text', text: 'a' }, { type: 'image', data: Buffer.from([1, 2]), mediaType: 'image/png' }],
        resource: { uri: 'mem://x', name: 'x', type: 'text/plain', read: () => 'inside' },
        result: { ok: true, callId: '', name: '', content: [{ type: 'resource', resource: { uri: 'mem://y', name: 'y', type: '', read: async () => new Uint8Array([7]) } }], advisories: ['note'], effects: [], metadata: {}, startedAt: 0, durationMs: 0 },
      })[what]`),
    );
    const answer = async (what: string): Promise<unknown> => (await folder.call('act', { what })).content;
    expect(await answer('text')).toEqual([{ type: 'text', text: 'words' }]);
    expect(await folder.call('act', { what: 'error' })).toMatchObject({
      ok: false,
      error: { code: 'EXECUTION_ERROR', message: expect.stringContaining('count must be 1-10') },
    });
    expect(await answer('nothing')).toEqual([]);
    expect(await answer('number')).toEqual([{ type: 'json', value: 5 }]);
    expect(await answer('json')).toEqual([
      { type: 'json', value: { a: [1, null, { '$haft:bytes': 'mine', __proto__x: 1 }] } },
    ]);
    expect(await answer('bytes')).toEqual([
      { type: 'image', mediaType: 'image/png', data: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1]) },
    ]);
    expect(await answer('parts')).toEqual([
      { type: 'text', text: 'a' },
      { type: 'image', data: new Uint8Array([1, 2]), mediaType: 'image/png' },
    ]);
    const [text] = (await answer('resource')) as unknown as [{ resource: { uri: string; read(): unknown } }];
    expect([text.resource.uri, text.resource.read()]).toEqual(['mem://x', 'inside']);
    const result = await folder.call('act', { what: 'result' });
    expect(result).toMatchObject({ ok: true, advisories: ['note'] });
    const [part] = result.content as unknown as [{ resource: { read(): unknown } }];
    expect(part.resource.read()).toEqual(new Uint8Array([7]));
  });

  it('receives its context: ids, signal, progress, logger and permission', async () => {
    const logged: unknown[] = [];
    const log = (level: string) => (message: string, data?: unknown) => logged.push([level, message, data]);
    const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
    const folder = await startWith(
      withBody(`async (args, context) => {
        context.progress('working'); context.progress({ done: 1, total: 2 });
        context.logger.warn('careful', { n: 1 });
        const decision = await context.permission.ask({ title: 'a file', footprint: { reads: ['file:/x'], writes: [] } });
        const denied = await context.permission.ask({ title: 'another', footprint: { reads: ['file:/y'], writes: [] } });
        return [context.callId, context.sessionId, context.turn, context.session.id, context.signal.aborted, decision.action, denied.denial.reason, context.deadline > Date.now()];
      }`),
      { logger },
    );
    const asked: string[] = [];
    const permission: PermissionEngine = {
      ask: ({ title, footprint }) => {
        asked.push(title);
        return footprint.reads.includes('file:/y')
          ? { action: 'deny', denial: { source: 'rule', reason: 'not that' } }
          : { action: 'allow' };
      },
    };
    const received: unknown[] = [];
    const source = createDispatcher({ registry: folder.registry, permission });
    const result = await source.dispatch(
      { id: 'call-7', name: 'act', arguments: {} },
      { sessionId: 's', turn: 3, onProgress: (update) => received.push(update) },
    );
    expect(result.content).toEqual([
      { type: 'json', value: ['call-7', 's', 3, 's', false, 'allow', 'not that', true] },
    ]);
    expect(received).toEqual([{ message: 'working' }, { done: 1, total: 2 }]);
    expect(logged).toEqual([['warn', 'careful', { n: 1, plugin: 'fixture' }]]);
    expect(asked.slice(1)).toEqual(['a file', 'another']);
  });

  it('receives a cancellation and its reason', async () => {
    const folder = await startWith(
      withBody(`(args, context) => new Promise((resolve) => {
        context.progress('in');
        context.signal.addEventListener('abort', () => { context.logger.info(context.signal.reason.name); resolve('stopped'); });
      })`),
      { logger: { ...console, info: (message: string) => void reasons.push(message) } },
    );
    const reasons: string[] = [];
    const stop = new AbortController();
    const result = await folder.call('act', {}, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(result).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
    expect(await folder.call('act', {}, { timeoutMs: 50 })).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    await expect.poll(() => reasons).toEqual(['AbortError', 'TimeoutError']);
  });

  it('runs calls in parallel, with its own checks, availability and failures', async () => {
    const folder = await start();
    await folder.write(
      'fixture.mjs',
      `const waiting = []; const failures = [];
       const tool = (name, more) => ({ name, description: 'x', input: { type: 'object' }, parallelizable: true, ...more });
       export default { name: 'x', version: '1', tools: [
         tool('meet', { execute: () => new Promise((resolve) => { waiting.push(resolve); if (waiting.length === 2) waiting.forEach((go) => go('met')); }) }),
         tool('strict', { check: (args) => args.ok ? [] : [{ path: '$.ok', code: 'custom', expected: 'true', received: 'nothing', message: 'ok must be true' }],
           onFailure: (result, args) => failures.push(result.error.code), execute: () => failures.join() }),
         tool('sleepy', { available: () => ({ reason: 'it sleeps' }), execute: () => 'never' }),
         tool('throws', { execute: () => { throw Object.assign(new Error('no such thing'), { code: 'NOT_FOUND', fault: 'model', retryable: false, hint: 'Ask for another.' }); } }),
       ] };`,
    );
    await folder.loader.ready;
    const source = createDispatcher({ registry: folder.registry, permission: allowAll });
    const calls = ['1', '2'].map((id) => ({ id, name: 'meet', arguments: {} }));
    expect((await source.dispatchBatch(calls)).map((result) => result.ok)).toEqual([true, true]);
    expect(await folder.call('strict')).toMatchObject({ error: { code: 'INVALID_ARGS', issues: [{ path: '$.ok' }] } });
    expect(await folder.text('sleepy')).toContain('it sleeps');
    expect((await folder.registry.visibleTo({ name: 'm' })).has('sleepy')).toBe(false);
    expect(await folder.call('throws')).toMatchObject({
      error: { code: 'NOT_FOUND', fault: 'model', hint: 'Ask for another.' },
    });
  });

  it('prints to the logger by line, at a limited rate', async () => {
    const lines: string[] = [];
    const logger = { ...console, info: (message: string) => void lines.push(message) };
    const folder = await startWith(
      withBody(
        `() => { console.log('one\\ntwo'); console.error('three'); for (let n = 0; n < 5_000; n += 1) console.log('flood'); return 'done'; }`,
      ),
      { logger },
    );
    expect(await folder.text('act')).toBe('done');
    await expect.poll(() => lines).toContain('three');
    expect(lines.filter((line) => ['one', 'two'].includes(line))).toEqual(['one', 'two']);
    expect(lines.length).toBeLessThan(4_000);
  });

  it('runs setup before it is served, and dispose when it is removed', async () => {
    const lines: string[] = [];
    const logger = { ...console, info: (message: string) => void lines.push(message) };
    const source = (version: string): string =>
      withBody(
        `() => '${version}'`,
        '',
        `
        async setup({ id, signal, logger }) { this.logger = logger; signal.addEventListener('abort', () => logger.info('leaving ${version}')); logger.info('set up ' + id + ' ${version}'); },
        dispose() { this.logger.info('disposed ${version}'); },`,
      );
    const folder = await startWith(source('1'), { logger });
    await folder.write('fixture.mjs', source('2'));
    await folder.event('disposed', 'fixture');
    expect(lines).toEqual(['set up fixture 1', 'set up fixture 2', 'leaving 1', 'disposed 1']);
    expect(await folder.text('act')).toBe('2');
  });

  it('finishes running calls on the old version and sends later ones to the new version', async () => {
    const source = (version: string): string =>
      withBody(
        `(args, context) => new Promise((resolve) => { context.progress('in'); globalThis.setTimeout(() => resolve('${version}'), args.wait ?? 0); })`,
      );
    const folder = await startWith(source('1'));
    let entered = (): void => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const running = folder.call('act', { wait: 400 }, { onProgress: () => entered() });
    await inside;
    await folder.write('fixture.mjs', source('2'));
    await folder.event('replaced', 'fixture');
    expect(await folder.text('act')).toBe('2');
    expect(await running).toMatchObject({ ok: true, content: [{ text: '1' }] });
    expect(await folder.event('disposed', 'fixture')).toMatchObject({ revision: 1 });
  });

  it('ends its process when idle and starts it with the next call', async () => {
    const folder = await startWith(withBody(`() => String(process.pid)`), { idleTimeoutMs: 50 });
    const first = Number(await folder.text('act'));
    await expect.poll(() => isAlive(first)).toBe(false);
    const second = Number(await folder.text('act'));
    expect(second).toBeGreaterThan(0);
    expect(second).not.toBe(first);
    expect(folder.events.map(({ type }) => type)).toEqual(['loaded']);
  });

  it('leaves no process behind when it is removed, changes or fails to start', async () => {
    const processes = (): readonly string[] =>
      process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap');
    const before = processes().length;
    const folder = await startWith(withBody(`() => String(process.pid)`));
    const pids = [Number(await folder.text('act'))];
    await folder.write('fixture.mjs', withBody(`() => 'x' + process.pid`));
    await folder.event('disposed', 'fixture');
    pids.push(Number((await folder.text('act')).slice(1)));
    await folder.loader.stop();
    expect(pids.filter(isAlive)).toEqual([]);
    await expect.poll(() => processes().length).toBe(before);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const noLoads: readonly (readonly [
  what: string,
  id: string,
  source: string,
  phase: string,
  line: number | undefined,
  message: RegExp,
])[] = [
  ['does not parse', 'unparsed', 'export default {\n  name: ,\n};', 'import', 2, /Unexpected token/],
  ['throws', 'throwing', '\n\nthrow new Error("boom");', 'import', 3, /boom/],
  [
    'lacks a package',
    'lacking',
    '\nimport x from "not-installed-anywhere";\nexport default x;',
    'import',
    2,
    /not-installed-anywhere/,
  ],
  ['exits', 'exiting', 'process.exit(7);', 'import', undefined, /exited with code 7/],
  ['never ends', 'endless', never, 'import', undefined, /did not finish loading within 8000 ms: an endless loop/],
  [
    'never finishes',
    'unfinished',
    'await new Promise(() => {});',
    'import',
    undefined,
    /did not finish loading|exited with code 13/,
  ],
  [
    'brings no tool',
    'toolless',
    'export default { name: "x", version: "1", tools: [] };',
    'validate',
    undefined,
    /no tools/,
  ],
  [
    'brings an invalid tool',
    'invalid',
    withBody('() => 1').replace("'act'", "'Bad Name'"),
    'validate',
    undefined,
    /Bad Name/,
  ],
  [
    'squats on the name of a lifecycle tool',
    'squatting',
    withBody('() => 1').replace("'act'", "'list_plugins'"),
    'register',
    undefined,
    /taken by a tool that manages other tools/,
  ],
  ['cannot be set up', 'unset', withBody('() => 1', '', `setup() { throw new Error('no'); },`), 'setup', 2, /^no$/],
  [
    'has a schema that throws',
    'schemaless',
    withBody('() => 1').replace(`{ type: 'object' }`, `{ get type() { throw Object.create(null); } }`),
    'validate',
    undefined,
    /not displayable/,
  ],
];

describe('isolated version that does not load', () => {
  // More plugins would be ended because the idle pool is full.
  const half = Math.ceil(noLoads.length / 2);
  const folders: PluginFolder[] = [];
  beforeAll(async () => {
    for (const some of [noLoads.slice(0, half), noLoads.slice(half)]) {
      // Long enough for a busy machine to start a process. Only an endless wait reaches this limit.
      const folder = await openPluginFolder({ isolation: 'process', jail: 'off', loadTimeoutMs: 8_000 });
      folders.push(folder);
      for (const [, id] of some) await folder.write(`${id}.mjs`, withBody(`() => 'old'`).replace("'act'", `'${id}'`));
      await folder.loader.ready;
      // All at once: plugins load independently.
      for (const [, id, source] of some) await folder.write(`${id}.mjs`, source);
    }
  });
  afterAll(() => Promise.all(folders.map((folder) => folder.end())));

  it.each(noLoads)('leaves the old version serving and reports why when it %s', async (...reported) => {
    const [, id, , phase, line, message] = reported;
    const folder = folders[noLoads.findIndex((one) => one[1] === id) < half ? 0 : 1]!;
    const isAboutIt = (event: PluginEvent): event is Extract<PluginEvent, { type: 'failed' }> =>
      event.type === 'failed' && event.failure.id === id;
    await folder.until(() => folder.events.some(isAboutIt));
    const { failure, serving } = folder.events.find(isAboutIt)!;
    expect(failure).toMatchObject({ phase, file: `${id}.mjs` });
    expect(failure.line).toBe(line);
    expect(failure.message).toMatch(message);
    expect(serving).toBe(true);
    expect(await folder.text(id)).toBe('old');
  });
});

describe('an isolated plugin that throws', () => {
  it('has its file and line in the log and in the cause of the result, but hidden from the model', async () => {
    const lines: string[] = [];
    const logger = { ...console, warn: (message: string) => void lines.push(message) };
    const folder = await start({ logger });
    await folder.write('fixture/inner.mjs', `\n\nexport const fail = () => { throw new RangeError('too far'); };`);
    await folder.write('fixture/index.mjs', withBody(`async () => fail()`, `import { fail } from './inner.mjs';`));
    await folder.loader.ready;
    const place = `${folder.directory}/fixture/inner.mjs`;
    const result = await folder.call('act');
    expect(lines).toContainEqual(expect.stringContaining(`a call threw: too far (${place}:3)`));
    if (result.ok) throw new Error('it did not fail');
    const { stack } = result.error.cause as Error;
    expect(stack).toMatch(/^RangeError: too far\n/);
    expect(stack).toMatch(/inner\.mjs[^\n]*:3:/);
    expect(renderForModel(result)).not.toContain('inner.mjs');
  });
});

describe('idle process', () => {
  const hoard = `const held = []; for (let i = 0; i < 20; i += 1) held.push(Buffer.alloc(20_000_000, 1));`;
  const idle = (id: string, later: string): string =>
    withBody(`() => 'fine'`, `setTimeout(() => { ${later} }, 500);`).replace("'act'", `'${id}'`);

  const troubles = (folder: PluginFolder): Readonly<Record<string, string>> =>
    Object.fromEntries(
      folder.events.flatMap((event) => {
        if (event.type === 'crashed') return [[event.id, event.reason]];
        return event.type === 'failed' ? [[event.failure.id, event.failure.message]] : [];
      }),
    );

  it('is ended when it exceeds the memory limit or stops responding', async () => {
    const silent = await start({ unresponsiveMs: 1_500 });
    await silent.write('silent.mjs', idle('silent', never));
    const greedy = await start({ maxMemoryMegabytes: 200 });
    const isWatched = process.platform === 'linux';
    if (isWatched) {
      await greedy.write('early.mjs', `${hoard} await new Promise((resolve) => setTimeout(resolve, 60_000, held));`);
      await greedy.write('late.mjs', idle('late', `${hoard} globalThis.held = held;`));
    }
    await Promise.all([silent.loader.ready, greedy.loader.ready]);
    await silent.until(() => 'silent' in troubles(silent));
    expect(troubles(silent)['silent']).toContain('did not respond in time');
    if (!isWatched) return;
    await greedy.until(() => Object.keys(troubles(greedy)).length === 2);
    expect(troubles(greedy)).toEqual({
      early: expect.stringContaining('memory') as string,
      late: expect.stringContaining('memory') as string,
    });
  });

  it('is kept while the next version fails, since it could not be started again', async () => {
    const folder = await start({ idleTimeoutMs: 50 });
    const patient = `(args, context) => args.wait ? new Promise((resolve) => { context.progress('in'); context.signal.addEventListener('abort', resolve); }) : String(process.pid)`;
    await folder.write('fixture.mjs', withBody(patient));
    await folder.write('other.mjs', withBody(`() => String(process.pid)`).replace("'act'", "'other'"));
    await folder.loader.ready;
    const stop = new AbortController();
    let entered = (): void => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const held = folder.call('act', { wait: true }, { signal: stop.signal, onProgress: () => entered() });
    await inside;
    const pid = await folder.text('act');
    await folder.write('fixture.mjs', 'export default {');
    await folder.event('failed', 'fixture');
    stop.abort();
    await held;
    // Another plugin that was called later is idle too, so this one would have been ended by now.
    const other = Number(await folder.text('other'));
    await expect.poll(() => isAlive(other), { timeout: 20_000 }).toBe(false);
    expect(await folder.text('act')).toBe(pid);
  });
});

describe('fault of an isolated plugin', () => {
  const ways: readonly (readonly [what: string, id: string, body: string, reason: string, details: object])[] = [
    ['exits', 'exits', `() => process.exit(3)`, 'exited with code 3', { cause: 'exit', exitCode: 3 }],
    [
      'is killed',
      'killed',
      `() => process.kill(process.pid, 'SIGKILL')`,
      'was killed by SIGKILL',
      { cause: 'exit', signal: 'SIGKILL' },
    ],
    [
      'throws where nobody catches',
      'throws',
      `() => new Promise(() => setTimeout(() => { throw Object.assign(new Error('loose'), { code: 'X' }); }))`,
      'exited with code 1',
      { cause: 'exit', exitCode: 1, output: expect.stringContaining('loose') },
    ],
    [
      'leaves a rejection unhandled',
      'rejects',
      `() => new Promise(() => { Promise.reject(new Error('loose')); })`,
      'exited with code 1',
      { cause: 'exit', output: expect.stringContaining('loose') },
    ],
    ['never returns', 'loops', `() => { ${never} }`, 'did not respond in time', { cause: 'unresponsive' }],
    [
      'closes its channel',
      'closes',
      `async () => { const { closeSync } = await import('node:fs'); closeSync(3); await new Promise((r) => setTimeout(r, 60_000)); }`,
      'was killed by',
      { cause: 'exit' },
    ],
  ];
  it('fails one call when the process exits; other calls continue and the process is started again', async () => {
    const warned: unknown[] = [];
    const warn = (message: string, data?: unknown): void => void warned.push([message, data]);
    const folder = await start({ unresponsiveMs: 2_000, logger: { ...silentLogger, warn } });
    for (const [, id, body] of ways)
      await folder.write(
        `${id}.mjs`,
        withBody(`(args) => args.fine ? 'fine' : (${body})()`).replace("'act'", `'${id}'`),
      );
    await folder.write('good.mjs', pluginSource('good', 'good'));
    await folder.loader.ready;
    const resting = new Map<string, unknown>();
    folder.loader.onEvent((event) => {
      if (event.type === 'crashed') resting.set(event.id, folder.registry.checkTool(folder.registry.get(event.id)!));
    });
    await Promise.all(
      ways.map(async ([what, id, , reason, details]) => {
        const failed = await folder.call(id);
        expect(failed, what).toMatchObject({
          ok: false,
          error: { code: 'PLUGIN_FAILED', fault: 'host', retryable: false, details },
        });
        expect(failed, what).toMatchObject({ error: { message: expect.stringContaining(reason) } });
        await folder.until(() => resting.has(id));
        const crash = folder.events.find((event) => event.type === 'crashed' && event.id === id);
        expect(crash, what).toMatchObject({ reason: expect.stringContaining(reason), retryAfterMs: 250 });
        expect(warned, what).toContainEqual([
          expect.stringMatching(
            new RegExp(
              `^the process of the plugin ${id} ${reason}.*; the next call after 250 ms starts it again$`,
              's',
            ),
          ),
          { plugin: id },
        ]);
        // While the plugin is paused, its tools report the reason.
        expect(resting.get(id), what).toMatchObject({
          reason: expect.stringMatching(new RegExp(`^the plugin ${id} .*; it can be called again in 1 s$`, 's')),
        });
        expect(await folder.text('good')).toBe('good');
        await expect.poll(() => folder.text(id, { fine: true }), { timeout: 20_000 }).toBe('fine');
      }),
    );
    expect(warned).toHaveLength(ways.length);
  });

  it('affects only the plugin when it floods its host', async () => {
    const flood = `(args, context) => { for (let n = 0; ; n += 1) { context.progress('x'.repeat(100)); if (n % 1_000 === 0) context.logger.info('y'); } }`;
    // A small heap runs out of memory on unread messages sooner.
    const folder = await start({ maxMemoryMegabytes: 150 });
    await folder.write('bad.mjs', withBody(flood).replace("'act'", "'bad'"));
    await folder.write('good.mjs', pluginSource('good', 'good'));
    await folder.loader.ready;
    let received = 0;
    const flooding = folder.call('bad', {}, { onProgress: () => (received += 1) });
    expect(await folder.text('good')).toBe('good');
    const result = await flooding;
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'PLUGIN_FAILED', details: { cause: expect.stringMatching(/flood|memory|unresponsive|exit/) } },
    });
    expect(received).toBeLessThanOrEqual(5_000 * 20);
  }, 60_000);

  it('is reported by name when it breaks the protocol or exceeds a budget', async () => {
    const folder = await start({ unresponsiveMs: 60_000 });
    const sending: Readonly<Record<string, readonly [code: string, details: object]>> = {
      rubbish: [`write('rubbish\\n')`, { cause: 'protocol' }],
      stray: [`write('{"t":"result","id":1000}\\n')`, { cause: 'protocol' }],
      pong: [`write('{"t":"pong","nonce":"1"}\\n')`, { cause: 'protocol' }],
      unknown: [`write('{"t":"nope"}\\n')`, { cause: 'protocol' }],
      described: [`write('{"t":"described","plugin":{"tools":[]}}\\n')`, { cause: 'protocol' }],
      disposed: [`write('{"t":"disposed"}\\n')`, { cause: 'protocol' }],
      endless: [`for (;;) write('x'.repeat(1_000_000))`, { cause: 'flood', budget: 'message size' }],
      deep: [
        `write('{"t":"log","data":' + '['.repeat(1_000_000) + ']'.repeat(1_000_000) + '}\\n')`,
        { cause: 'flood', budget: 'message complexity' },
      ],
      logs: [
        `const lines = '{"t":"log"}\\n'.repeat(5_000); for (;;) { write(lines); await new Promise(setImmediate); }`,
        { cause: 'flood', budget: expect.stringMatching(/^(?:messages|host time)$/) },
      ],
      questions: [
        `for (;;) { write(('{"t":"ask","id":1,"ask":1}\\n').repeat(100)); await new Promise(setImmediate); }`,
        { cause: 'flood', budget: expect.stringMatching(/^(?:messages|host time)$/) },
      ],
      printing: [
        `for (const line = Buffer.alloc(1_000_000, 120); ;) writeSync(2, line)`,
        { cause: 'flood', budget: expect.stringMatching(/^(?:bytes|host time)$/) },
      ],
    };
    for (const [id, [code]] of Object.entries(sending)) {
      const body = `async () => { const { writeSync } = await import('node:fs'); const write = (text) => { for (let at = 0; at < text.length;) { try { at += writeSync(3, text.slice(at)); } catch (error) { if (error.code !== 'EAGAIN') throw error; } } }; ${code}; await new Promise((r) => setTimeout(r, 30_000)); }`;
      await folder.write(`${id}.mjs`, withBody(body).replace("'act'", `'${id}'`));
    }
    await folder.loader.ready;
    for (const [id, [, details]] of Object.entries(sending))
      expect(await folder.call(id), id).toMatchObject({ ok: false, error: { code: 'PLUGIN_FAILED', details } });
  }, 60_000);

  it('delays the next start longer after every crash', async () => {
    const folder = await startWith(withBody(`() => process.exit(1)`));
    for (const [earlier, retryAfterMs] of [250, 500].entries()) {
      expect(await folder.call('act')).toMatchObject({ ok: false, error: { code: 'PLUGIN_FAILED' } });
      const crashes = (): readonly PluginEvent[] => folder.events.filter(({ type }) => type === 'crashed');
      await folder.until(() => crashes().length > earlier);
      expect(crashes().at(-1)).toMatchObject({ retryAfterMs });
      await expect.poll(() => folder.registry.checkTool(folder.registry.get('act')!)).toBe(true);
    }
  });

  it("can't change host state with unrequested messages", async () => {
    const forge = `async (args, context) => { const { writeSync } = await import('node:fs');
      for (const line of [{ t: 'files', files: ['/etc/passwd', 5] }, { t: 'progress', id: 'x' }, { t: 'ask', id: 1, ask: {} }, { t: 'log' }])
        writeSync(3, JSON.stringify(line) + '\\n');
      return 'done'; }`;
    const folder = await startWith(withBody(forge));
    expect(await folder.text('act')).toBe('done');
    expect(folder.loader.plugins()).toMatchObject([{ state: 'live', tools: ['act'] }]);
  });
});

describe('permissions of an isolated plugin', () => {
  const attempt = (code: string): string =>
    withBody(
      `async (args) => { try { return String(await (async () => { ${code} })()); } catch (error) { return error.code ?? error.message; } }`,
    );

  const forbidden: Readonly<Record<string, string>> = {
    'read a file of somebody else': `const fs = await import('node:fs'); return fs.readFileSync(args.outside, 'utf8');`,
    'read its neighbour': `const fs = await import('node:fs'); return fs.readFileSync(args.neighbour, 'utf8');`,
    'write a file beside itself': `const fs = await import('node:fs'); fs.writeFileSync(args.own + '.txt', 'x'); return 'written';`,
    'make a link that leads out': `const fs = await import('node:fs'); fs.symlinkSync('/etc', args.own + '.link'); return 'linked';`,
    'start a program': `const { execFileSync } = await import('node:child_process'); return execFileSync('/bin/true');`,
    'start a thread': `const { Worker } = await import('node:worker_threads'); return new Worker('1', { eval: true });`,
    'load an addon': `process.dlopen({ exports: {} }, '/tmp/x.node'); return 'loaded';`,
  };
  it('exclude other files, programs, threads and addons', async () => {
    const folder = await start();
    const outside = await start();
    await outside.write('secret.txt', 'secret');
    await folder.write('neighbour.mjs', pluginSource('neighbour', 'secret'));
    const ways = Object.entries(forbidden).map(([what, code]) => `if (args.what === '${what}') { ${code} }`);
    await folder.write('fixture.mjs', attempt(ways.join('\n')));
    await folder.loader.ready;
    const args = {
      outside: join(outside.directory, 'secret.txt'),
      neighbour: join(folder.directory, 'neighbour.mjs'),
      own: join(folder.directory, 'fixture'),
    };
    for (const what of Object.keys(forbidden))
      expect(await folder.text('act', { ...args, what }), what).toMatch(
        /ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|ERR_WORKER/,
      );
  });

  it('are reported by name to the plugin author, not to the model', async () => {
    const lines: string[] = [];
    const logger = { ...console, warn: (message: string) => void lines.push(message) };
    const folder = await start({ logger });
    const read = `(await import('node:fs')).readFileSync('/etc/hostname', 'utf8')`;
    await folder.write('fixture.mjs', withBody(`async () => ${read}`));
    await folder.write('early.mjs', withBody(`() => 1`, '', `async setup() { ${read}; },`));
    await folder.loader.ready;
    const wanted = `it has no permission for FileSystemRead of /etc/hostname: the program must grant fs.read to the plugin's id`;
    expect(folder.loader.plugins()).toMatchObject([
      { id: 'early', failure: { phase: 'setup', message: expect.stringContaining(wanted) } },
      { id: 'fixture', state: 'live' },
    ]);
    expect(await folder.text('act')).not.toContain('hostname');
    expect(lines.join()).toContain(wanted);
  });

  it('name the grant that a network call lacks, as the refusals of files do', async () => {
    const lines: string[] = [];
    const logger = { ...console, warn: (message: string) => void lines.push(message) };
    const folder = await start({ logger });
    const hidden = `throw new TypeError('fetch failed', { cause: new AggregateError([
      Object.assign(new Error('connect'), { code: 'ENETUNREACH', address: '192.0.2.1' })]) });`;
    await folder.write('fixture.mjs', withBody(`async () => { ${hidden} }`));
    await folder.loader.ready;
    expect(await folder.text('act')).not.toContain('192.0.2.1');
    expect(lines.join()).toContain(
      `it has no permission for the network, to 192.0.2.1 (ENETUNREACH): the program must grant hosts to the plugin's id (${folder.directory}/fixture.mjs:`,
    );
  });

  it('warn when a plugin is loaded without the grants that it declares, and in the same way for a named export', async () => {
    const lines: string[] = [];
    const logger = { ...console, warn: (message: string) => void lines.push(message) };
    const folder = await start({ logger, grants: { fixture: { env: ['TZ'] }, granted: { hosts: ['example.com'] } } });
    const hosts = `capabilities: { hosts: ['example.com'] },`;
    await folder.write('fixture.mjs', withBody('() => 1', '', hosts));
    await folder.write('granted.mjs', withBody('() => 1', '', hosts).replace(`'act'`, `'other'`));
    await folder.write('named.mjs', withBody('() => 1', `export const capabilities = { hosts: ['example.com'] };`));
    await folder.loader.ready;
    const message = `it declares hosts (example.com) without a grant, so its calls that need them fail. To grant them, write grants: { "fixture": { "hosts": [ "example.com" ], "env": [ "TZ" ] } }`;
    expect(folder.events.filter(({ type }) => type === 'not-granted')).toEqual([
      { type: 'not-granted', id: 'fixture', message },
    ]);
    expect(lines).toContain(`the plugin fixture: ${message}`);
    expect(folder.loader.plugins()).toMatchObject([
      { id: 'fixture', state: 'live' },
      { id: 'granted', state: 'live' },
      { id: 'named', state: 'failed', failure: { phase: 'validate' } },
    ]);
  });

  it('do not explain a failed connection of a plugin with granted hosts', async () => {
    const lines: string[] = [];
    const logger = { ...console, warn: (message: string) => void lines.push(message) };
    const folder = await start({ logger, grants: { fixture: { hosts: ['example.org'] } } });
    await folder.write(
      'fixture.mjs',
      withBody(`async () => { throw Object.assign(new Error('refused by the server'), { code: 'ECONNREFUSED' }); }`),
    );
    await folder.loader.ready;
    await folder.text('act');
    expect(lines.join()).toContain('a call threw: refused by the server');
    expect(lines.join()).not.toContain('granted');
  });

  it('include only the granted environment variables', async () => {
    process.env['HAFT_TEST_SECRET'] = 'secret';
    process.env['HAFT_TEST_GIVEN'] = 'given';
    const folder = await startWith(
      attempt(
        `return JSON.stringify([process.env.HAFT_TEST_SECRET, process.env.HAFT_TEST_GIVEN, process.env.HOME, process.env.PATH]);`,
      ),
      {
        grants: { fixture: { env: ['HAFT_TEST_GIVEN'] } },
      },
    );
    delete process.env['HAFT_TEST_SECRET'];
    delete process.env['HAFT_TEST_GIVEN'];
    expect(await folder.text('act')).toBe('[null,"given",null,null]');
  });

  it('are named when a plugin reports that a variable is missing', async () => {
    const folder = await start();
    const needing = (name: string): string =>
      withBody('() => key', `const key = process.env.${name};\nif (!key) throw new Error('set ${name} or OTHER_KEY');`);
    await folder.write('weather/index.mjs', `export { default } from './key.mjs';`);
    await folder.write('weather/key.mjs', needing('WEATHER_KEY'));
    await folder.loader.ready;
    const { failure } = await folder.event('failed', 'weather');
    expect(failure).toMatchObject({ phase: 'import', file: 'weather/key.mjs', line: 2 });
    expect(failure.message).toBe(
      'set WEATHER_KEY or OTHER_KEY (an isolated plugin has only the granted environment variables, as in grants: { "weather": { env: ["WEATHER_KEY"] } })',
    );
    await folder.write('granted.mjs', `const own = { OTHER_KEY: 1 }; throw new Error('OTHER_KEY is wrong');`);
    expect((await folder.event('failed', 'granted')).failure.message).toBe('OTHER_KEY is wrong');
  });

  it('include the grants and nothing else', async () => {
    const data = await start();
    await data.write('in/a.txt', 'granted');
    await data.write('b.txt', 'not granted');
    const code = `const fs = await import('node:fs'); if (args.write) fs.writeFileSync(args.path, 'new'); return fs.readFileSync(args.path, 'utf8');`;
    const folder = await startWith(attempt(code), {
      grants: { fixture: { fs: { read: [join(data.directory, 'in')], write: [join(data.directory, 'out')] } } },
    });
    expect(await folder.text('act', { path: join(data.directory, 'in/a.txt') })).toBe('granted');
    expect(await folder.text('act', { path: join(data.directory, 'b.txt') })).toBe('ERR_ACCESS_DENIED');
    expect(await folder.text('act', { path: join(data.directory, 'in/a.txt'), write: true })).toBe('ERR_ACCESS_DENIED');
  });

  it('are read from its manifest without running it', async () => {
    const folder = await start();
    await folder.write(
      'asks/package.json',
      JSON.stringify({
        name: 'asks',
        version: '1.0.0',
        type: 'module',
        main: 'index.mjs',
        haft: { api: '^1', capabilities: { fs: { read: ['./data'] }, hosts: ['api.example.com'] } },
      }),
    );
    await folder.write('asks/index.mjs', 'throw new Error("was run");');
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([
      { state: 'failed', capabilities: { fs: { read: ['./data'] }, hosts: ['api.example.com'] } },
    ]);
  });

  it('are unrestricted for a trusted plugin', async () => {
    const folder = await start({ trusted: ['fixture'] });
    await folder.write('fixture.mjs', withBody('() => String(process.pid)'));
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([{ isolation: 'inline' }]);
    expect(await folder.text('act')).toBe(String(process.pid));
  });
});

describe('a manifest', () => {
  it.each([
    [
      'for a later interface',
      { api: 2 },
      /package\.json requires version 2 of the plugin interface \(the host has version 1\)/,
    ],
    ['for one that is invalid', { api: 'newest' }, /requires version "newest"/],
    [
      'with capabilities that are none',
      { capabilities: { fs: { delete: ['/'] } } },
      /capabilities\.fs must be an object with read, write or both/,
    ],
    ['with an unknown capability', { capabilities: { root: true } }, /unknown capability root/],
  ])('that %s is refused before any code runs', async (_what, haft, message) => {
    const folder = await start({ isolation: 'inline' });
    await folder.write('odd/package.json', JSON.stringify({ name: 'odd', main: 'index.mjs', haft }));
    await folder.write('odd/index.mjs', 'globalThis.haftWasRun = true;');
    await folder.loader.ready;
    const [plugin] = folder.loader.plugins();
    expect(plugin).toMatchObject({ state: 'failed', failure: { phase: 'discover', file: 'odd/package.json' } });
    expect(plugin!.failure!.message).toMatch(message);
    expect('haftWasRun' in globalThis).toBe(false);
  });
});
