import type { PermissionEngine } from '@haft/core';

/** Nobody is asked in the tour: one rule stands for the person, and what it does not name is allowed. */
export const tourPermission: PermissionEngine = {
  ask: ({ tool, arguments: args }) => {
    const { command } = (args ?? {}) as { readonly command?: unknown };
    if (tool !== 'bash' || typeof command !== 'string' || !/\bgit\s+push\b/.test(command)) return { action: 'allow' };
    return {
      action: 'deny',
      denial: {
        source: 'rule',
        ruleKey: 'bash:git push',
        reason: 'a rule says that nobody but you pushes from here',
        hint: 'Leave publishing to the person.',
      },
    };
  },
};
