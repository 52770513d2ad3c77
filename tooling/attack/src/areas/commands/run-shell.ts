import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { createDispatcher, createWorkspace, defineTool } from '@haft/core';
import { createPermissionEngine, type PermissionRule } from '@haft/permission';

import type { AttackGround } from '../../attack.ts';

/** The file by which a command shows that it ran. */
export const marker = 'MARKER';

/** Runs a line with Bash in the directory, its input empty. Returns whether the marker is there then. */
export function marks(line: string, directory: string): boolean {
  spawnSync('bash', ['-c', line], { cwd: directory, stdio: ['ignore', 'ignore', 'ignore'], timeout: 5_000 });
  return existsSync(join(directory, marker));
}

/**
 * Dispatches a line to a shell tool behind a permission engine that allows everything, with these rules. Returns
 * whether the marker exists although the engine asked no question.
 */
export async function marksUnasked(
  line: string,
  { directory }: AttackGround,
  rules: readonly PermissionRule[],
): Promise<boolean> {
  const shell = defineTool({
    name: 'bash',
    description: 'Runs a command.',
    input: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    traits: { requires: ['process'] },
    execute: (input: unknown) => {
      const { command } = input as { readonly command: string };
      return String(marks(command, directory));
    },
  });
  const permission = createPermissionEngine({ mode: 'allow', rules, ask: () => ({ action: 'deny' }) });
  const dispatcher = createDispatcher({
    registry: [shell],
    workspace: createWorkspace({ cwd: directory, permission }),
  });
  await dispatcher.dispatch({ id: '1', name: 'bash', arguments: { command: line } });
  return existsSync(join(directory, marker));
}
