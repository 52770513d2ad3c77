import type { PermissionEngine } from '@haft/core';
import { createPermissionEngine, type PermissionRule } from '@haft/permission';
import type { Invocation } from '../program/command.ts';
import { createTerminalAsker } from './ask-at-terminal.ts';
import type { PermissionMode } from './permission-mode.ts';

/** Plugins were named by the person: where one says that it only reads, it is taken at its word. */
const rules: readonly PermissionRule[] = [
  { key: 'plugins that read', action: 'allow', kind: 'read', provider: ['dynamic/plugin', 'lifecycle'] },
];

/**
 * Makes the permission of a run. With `ask`, reading inside the folder is allowed and a person at the terminal device is
 * asked for the rest; where there is no terminal, the rest is denied, and a line on standard error says so. Secrets stay
 * closed and destructive commands refused in every mode.
 */
export function createPermission(
  mode: PermissionMode,
  invocation: Pick<Invocation, 'device' | 'terminal'>,
): PermissionEngine {
  if (mode !== 'ask') return createPermissionEngine({ rules, mode: mode === 'yes' ? 'allow' : 'read-only' });
  const device = invocation.device();
  if (device) return createPermissionEngine({ rules, ask: createTerminalAsker(device) });
  invocation.terminal.note(
    'haft: no terminal to ask at: what only reads inside the folder is allowed, the rest is denied (--yes allows it)',
  );
  return createPermissionEngine({ rules });
}
