import {
  allowAll,
  allowReadOnly,
  type Denial,
  type PermissionDecision,
  type PermissionEngine,
  type PermissionRequest,
} from '@haft/core';
import type { Terminal } from '../program/terminal.ts';
import { createTerminalAsker, type Answer } from './ask-at-terminal.ts';
import type { PermissionMode } from './permission-mode.ts';
import { openTerminalDevice } from './terminal-device.ts';

/** Who decides in this run, and how to let go of the terminal afterwards. */
export interface RunPermission {
  readonly engine: PermissionEngine;
  close(): void;
}

/**
 * Makes the permission of a run. With `ask`, reading is allowed and a person at the terminal device is asked for the
 * rest; where there is no terminal, the rest is denied, and a line on standard error says so.
 */
export function createPermission(mode: PermissionMode, terminal: Pick<Terminal, 'note'>): RunPermission {
  const nothing = (): void => {};
  if (mode === 'yes') return { engine: allowAll, close: nothing };
  if (mode === 'read-only') return { engine: readOnly, close: nothing };
  const device = openTerminalDevice();
  if (!device) {
    terminal.note(
      'haft: no terminal to ask at: what only reads inside the folder is allowed, the rest is denied (--yes allows it)',
    );
    return { engine: allowReadOnly, close: nothing };
  }
  return { engine: askPerson(createTerminalAsker(device)), close: () => device.close() };
}

const readOnly: PermissionEngine = {
  ask: (request) =>
    request.traits.readOnly
      ? { action: 'allow' }
      : deny('mode', `${request.tool} may change something, and this run is read-only`),
};

function askPerson(ask: (request: PermissionRequest) => Promise<Answer>): PermissionEngine {
  const granted = new Set<string>();
  return {
    async ask(request) {
      const key = grantOf(request);
      if (request.traits.readOnly || granted.has(key)) return { action: 'allow' };
      const answer = await ask(request);
      if (answer === 'no') return deny('person', 'the person at the terminal said no');
      if (answer === 'session') granted.add(key);
      return { action: 'allow' };
    },
  };
}

/** What "always" covers: any change of files by this tool, but only exactly this command or other action. */
function grantOf({ tool, kind, arguments: args }: PermissionRequest): string {
  return kind === 'other' ? `${tool} ${JSON.stringify(args)}` : tool;
}

function deny(source: Denial['source'], reason: string): PermissionDecision {
  return { action: 'deny', denial: { source, reason } };
}
