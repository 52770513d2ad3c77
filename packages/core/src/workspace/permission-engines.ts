import { onlyReads } from '../define/contradictions.ts';
import type { PermissionDecision, PermissionEngine } from '../contracts/permission/permission.ts';

const allow: PermissionDecision = { action: 'allow' };

/** Allows every call, even of tools with the trait `needsApproval`. For tests, and for programs in which every tool may run. */
export const allowAll: PermissionEngine = { ask: () => allow };

/**
 * Allows tools that declare to be read-only and denies all others. Also denies read-only tools that reach the open
 * world (such as fetching a page or searching), because their requests can leak what the model has read, and those with
 * the trait `needsApproval`. This is the
 * default when no user can be asked.
 */
export const allowReadOnly: PermissionEngine = {
  ask(request) {
    const { tool, traits } = request;
    if (!onlyReads(request)) {
      return deny(
        `${tool} may change something, and no permission engine can approve it`,
        'pass `permission: allowAll` or createPermissionEngine of @haft/permission',
        'Use read-only tools, or tell the user what you would have done.',
      );
    }
    if (traits.needsApproval === true) {
      return deny(
        `${tool} needs the approval of a person, and no permission engine can ask`,
        'pass `permission: createPermissionEngine({ ask })` of @haft/permission',
        'Continue without it, or tell the user what you would have done.',
      );
    }
    if (traits.openWorld !== true) return allow;
    return deny(
      `${tool} reaches the open world and could leak data there, and no permission engine can approve it`,
      `pass \`permission: createPermissionEngine({ mode: 'read-only', rules: [{ action: 'allow', tool: '${tool}' }] })\` of @haft/permission`,
      'Continue without it, or tell the user what you would have looked up, and where.',
    );
  },
};

function deny(reason: string, remedy: string, hint: string): PermissionDecision {
  return { action: 'deny', denial: { source: 'no-approver', reason, remedy, hint } };
}
