import type { PermissionRequest } from '@haft/core';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Terminal } from '../program/terminal.ts';
import { plainPaint } from '../show/paint.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { createPermission } from './create-permission.ts';
import type { TerminalDevice } from './terminal-device.ts';

const signal = new AbortController().signal;

function request(
  tool: 'read' | 'write',
  path: string,
  cwd: string,
  more: Partial<PermissionRequest> = {},
): PermissionRequest {
  const isRead = tool === 'read';
  const key = `file:${path}`;
  return {
    callId: 'c',
    tool,
    provider: 'builtin',
    kind: isRead ? 'read' : 'edit',
    traits: { readOnly: isRead, requires: [] } as unknown as PermissionRequest['traits'],
    arguments: { path },
    argumentNames: ['path'],
    footprint: isRead ? { reads: [key], writes: [] } : { reads: [], writes: [key] },
    title: `${tool} ${path}`,
    cwd,
    sessionId: 's',
    signal,
    ...more,
  };
}

interface Given {
  readonly notes: string[];
  readonly asked: string[];
  readonly invocation: Parameters<typeof createPermission>[1];
}

/** A run at a terminal whose user always says yes, or one without a terminal. */
function given(hasTerminal: boolean): Given {
  const notes: string[] = [];
  const asked: string[] = [];
  const device: TerminalDevice = {
    paint: plainPaint,
    write: (text) => void asked.push(text),
    printAbove: (print) => print(),
    forget: () => {},
    readLine: async () => 'y',
    close: () => {},
  };
  const terminal = { note: (text: string) => void notes.push(text) } as Terminal;
  return { notes, asked, invocation: { terminal, device: () => (hasTerminal ? device : undefined) } };
}

describe('createPermission', () => {
  test.each(['ask', 'yes', 'read-only'] as const)(
    'refuses files outside the folder without a question (%s)',
    async (mode) => {
      const folder = await createTemporaryFolder(onTestFinished, { 'here/a.txt': 'a' });
      const here = join(folder, 'here');
      await writeFile(join(folder, 'beside.txt'), 'b');
      await symlink(folder, join(here, 'up'));
      const { asked, invocation } = given(true);
      const permission = createPermission(mode, invocation);
      for (const path of ['/etc/passwd', join(folder, 'beside.txt'), join(here, 'up', 'beside.txt'), `${folder}/`]) {
        expect(await permission.ask(request('read', path, here))).toMatchObject({
          action: 'deny',
          denial: { reason: expect.stringContaining('outside the folder') },
        });
        expect((await permission.ask(request('write', path, here))).action).toBe('deny');
      }
      expect(asked).toEqual([]);
      expect((await permission.ask(request('read', join(here, 'a.txt'), here))).action).toBe('allow');
      expect((await permission.ask(request('write', join(here, 'new.txt'), here))).action).toBe(
        mode === 'read-only' ? 'deny' : 'allow',
      );
      expect(asked.length > 0).toBe(mode === 'ask');
    },
  );

  test('asks about tools that are not built in, whatever they reach', async () => {
    const folder = await createTemporaryFolder(onTestFinished);
    const { asked, invocation } = given(true);
    const elsewhere = request('write', '/elsewhere/a', folder, { provider: 'dynamic/plugin/x' });
    expect((await createPermission('ask', invocation).ask(elsewhere)).action).toBe('allow');
    expect(asked.join('')).toContain('/elsewhere/a');
  });

  test('reports the missing terminal once, and only if a call was denied for it', async () => {
    const folder = await createTemporaryFolder(onTestFinished, { 'a.txt': 'a' });
    const { notes, invocation } = given(false);
    const permission = createPermission('ask', invocation);
    await permission.ask(request('read', join(folder, 'a.txt'), folder));
    await permission.ask(request('read', '/etc/passwd', folder));
    expect(notes).toEqual([]);
    for (const name of ['b', 'c']) {
      expect((await permission.ask(request('write', join(folder, name), folder))).action).toBe('deny');
    }
    expect(notes).toEqual([expect.stringMatching(/^haft: no terminal to ask at/)]);
  });
});
