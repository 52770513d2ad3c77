import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderForModel } from '@haft/core';
import { createProcessManager } from '@haft/sandbox';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';
import type { ReadOutput } from './bash-output-tool.ts';
import type { ListedProcess } from './describe-process.ts';
import { createProcessTools } from './process-tools.ts';

const processes = createProcessManager();
let ground: Ground;
const start = (options: GroundOptions = {}): Ground => (ground = createGround({ builtins: { processes }, ...options }));
afterEach(async () => {
  vi.useRealTimers();
  await processes.endAll();
  ground.remove();
});

/** Waits in a command until the test writes the file `go`. */
const untilGo = 'until [ -e go ]; do sleep 0.02; done';

/** Starts a command in the background and returns its id. */
async function begin(command: string, session = 's'): Promise<string> {
  const result = await ground.call('bash', { command, background: true }, { sessionId: session });
  const id = (result.metadata as { processId?: string } | undefined)?.processId;
  if (id === undefined) throw new Error(JSON.stringify(result));
  return id;
}

async function read(args: object, session = 's'): Promise<ReadOutput> {
  const result = await ground.call('bash_output', { ...args, output: 'json' }, { sessionId: session });
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.structured as ReadOutput;
}

describe('bash in the background', () => {
  it('returns immediately with the first output and explains how to continue', async () => {
    start();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = ground.call('bash', { command: 'echo ready; sleep 60', background: true });
    await expect.poll(() => processes.list().at(-1)?.totalCharacters).toBe('ready\n'.length);
    await vi.advanceTimersByTimeAsync(250);
    const result = await running;
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: expect.stringMatching(/^ready\n\[It runs in the background as p\d+\. .*"cursor":6\}/) }],
      effects: [{ kind: 'process', background: true, pid: expect.any(Number) }],
    });
    expect(result.summary).toMatch(/\(p\d+, in the background\)$/);
  });

  it('reports a command that fails immediately', async () => {
    start();
    // However long this machine takes to run it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect(await ground.call('bash', { command: 'echo broken; exit 4', background: true })).toMatchObject({
      ok: false,
      error: { code: 'EXIT_CODE', details: { exitCode: 4 } },
      content: [{ text: 'broken\n' }],
    });
  });

  it('lets a command continue in the background after its time limit on request', async () => {
    start();
    const result = await ground.call(
      'bash',
      { command: `echo one; ${untilGo}; echo two`, timeout_ms: 300, on_timeout: 'background' },
      { sessionId: 's' },
    );
    expect(result).toMatchObject({ ok: true, content: [{ text: expect.stringContaining('did not end in 300 ms') }] });
    ground.put('go', '');
    const { processId } = result.metadata as { processId: string };
    for (let cursor = 4; ;) {
      const next = await read({ id: processId, cursor, wait_ms: 10_000 });
      ({ cursor } = next);
      if (!next.process.running) break;
    }
    expect(await read({ id: processId, cursor: 4 })).toMatchObject({ text: 'two\n', process: { exitCode: 0 } });
  });

  it('returns the complete result of a command that ends in time', async () => {
    start();
    const args = { on_timeout: 'background', timeout_seconds: 20 };
    expect(await ground.call('bash', { command: 'echo out; echo err >&2', ...args })).toMatchObject({
      ok: true,
      content: [{ text: 'out\nerr\n' }],
      metadata: { exitCode: 0 },
    });
    const failed = await ground.call('bash', { command: 'echo out; exit 2', ...args });
    expect(failed).toMatchObject({ error: { code: 'EXIT_CODE' }, content: [{ text: 'out\n' }] });
  });

  it('ends the command if the call is aborted before the command moves to the background', async () => {
    start();
    const controller = new AbortController();
    const result = ground.call(
      'bash',
      { command: 'echo started; sleep 60', on_timeout: 'background' },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    expect(await result).toMatchObject({ ok: false, error: { code: 'ABORTED' }, content: [{ text: 'started\n' }] });
    expect(processes.list().filter(({ isAlive }) => isAlive)).toEqual([]);
  });

  it('limits the number of processes and explains how to free one', async () => {
    start({ builtins: { processes: createProcessManager({ maxAlive: 1 }) } });
    await begin('sleep 60');
    const result = await ground.call('bash', { command: 'sleep 60', background: true });
    expect(result).toMatchObject({
      error: {
        code: 'SPAWN_FAILED',
        details: { sandboxCode: 'TOO_MANY_PROCESSES' },
        hint: expect.stringMatching(/Stop/),
      },
    });
    await ground.call('stop_process', { id: 'p1' }, { sessionId: 's' });
  });

  it('ignores background options without a process manager', async () => {
    start({ builtins: {} });
    expect(codeOf(await ground.call('bash', { command: 'true', timeout_ms: 5, timeout_seconds: 5 }))).toBe(
      'INVALID_ARGS',
    );
    expect(codeOf(await ground.call('bash', { command: 'true', run_in_background: true }))).toBe('ok');
  });
});

describe('bash_output', () => {
  it('returns output after a cursor and waits for new output', async () => {
    start();
    const id = await begin(`echo one; ${untilGo}; echo two; sleep 60`);
    const first = await read({ id, cursor: 0, wait_ms: 20_000 });
    expect(first).toMatchObject({ text: 'one\n', cursor: 4, dropped: 0, more: false, process: { running: true } });
    const next = read({ id, cursor: first.cursor, wait_ms: 20_000 });
    ground.put('go', '');
    expect(await next).toMatchObject({ text: 'two\n', cursor: 8 });
    expect(await read({ process_id: id, stdout_cursor: 8, wait_ms: 50 })).toMatchObject({ text: '', cursor: 8 });
    expect((await read({ id })).text).toBe('one\ntwo\n');
  });

  it('returns the same structure to programs for every output format', async () => {
    start();
    const id = await begin('echo one; echo two; sleep 0.5; exit 3');
    await processes.find(id)!.waitForEnd();
    const [labeled, json] = await Promise.all(
      ['labeled', 'json'].map((output) =>
        ground.call('bash_output', { id, cursor: 0, max_lines: 1, output }, { sessionId: 's' }),
      ),
    );
    expect(labeled!.structured).toEqual(json!.structured);
    expect(json!.content).toEqual([{ type: 'json', value: json!.structured }]);
    expect(json!.structured).toMatchObject({ text: 'one\n', cursor: 4, more: true, process: { id, exitCode: 3 } });
    expect(renderForModel(labeled!)).toMatch(
      /^one\n\[p\d+ ended with code 3 after .*; cursor 4\]\nNote: there is more: continue with this cursor$/,
    );
  });

  it('limits the number of lines and filters them', async () => {
    start();
    const id = await begin('seq 1 3000; sleep 60');
    await expect.poll(async () => (await read({ id, max_lines: 1 })).text).toBe('3000\n');
    const first = await read({ id, cursor: 0, max_lines: 2 });
    expect(first).toMatchObject({ text: '1\n2\n', cursor: 4, more: true });
    expect(await read({ id, cursor: first.cursor, max_lines: 1 })).toMatchObject({ text: '3\n' });
    expect((await read({ id, max_lines: 2 })).text).toBe('2999\n3000\n');
    expect((await read({ id, cursor: 0, max_lines: 5_000, filter: '99' })).text).toMatch(/^99\n199\n/);
    expect(await ground.say('bash_output', { id, max_lines: 1 }, { sessionId: 's' })).toMatch(
      /^3000\n\[p\d+ is running \(.*\); cursor 13893\]$/,
    );
  });

  it('shows an incomplete line and marks it', async () => {
    start();
    const id = await begin('printf "Password: "; sleep 60');
    await expect.poll(async () => (await read({ id, cursor: 0 })).open).toBe('Password: ');
    expect(await read({ id, cursor: 0 })).toMatchObject({ text: '', open: 'Password: ', cursor: 0 });
    expect(await ground.say('bash_output', { id }, { sessionId: 's' })).toMatch(
      /^Password:\n\[p\d+ is running .*; cursor 0\]\nNote: its last line has not ended yet$/,
    );
  });

  it('reports dropped output and where it is stored', async () => {
    start({ spills: true, builtins: { processes: createProcessManager({ maxCharacters: 20_000 }) } });
    const id = await begin('seq 1 50000; sleep 0.4; true');
    for (let next = await read({ id }); next.process.running;)
      next = await read({ id, cursor: next.cursor, wait_ms: 5_000 });
    const said = await ground.say('bash_output', { id, cursor: 0 }, { sessionId: 's' });
    const [, lost, path] = /(\d+) characters before this were dropped, they are in ([^\s;]+)/.exec(said)!;
    expect(Number(lost)).toBeGreaterThan(200_000);
    expect(await ground.say('read', { path, offset: 50_000, limit: 1 })).toMatch(/^50000→50000/);
  });

  it('does not find a process of another session and lists the processes of its own', async () => {
    start();
    const id = await begin('sleep 60', 'one');
    await begin('sleep 60', 'two');
    const result = await ground.call('bash_output', { id }, { sessionId: 'two' });
    expect(result).toMatchObject({ error: { code: 'NOT_FOUND', hint: expect.not.stringContaining(`${id},`) } });
    expect(codeOf(await ground.call('stop_process', { id }, { sessionId: 'two' }))).toBe('NOT_FOUND');
    expect(codeOf(await ground.call('bash_output', { id: 'p999' }, { sessionId: 'three' }))).toBe('NOT_FOUND');
  });
});

describe('stop_process and list_processes', () => {
  it('ends a process and reports how it ended, also on the second call and by system process id', async () => {
    start();
    const id = await begin('trap "echo bye; exit 5" INT; echo up; while :; do sleep 0.05; done');
    // Its trap is set.
    await expect.poll(async () => (await read({ id })).text).toBe('up\n');
    const { pid } = (await read({ id })).process;
    expect(await ground.say('stop_process', { pid: String(pid), signal: 'INT' }, { sessionId: 's' })).toMatch(
      /^p\d+ was stopped and ended with code 5 after/,
    );
    expect((await read({ id })).text).toBe('up\nbye\n');
    expect(await ground.say('stop_process', { id }, { sessionId: 's' })).toMatch(/had already ended/);
  });

  it('lists running and ended processes as text and as data', async () => {
    start();
    expect(await ground.say('list_processes', {}, { sessionId: 'none' })).toBe(
      'Nothing was started in the background.',
    );
    const id = await begin('sleep 61', 'list');
    const result = await ground.call('list_processes', { output: 'json' }, { sessionId: 'list' });
    expect((result.ok ? result.structured : []) as ListedProcess[]).toMatchObject([
      { id, command: 'sleep 61', cwd: ground.folder, running: true, cursor: 0 },
    ]);
    await ground.call('stop_process', { id }, { sessionId: 'list' });
    expect(await ground.say('list_processes', {}, { sessionId: 'list' })).toMatch(
      new RegExp(`^${id} was stopped and ended by SIGTERM after .*, pid \\d+: sleep 61$`),
    );
  });

  it('is not created without a process manager', () => {
    expect(() => createProcessTools({} as never)).toThrow(/processes is not valid/);
    expect(createProcessTools({ processes }).map(({ name }) => name)).toEqual([
      'bash_output',
      'stop_process',
      'list_processes',
    ]);
  });
});
