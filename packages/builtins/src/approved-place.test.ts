import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { allowAll, createDispatcher, createWorkspace, type PermissionEngine, type ResolvedFile } from '@haft/core';
import { createBuiltins } from './create/create-builtins.ts';
import { codeOf, createGround, type Ground } from './fixtures/create-ground.ts';

let ground: Ground;
afterEach(() => ground.remove());

/** Returns the real path of a file that exists or will be created. */
function resolve(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(resolve(dirname(path)), path.slice(path.lastIndexOf('/') + 1));
  }
}

/**
 * Creates a permission engine that acts as the user: it records the target of a call and runs `meanwhile` before it
 * allows the call.
 */
function thinking(meanwhile: () => void, say: (file: ResolvedFile) => ResolvedFile = (file) => file): PermissionEngine {
  let isFirst = true;
  return {
    ask({ footprint }) {
      const files = [...footprint.reads, ...footprint.writes].map((key) =>
        say({ key, path: resolve(key.replace('file:', '').replace(/\/$/, '')) }),
      );
      if (isFirst) meanwhile();
      isFirst = false;
      return { action: 'allow', resolved: files };
    },
  };
}

function start(): void {
  ground = createGround({
    files: { 'open/a.txt': 'fine\n', 'closed/a.txt': 'secret\n', 'closed/b.txt': 'secret' },
    links: { link: 'open/a.txt', folder: 'open', loop: 'loop' },
  });
}

function pointElsewhere(): void {
  for (const name of ['link', 'folder']) rmSync(join(ground.folder, name));
  symlinkSync('closed/a.txt', join(ground.folder, 'link'));
  symlinkSync('closed', join(ground.folder, 'folder'));
}

const calls = [
  ['read', { path: 'link' }],
  ['read', { path: 'folder/a.txt' }],
  ['write', { path: 'folder/new.txt', content: 'x' }],
  ['write', { path: 'folder/deep/new.txt', content: 'x' }],
  ['edit', { path: 'folder/a.txt', old_text: 'secret', new_text: 'x' }],
  ['edit', { path: 'link', old_text: 'secret', new_text: 'x' }],
  ['multi_edit', { path: 'folder/a.txt', edits: [{ old_text: 'secret', new_text: 'x' }] }],
  ['delete_range', { path: 'folder/a.txt', start_anchor: 'secret', end_anchor: 'secret', inclusive: true }],
  ['append', { path: 'folder/a.txt', content: 'x' }],
  ['apply_patch', { patch: '*** Begin Patch\n*** Update File: folder/a.txt\n@@\n-secret\n+x\n*** End Patch' }],
  ['apply_patch', { patch: '*** Begin Patch\n*** Add File: folder/new.txt\n+x\n*** End Patch' }],
  [
    'apply_patch',
    { patch: '*** Begin Patch\n*** Update File: open/a.txt\n*** Move to: folder/new.txt\n*** End Patch' },
  ],
  ['ls', { path: 'folder' }],
  ['glob', { path: 'folder', pattern: '*' }],
  ['grep', { path: 'folder', pattern: 'secret' }],
  ['grep', { path: 'link', pattern: 'secret' }],
] as const;

describe('a link that is changed while the user decides about a call', () => {
  it.each(calls)('rejects %s %j', async (name, args) => {
    start();
    const workspace = createWorkspace({ cwd: ground.folder, permission: thinking(pointElsewhere) });
    const result = await createDispatcher({ registry: createBuiltins(), workspace }).dispatch({
      id: '1',
      name,
      arguments: args,
    });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'TARGET_CHANGED', fault: 'policy', hint: expect.stringContaining('Repeat the call') },
    });
    expect(JSON.stringify(result.content)).not.toContain('secret');
    expect(ground.text('closed/a.txt')).toBe('secret\n');
    expect(ground.has('closed/new.txt') || ground.has('closed/deep')).toBe(false);
  });

  // Only the protected file contains the text to edit.
  it.each(calls.filter(([name, args]) => name === 'grep' || !JSON.stringify(args).includes('secret')))(
    'lets %s %j pass after another approval',
    async (name, args) => {
      start();
      const workspace = createWorkspace({ cwd: ground.folder, permission: thinking(() => {}) });
      const result = await createDispatcher({ registry: createBuiltins(), workspace }).dispatch({
        id: '1',
        name,
        arguments: args,
      });
      expect(codeOf(result)).toBe('ok');
    },
  );

  it('rejects a link that led nowhere when the call was approved', async () => {
    start();
    const swap = (): void => {
      rmSync(join(ground.folder, 'loop'));
      symlinkSync('closed/a.txt', join(ground.folder, 'loop'));
    };
    const permission = thinking(swap, ({ key }) => ({ key, path: undefined }));
    const workspace = createWorkspace({ cwd: ground.folder, permission });
    const tools = createDispatcher({ registry: createBuiltins(), workspace });
    expect(codeOf(await tools.dispatch({ id: '1', name: 'read', arguments: { path: 'loop' } }))).toBe('TARGET_CHANGED');
  });

  it('rejects a path that names another file than the approved one', async () => {
    start();
    // A file with the literal name replaces the file that was mentioned.
    const workspace = createWorkspace({
      cwd: ground.folder,
      permission: thinking(() => mkdirSync(join(ground.folder, '@open'))),
    });
    const tools = createDispatcher({ registry: createBuiltins(), workspace });
    expect(codeOf(await tools.dispatch({ id: '1', name: 'ls', arguments: { path: '@open' } }))).toBe('TARGET_CHANGED');
  });

  it('follows the link if the permission engine does not report resolved paths', async () => {
    start();
    const workspace = createWorkspace({ cwd: ground.folder, permission: allowAll });
    const tools = createDispatcher({ registry: createBuiltins(), workspace });
    expect(codeOf(await tools.dispatch({ id: '1', name: 'read', arguments: { path: 'link' } }))).toBe('ok');
  });
});
