import type { PermissionDecision, PermissionEngine } from '../contracts/permission/permission.ts';

const allow: PermissionDecision = { action: 'allow' };

/** Allows every call. For programs whose tools may all run, and for tests. */
export const allowAll: PermissionEngine = { ask: () => allow };

/**
 * Allows tools that declare to be read-only and denies the rest, and those that reach the open world too (a page, a search):
 * what a model has read can leave in what it asks there. What holds where nobody can be asked.
 */
export const allowReadOnly: PermissionEngine = {
  ask({ tool, traits }) {
    if (!traits.readOnly) {
      return deny(
        `${tool} may change something, and nobody can be asked whether it may`,
        'pass `permission: allowAll` or createPermissionEngine of @haft/permission',
        'Go on with read-only tools, or tell the person what you would have done.',
      );
    }
    if (traits.openWorld !== true) return allow;
    return deny(
      `${tool} reaches the open world, where it could carry what was read here, and nobody can be asked whether it may`,
      `pass \`permission: createPermissionEngine({ mode: 'read-only', rules: [{ action: 'allow', tool: '${tool}' }] })\` of @haft/permission`,
      'Go on with what is at hand, or tell the person what you would have looked up, and where.',
    );
  },
};

function deny(reason: string, remedy: string, hint: string): PermissionDecision {
  return { action: 'deny', denial: { source: 'nobody-to-ask', reason, remedy, hint } };
}
