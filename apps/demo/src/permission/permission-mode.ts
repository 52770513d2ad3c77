import type { Invocation, OptionTable } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';

/** Options that decide who approves calls. */
export const permissionOptions: OptionTable = {
  yes: {
    type: 'boolean',
    short: 'y',
    description: 'allow calls without asking; secrets, protected files and destructive commands stay denied',
  },
  'read-only': { type: 'boolean', description: 'allow read-only calls, deny others without asking' },
};

/**
 * Who approves calls: `yes`: all are allowed; `read-only`: the tool's own declaration; `ask`: the user at the terminal.
 */
export type PermissionMode = 'yes' | 'read-only' | 'ask';

/** @throws UsageError if the options contradict each other. */
export function permissionMode(invocation: Pick<Invocation, 'flag'>): PermissionMode {
  const yes = invocation.flag('yes');
  const readOnly = invocation.flag('read-only');
  if (yes && readOnly) throw new UsageError('--yes and --read-only exclude each other');
  return yes ? 'yes' : readOnly ? 'read-only' : 'ask';
}
