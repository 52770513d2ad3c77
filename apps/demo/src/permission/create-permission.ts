import type { PermissionEngine } from '@haft/core';
import { createPermissionEngine, type PermissionRule } from '@haft/permission';
import type { Invocation } from '../program/command.ts';
import { createTerminalAsker } from './ask-at-terminal.ts';
import { keepInside } from './keep-inside.ts';
import type { PermissionMode } from './permission-mode.ts';

/** The provider of the tools that read the documentation of Haft, whose pages are not files of the user. */
export const docsProvider = 'docs';

const rules: readonly PermissionRule[] = [
  // These tools touch only data of this run, or are themselves a question to the user.
  {
    key: 'notes',
    action: 'allow',
    provider: 'builtin',
    tool: ['todo', 'plan', 'question', 'remember', 'recall', 'forget', 'skill'],
  },
  { key: 'documentation', action: 'allow', kind: 'read', provider: docsProvider },
  // The user named the plugins, so their claim to be read-only is trusted.
  { key: 'plugins that read', action: 'allow', kind: 'read', provider: ['dynamic/plugin', 'lifecycle'] },
];

/**
 * Creates the permission engine of a run. With `ask`, reading inside the folder is allowed, and the user is asked at
 * the terminal about other calls. Without a terminal they are denied, and standard error says so once. Files outside
 * the folder and secrets stay closed, and destructive commands are refused, in every mode.
 *
 * @param asksElsewhere - whether a wrapper of the engine asks the user instead.
 */
export function createPermission(
  mode: PermissionMode,
  invocation: Pick<Invocation, 'device' | 'terminal'>,
  asksElsewhere = false,
): PermissionEngine {
  return keepInside(createEngine(mode, invocation, asksElsewhere));
}

function createEngine(
  mode: PermissionMode,
  invocation: Pick<Invocation, 'device' | 'terminal'>,
  asksElsewhere: boolean,
): PermissionEngine {
  const defaults = { readOutside: 'deny' } as const;
  if (mode !== 'ask') return createPermissionEngine({ rules, defaults, mode: mode === 'yes' ? 'allow' : 'read-only' });
  if (asksElsewhere) return createPermissionEngine({ rules, defaults });
  const device = invocation.device();
  if (device) return createPermissionEngine({ rules, defaults, ask: createTerminalAsker(device) });
  return reportOnce(createPermissionEngine({ rules, defaults }), invocation);
}

/** Prints once that a call was denied because there is no terminal. */
function reportOnce(engine: PermissionEngine, { terminal }: Pick<Invocation, 'terminal'>): PermissionEngine {
  let isReported = false;
  return {
    async ask(request) {
      const decision = await engine.ask(request);
      if (decision.action === 'deny' && decision.denial.source === 'no-approver' && !isReported) {
        isReported = true;
        terminal.note(
          'haft: no terminal to ask at: read-only calls inside the folder are allowed, others are denied (--yes allows them)',
        );
      }
      return decision;
    },
  };
}
