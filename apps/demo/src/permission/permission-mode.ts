import type { Invocation, OptionTable } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';

/** Options that say who decides whether a call may run. */
export const permissionOptions: OptionTable = {
  yes: {
    type: 'boolean',
    short: 'y',
    description: 'allow calls without asking; secrets, protected files and destructive commands stay denied',
  },
  'read-only': { type: 'boolean', description: 'allow what only reads, deny the rest without asking' },
};

/** Who decides: nobody (`yes`), the tool's own declaration (`read-only`), or the person at the terminal (`ask`). */
export type PermissionMode = 'yes' | 'read-only' | 'ask';

/** @throws UsageError when the options contradict each other. */
export function permissionMode(invocation: Pick<Invocation, 'flag'>): PermissionMode {
  const yes = invocation.flag('yes');
  const readOnly = invocation.flag('read-only');
  if (yes && readOnly) throw new UsageError('--yes and --read-only exclude each other');
  return yes ? 'yes' : readOnly ? 'read-only' : 'ask';
}
