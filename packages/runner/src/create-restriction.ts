import { filterSnapshot, isUnderProvider, type ToolSnapshot } from '@haft/core';
import type { AllowedTools } from './agent-options.ts';

/** The part of a snapshot that a run may use; the same object when that is all of it. */
export function restrictSnapshot(snapshot: ToolSnapshot, allow: AllowedTools | undefined): ToolSnapshot {
  if (!allow) return snapshot;
  const { providers = [], tools: named = [] } = allow;
  return filterSnapshot(
    snapshot,
    ({ name }, provider) => named.includes(name) || providers.some((prefix) => isUnderProvider(provider, prefix)),
  );
}
