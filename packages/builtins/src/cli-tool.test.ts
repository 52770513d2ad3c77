import * as sandbox from '@haft/sandbox';
import { createDispatcher, createWorkspace, defineCliTool, renderForModel, allowAll } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const run = async (code: string, more: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}) => {
  const tool = defineCliTool({
    name: 'run_script',
    description: 'Runs a script.',
    input: z.strictObject({ code: z.string() }),
    command: process.execPath,
    args: (args) => ['--eval', args.code],
    ...(more.timeoutMs === undefined ? {} : { timeoutMs: more.timeoutMs }),
    processes: sandbox,
  });
  const source = createDispatcher({
    registry: [eraseTool(tool)],
    workspace: createWorkspace({ cwd: import.meta.dirname }),
    permission: allowAll,
  });
  const call = { id: '1', name: 'run_script', arguments: { code } };
  const result = await source.dispatch(call, more.signal ? { signal: more.signal } : {});
  return { text: renderForModel(result), code: result.ok ? 'ok' : result.error.code };
};

describe('a command-line tool on a real machine', () => {
  it('returns the output of a program that runs in the workspace folder', async () => {
    expect(await run('console.log(process.cwd()); console.error("and errors")')).toEqual({
      text: `${import.meta.dirname}\nand errors`,
      code: 'ok',
    });
  });

  it('reports the exit code with the output, and ends a program that takes too long', async () => {
    const failed = await run('console.log("so far"); process.exit(3)');
    expect(failed.code).toBe('EXIT_CODE');
    expect(failed.text).toMatch(/code 3[\s\S]*so far/);
    expect((await run('setInterval(() => {}, 1000)', { timeoutMs: 300 })).code).toBe('TIMEOUT');
  });

  it('passes no secrets of the environment to the program', async () => {
    process.env['HAFT_TEST_SECRET_TOKEN'] = 'secret';
    try {
      expect((await run('console.log(process.env.HAFT_TEST_SECRET_TOKEN ?? "none")')).text).toBe('none');
    } finally {
      delete process.env['HAFT_TEST_SECRET_TOKEN'];
    }
  });
});
