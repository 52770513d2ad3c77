import type { HookName } from '@haft/core/hooks';

const named: Readonly<Record<HookName, true>> = {
  beforeCall: true,
  afterCall: true,
  beforeTurn: true,
  afterTurn: true,
};

/** Every {@link HookName}; here, since a plugin's process loads nothing of core. */
export const hookNames = Object.keys(named) as readonly HookName[];
