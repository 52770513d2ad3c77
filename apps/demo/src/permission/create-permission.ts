import type { PermissionEngine } from '@haft/core';
import { createPermissionEngine, type PermissionRule } from '@haft/permission';
import type { Invocation } from '../program/command.ts';
import { createTerminalAsker } from './ask-at-terminal.ts';
import { keepInside } from './keep-inside.ts';
import type { PermissionMode } from './permission-mode.ts';

const rules: readonly PermissionRule[] = [
  // They touch nothing but what this run keeps for itself; a question is answered by the person anyway.
  {
    key: 'notes',
    action: 'allow',
    provider: 'builtin',
    tool: ['todo', 'plan', 'question', 'remember', 'recall', 'forget', 'skill'],
  },
  // Plugins were named by the person: where one says that it only reads, it is taken at its word.
  { key: 'plugins that read', action: 'allow', kind: 'read', provider: ['dynamic/plugin', 'lifecycle'] },
];

/**
 * Makes the permission of a run. With `ask`, reading inside the folder is allowed and a person at the terminal device is
 * asked for the rest; where there is no terminal, the rest is denied, and a line on standard error says so once. Files
 * outside the folder and secrets stay closed, and destructive commands refused, in every mode.
 */
export function createPermission(
  mode: PermissionMode,
  invocation: Pick<Invocation, 'device' | 'terminal'>,
): PermissionEngine {
  return keepInside(createEngine(mode, invocation));
}

function createEngine(mode: PermissionMode, invocation: Pick<Invocation, 'device' | 'terminal'>): PermissionEngine {
  const defaults = { readOutside: 'deny' } as const;
  if (mode !== 'ask') return createPermissionEngine({ rules, defaults, mode: mode === 'yes' ? 'allow' : 'read-only' });
  const device = invocation.device();
  if (device) return createPermissionEngine({ rules, defaults, ask: createTerminalAsker(device) });
  return tellOnce(createPermissionEngine({ rules, defaults }), invocation);
}

/** Says that nobody could be asked when that first decided something. */
function tellOnce(engine: PermissionEngine, { terminal }: Pick<Invocation, 'terminal'>): PermissionEngine {
  let isTold = false;
  return {
    async ask(request) {
      const decision = await engine.ask(request);
      if (decision.action === 'deny' && decision.denial.source === 'nobody-to-ask' && !isTold) {
        isTold = true;
        terminal.note(
          'haft: no terminal to ask at: what only reads inside the folder is allowed, the rest is denied (--yes allows it)',
        );
      }
      return decision;
    },
  };
}
