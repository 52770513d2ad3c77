import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { calling, editing, reading } from '../fixtures/create-request.ts';
import { at, outside, root, said, useGround } from '../fixtures/permission-ground.ts';

useGround();

const unsaid = { footprint: { reads: [], writes: ['*'] }, cwd: root };
const readsAnything = { footprint: { reads: ['*'], writes: [] }, cwd: root, traits: reading('x').traits };
const allowing = createPermissionEngine({ roots: [root], mode: 'allow', rules: [{ action: 'allow', tool: 'write' }] });
const write = (args: unknown, overrides = {}) =>
  said(allowing.ask(calling('write', args, { ...unsaid, kind: 'edit', ...overrides })));

describe('a tool without a footprint', () => {
  it.each(['path', 'file', 'file_path', 'filePath', 'filename', 'target', 'destination', 'source', 'paths'])(
    'cannot touch a protected file through its argument %s',
    async (name) => {
      for (const path of [
        '.env',
        './sub/../.env',
        at('.env'),
        '~/.ssh/id_rsa',
        pathToFileURL(at('.env')).href,
        'notes.txt',
      ])
        expect([path, await write({ [name]: path })]).toEqual([path, 'deny: protected']);
      expect(await write({ [name]: ['a.txt', '.env'] })).toBe('deny: protected');
      expect(await write({ [name]: 'a.txt' })).toBe('allow');
    },
  );

  it('protects the files of parallel tools too, and counts as a writer unless it is read-only', async () => {
    expect(await write({ path: '.env' }, { footprint: { reads: [], writes: [] } })).toBe('deny: protected');
    expect(await write({ path: '.git/config' })).toBe('deny: protected');
    expect(await write({ path: '.git/config' }, { kind: 'read' })).toBe('deny: protected');
    expect(await write({ path: '.git/config' }, readsAnything)).toBe('deny: protected');
    expect(await write({ path: '.git/config' }, { ...readsAnything, kind: 'read' })).toBe('allow');
  });

  it('is not said to change a file that it may only read', async () => {
    const decision = await allowing.ask(calling('fs_read', { path: '.git/config' }, unsaid));
    expect(decision).toMatchObject({
      denial: {
        source: 'protected',
        reason: expect.stringMatching(/^fs_read may read or change config, and tools must not change files like /),
        hint: 'Read it with a tool that only reads, or tell the user what you would read or change there.',
      },
    });
    expect(await allowing.ask(editing(at('.git/config')))).toMatchObject({
      denial: { reason: expect.stringMatching(/^config must not be changed by tools: /) },
    });
  });

  it('is denied by a path rule but never allowed by a path rule', async () => {
    const by = (action: 'allow' | 'deny', path: string) =>
      said(
        createPermissionEngine({
          roots: [root],
          rules: [
            { action, path },
            { action: 'allow', tool: 'none' },
          ],
        }).ask(calling('write', { path: 'src/a.ts' }, { ...unsaid, footprint: { reads: [], writes: [] } })),
      );
    expect(await by('deny', 'src/**')).toBe('deny: rule');
    expect(await by('deny', 'lib/**')).toBe('deny: no-approver');
    expect(await by('allow', 'src/**')).toBe('deny: no-approver');
  });

  it('reads files outside the roots only after asking the user, also in the mode read-only', async () => {
    const engine = createPermissionEngine({ roots: [root], mode: 'read-only' });
    expect(await said(engine.ask(calling('look', { path: 'a.txt' }, readsAnything)))).toBe('allow');
    expect(await said(engine.ask(calling('look', { path: outside }, readsAnything)))).toBe('deny: no-approver');
  });

  it('needs no approval for arguments that only look like paths, nor if it declares a footprint without files', async () => {
    expect(await write({ source: 'https://example.org/.env', path: 3, note: '.env' })).toBe('allow');
    expect(await write({ path: '.env' }, { footprint: { reads: [], writes: ['db:x'] } })).toBe('allow');
  });
});
