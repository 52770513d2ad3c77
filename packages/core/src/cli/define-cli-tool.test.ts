import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ProcessOutcome, ProcessRequest, ProcessRunner } from '../contracts/workspace/process-runner.ts';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { createWorkspace } from '../workspace/create-workspace.ts';
import { eraseTool } from '../define/define-tool.ts';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { defineCliTool, type CliToolDefinition } from './define-cli-tool.ts';

const ended: ProcessOutcome = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  failure: null,
  output: { text: 'printed\n' },
  pid: 7,
};

/** Simulates a machine on which only `rg` is installed. Its outcome is configurable. */
function createMachine(ending: Partial<ProcessOutcome> = {}) {
  const requests: ProcessRequest[] = [];
  const installed = new Set(['rg']);
  const processes: ProcessRunner = {
    findExecutable: (command) => (installed.has(command) ? `/bin/${command}` : undefined),
    createCleanEnvironment: ({ allow = [], set = {} } = {}) => ({ PATH: '/bin', ALLOWED: allow.join(), ...set }),
    runProcess: (request) => {
      requests.push(request);
      request.onOutput('printed');
      return Promise.resolve({ ...ended, ...ending });
    },
  };
  return { processes, requests, installed };
}

const input = z.strictObject({ pattern: z.string(), paths: z.array(z.string()).optional() });
const search = (processes: ProcessRunner, more: Partial<CliToolDefinition<typeof input>> = {}): AnyTool =>
  eraseTool(
    defineCliTool<typeof input>({
      name: 'search_text',
      description: 'Searches.',
      kind: 'read',
      input,
      command: 'rg',
      args: ({ pattern, paths = [] }) => ['--line-number', pattern, ...paths],
      processes,
      ...more,
    }),
  );
const call = async (tool: AnyTool, args: unknown) => {
  const asked: string[] = [];
  const source = createDispatcher({
    registry: [tool],
    workspace: createWorkspace({ cwd: '/project', now: () => 1_000 }),
    permission: { ask: (request) => (asked.push(request.title), { action: 'allow' }) },
  });
  const result = await source.dispatch({ id: '1', name: tool.name, arguments: args });
  return { result, text: renderForModel(result), title: asked[0], code: result.ok ? 'ok' : result.error.code };
};

describe('defineCliTool', () => {
  it('runs a program without a shell and returns its output', async () => {
    const { processes, requests } = createMachine();
    const { result, text, title } = await call(search(processes), { pattern: 'a b; rm -rf /', paths: ['src'] });
    expect(text).toBe('printed');
    expect(requests[0]).toMatchObject({
      command: 'rg',
      args: ['--line-number', 'a b; rm -rf /', 'src'],
      cwd: '/project',
      env: { PATH: '/bin', ALLOWED: '' },
      timeoutMs: 120_000,
    });
    expect(title).toBe('rg --line-number "a b; rm -rf /" src');
    expect(result.effects).toEqual([
      { kind: 'process', command: 'rg --line-number a b; rm -rf / src', background: false, pid: 7, exitCode: 0 },
    ]);
  });

  it('is available if its program is found, and otherwise names the missing program', async () => {
    const { processes, installed } = createMachine();
    const registry = new ToolRegistry({ tools: [search(processes)] });
    expect(await registry.checkAvailability()).toEqual([
      { name: 'search_text', type: 'cli', description: 'Searches.', available: true, reason: undefined },
    ]);
    installed.clear();
    expect(await registry.checkAvailability()).toMatchObject([{ available: false, reason: 'rg not found in PATH' }]);
    expect((await registry.visibleTo({ name: 'm' })).names).toEqual([]);
  });

  it('fails with the exit code and all output', async () => {
    const { processes } = createMachine({ exitCode: 2, output: { text: 'no such folder' } });
    const { result, text } = await call(search(processes), { pattern: 'a' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'EXIT_CODE', fault: 'world', retryable: false, details: { exitCode: 2 } },
    });
    expect(text).toContain('no such folder');
  });

  it('treats configured exit codes as success', async () => {
    const { processes } = createMachine({ exitCode: 1, output: { text: '' } });
    expect((await call(search(processes, { successCodes: [0, 1] }), { pattern: 'a' })).text).toBe('(no output)');
  });

  it.each([
    [{ timedOut: true, exitCode: null }, 'TIMEOUT'],
    [{ aborted: true, exitCode: null }, 'ABORTED'],
    [{ exitCode: null, signal: 'SIGSEGV' }, 'EXIT_CODE'],
    [{ failure: { code: 'COMMAND_NOT_FOUND', message: 'gone' }, exitCode: null, pid: null }, 'TOOL_UNAVAILABLE'],
    [{ failure: { code: 'ACCESS_DENIED', message: 'no' }, exitCode: null, pid: null }, 'SPAWN_FAILED'],
  ] as const)('converts the outcome %j to an error code', async (ending, code) => {
    const { processes } = createMachine(ending);
    expect((await call(search(processes), { pattern: 'a' })).code).toBe(code);
  });

  it('never lets model-written text become an option', async () => {
    const { processes, requests } = createMachine();
    const refused = await call(search(processes), { pattern: '--pre=sh', paths: [] });
    expect([refused.code, refused.text]).toEqual(['INVALID_ARGS', expect.stringContaining('--pre=sh')]);
    expect((await call(search(processes), { pattern: 'a', paths: ['src', '-f/etc/passwd'] })).code).toBe(
      'INVALID_ARGS',
    );
    expect(requests).toEqual([]);
    const guarded = search(processes, { args: ({ pattern }) => ['--line-number', '--', pattern] });
    expect((await call(guarded, { pattern: '--pre=sh' })).code).toBe('ok');
    expect((await call(search(processes, { allowOptions: true }), { pattern: '--pre=sh' })).code).toBe('ok');
    expect((await call(search(processes), { pattern: 'a', paths: ['-'] })).code).toBe('ok');
  });

  it('converts the output, passes standard input and passes only allowed variables', async () => {
    const { processes, requests } = createMachine({ output: { text: '["a"]' } });
    const tool = search(processes, {
      allowEnvironment: ['TOKEN'],
      stdin: ({ pattern }) => `${pattern}\n`,
      read: (output) => JSON.parse(output) as unknown,
    });
    const { result } = await call(tool, { pattern: 'x' });
    expect(result.structured).toEqual(['a']);
    expect(requests[0]).toMatchObject({ stdin: 'x\n', env: { ALLOWED: 'TOKEN' } });
  });

  it('ends the command before the call times out', async () => {
    const { processes, requests } = createMachine();
    await call(search(processes, { timeoutMs: 300_000 }), { pattern: 'a' });
    const source = createDispatcher({ registry: [search(processes)], permission: allowAll });
    const short = { timeoutMs: 5_000 };
    await source.dispatch({ id: '1', name: 'search_text', arguments: { pattern: 'a' } }, short);
    expect(requests[0]!.timeoutMs).toBe(300_000);
    expect(requests[1]!.timeoutMs).toBeLessThanOrEqual(2_500);
  });

  it('rejects a command that cannot run', () => {
    const { processes } = createMachine();
    expect(() => search(processes, { command: 'rg --json' })).toThrow(
      /command is not valid \(expected the name of a program/,
    );
    expect(() => search(processes, { command: '' })).toThrow(/command is not valid/);
    expect(() => search({} as never)).toThrow(/processes is not valid \(expected a ProcessRunner/);
    expect(() => search(processes, { name: 'Search' })).toThrow(/tool name/);
  });
});
