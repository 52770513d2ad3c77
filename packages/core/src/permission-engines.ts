import type { PermissionDecision, PermissionEngine } from './contracts/permission.ts';

const allow: PermissionDecision = { action: 'allow' };

/** Allows every call. For programs whose tools may all run, and for tests. */
export const allowAll: PermissionEngine = { ask: () => allow };

/** Allows tools that declare to be read-only and denies the rest: what holds where nobody can be asked. */
export const allowReadOnly: PermissionEngine = {
  ask: (request) =>
    request.traits.readOnly
      ? allow
      : {
          action: 'deny',
          denial: {
            source: 'nobody-to-ask',
            reason: `${request.tool} may change something, and nobody can be asked whether it may`,
            remedy: 'pass `permission: allowAll` or createPermissionEngine of @haft/permission',
            hint: 'Go on with read-only tools, or tell the person what you would have done.',
          },
        },
};
