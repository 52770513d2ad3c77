import type { HookName } from '@haft/core/hooks';

const named: Readonly<Record<HookName, true>> = {
  beforeCall: true,
  afterCall: true,
  beforeTurn: true,
  afterTurn: true,
};

/** Every {@link HookName}. Repeated here, because a plugin's process does not load `@haft/core`. */
export const hookNames = Object.keys(named) as readonly HookName[];
