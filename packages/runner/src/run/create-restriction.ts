import { createSnapshotFilter, isUnderProvider } from '@haft/core/registry';
import { type ToolSnapshot } from '@haft/core';
import type { AllowedTools } from '../contracts/agent-options.ts';

/** Makes a function that leaves of a snapshot what a run may use; the same object when that is all of it. */
export function createRestriction(allow: AllowedTools | undefined): (snapshot: ToolSnapshot) => ToolSnapshot {
  if (!allow) return (snapshot) => snapshot;
  const { providers = [], tools = [] } = allow;
  const named = new Set(tools);
  return createSnapshotFilter(
    ({ name }, provider) => named.has(name) || providers.some((prefix) => isUnderProvider(provider, prefix)),
  );
}
