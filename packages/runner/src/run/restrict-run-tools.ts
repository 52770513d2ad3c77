import { createSnapshotFilter, isUnderProvider } from '@haft/core/registry';
import { type ToolSnapshot } from '@haft/core';
import type { AllowedTools } from '../options/agent-options.ts';

/** Creates a filter for the tools that a run may use. It returns the same snapshot if all its tools are allowed. */
export function createRestriction(allow: AllowedTools | undefined): (snapshot: ToolSnapshot) => ToolSnapshot {
  if (!allow) return (snapshot) => snapshot;
  const { providers = [], tools = [] } = allow;
  const named = new Set(tools);
  return createSnapshotFilter(
    ({ name }, provider) => named.has(name) || providers.some((prefix) => isUnderProvider(provider, prefix)),
  );
}
