import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowAll, createDispatcher, createWorkspace, renderForModel, type ToolFailure } from '@haft/core';
import type { WorkspaceOptions } from '@haft/core/workspace';
import { createBuiltins, type BuiltinName } from '../create/create-builtins.ts';
import type { OptionalBuiltinName } from '../create/optional-tools.ts';

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-workspace-')));
  for (const folder of ['here', 'other']) mkdirSync(join(base, folder));
  writeFileSync(join(base, 'file.txt'), 'x');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The tools that use a folder. */
type FolderTool = Exclude<
  BuiltinName,
  'bash_output' | 'stop_process' | 'list_processes' | 'web_fetch' | 'todo' | 'plan' | OptionalBuiltinName
>;

const calls: Readonly<Record<FolderTool, object>> = {
  read: { path: 'a.txt' },
  write: { path: 'a.txt', content: 'x' },
  append: { path: 'a.txt', content: 'x' },
  multi_edit: { path: 'a.txt', edits: [{ old_text: 'a', new_text: 'b' }] },
  delete_range: { path: 'a.txt', start_anchor: 'a', end_anchor: 'b' },
  apply_patch: { patch: '*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch' },
  edit: { path: 'a.txt', old_text: 'x', new_text: 'y' },
  ls: {},
  glob: { pattern: '*' },
  grep: { pattern: 'x' },
  bash: { command: 'echo ran' },
};
const names = Object.keys(calls) as readonly FolderTool[];
const changes: readonly string[] = ['write', 'append', 'edit', 'multi_edit', 'delete_range', 'apply_patch'];

const fail = async (
  name: FolderTool,
  workspace: WorkspaceOptions | undefined,
  args: object = calls[name],
): Promise<ToolFailure> => {
  const source = createDispatcher({
    registry: createBuiltins(),
    permission: allowAll,
    ...(workspace ? { workspace: createWorkspace({ ...workspace, permission: allowAll }) } : {}),
  });
  const result = await source.dispatch({ id: '1', name, arguments: args });
  expect(result.ok).toBe(false);
  return result as ToolFailure;
};

describe('without a workspace', () => {
  it.each(names)(
    "%s tells the developer to pass a workspace, and tells the model only that it can't help",
    async (name) => {
      const result = await fail(name, undefined);
      expect(result.error).toMatchObject({
        fault: 'host',
        message: expect.stringContaining('pass workspace: createWorkspace({ cwd })'),
      });
      expect(result.effects).toEqual([]);
      expect(renderForModel(result)).not.toContain('createWorkspace');
      expect(renderForModel(result)).toContain('tell the user');
    },
  );

  it('bash does not run in a working directory outside the roots', async () => {
    const { error } = await fail('bash', { cwd: join(base, 'here'), readRoots: [join(base, 'other')], writeRoots: [] });
    expect(error).toMatchObject({ code: 'SPAWN_FAILED', fault: 'host', details: { sandboxCode: 'OUTSIDE_ROOTS' } });
    expect(error.message).toMatch(/is not in a read or write root; pass workspace/);
  });

  it.each([{ readRoots: 'unrestricted' }, { writeRoots: [] }, { readRoots: [] }] as const)(
    'bash runs in a directory that may be read or written: %j',
    async (roots) => {
      const workspace = createWorkspace({ cwd: join(base, 'here'), ...roots, permission: allowAll });
      const source = createDispatcher({ registry: createBuiltins(), workspace });
      const result = await source.dispatch({ id: '1', name: 'bash', arguments: calls.bash });
      expect(renderForModel(result)).toBe('ran\n');
    },
  );

  it('a path outside the existing roots is a policy failure', async () => {
    const workspace = { cwd: join(base, 'here'), writeRoots: [] };
    expect((await fail('write', workspace)).error).toMatchObject({ code: 'OUTSIDE_WRITE_ROOTS', fault: 'policy' });
    expect((await fail('read', workspace, { path: '../file.txt' })).error).toMatchObject({ fault: 'policy' });
  });
});

describe('a working directory that does not exist', () => {
  it.each(names)('has the fault world for %s, and no hint to try another path', async (name) => {
    const cwd = join(base, 'nope');
    const result = await fail(name, { cwd });
    expect(result.error).toMatchObject({
      code: name === 'bash' ? 'SPAWN_FAILED' : changes.includes(name) ? 'WRITE_ERROR' : 'READ_ERROR',
      fault: 'world',
      retryable: false,
      details: { sandboxCode: 'NOT_FOUND', cwd },
    });
    const said = renderForModel(result);
    expect(said).toContain('the working directory does not exist');
    expect(said).not.toContain(base);
    expect(said).not.toMatch(/call ls|parent/i);
    expect(existsSync(cwd)).toBe(false);
  });

  it.each(names)('is not treated as a file by %s', async (name) => {
    const said = renderForModel(await fail(name, { cwd: join(base, 'file.txt') }));
    expect(said).toMatch(/the working directory is not a directory/);
  });

  it('is created by write if a root contains it', async () => {
    const cwd = join(base, 'here', 'new');
    const workspace = createWorkspace({ cwd, readRoots: [base], writeRoots: [base], permission: allowAll });
    const source = createDispatcher({ registry: createBuiltins(), workspace });
    expect((await source.dispatch({ id: '1', name: 'write', arguments: calls.write })).ok).toBe(true);
  });

  it('does not affect paths in other directories', async () => {
    const workspace = { cwd: join(base, 'nope'), readRoots: [join(base, 'other')] };
    const { error } = await fail('read', workspace, { path: join(base, 'other', 'none.txt') });
    expect(error).toMatchObject({ code: 'NOT_FOUND', fault: 'model', hint: expect.stringContaining('other') });
  });
});

describe('a missing path', () => {
  const hintOf = async (name: FolderTool, path: string, roots: readonly string[]): Promise<string | undefined> =>
    (await fail(name, { cwd: join(base, 'here'), readRoots: roots }, { ...calls[name], path })).error.hint;

  it.each(['read', 'ls', 'glob', 'grep'] as const)(
    'makes %s suggest the nearest folder that can be listed',
    async (name) => {
      const here = join(base, 'here');
      expect(await hintOf(name, 'x', [here])).toBe('Call ls with path "." to see what is there.');
      expect(await hintOf(name, 'x/y/z', [here])).toBe('Call ls with path "." to see what is there.');
    },
  );

  it.each(['read', 'ls', 'glob', 'grep'] as const)('makes %s suggest no folder outside the roots', async (name) => {
    const gone = join(base, 'gone');
    expect(await hintOf(name, gone, [gone])).toBe('Choose another path.');
    expect(await hintOf(name, join(gone, 'deep'), [gone])).toBe('Choose another path.');
  });
});
