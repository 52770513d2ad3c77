import type { AnyTool } from '@haft/core';

/**
 * Returns whether an answer stays valid until something changes: the tool is pure, or it is read-only and its footprint
 * reads only files.
 */
export function canMemoize(tool: AnyTool, args: unknown): boolean {
  const { pure, readOnly, openWorld, sideEffects } = tool.traits;
  if (pure) return true;
  if (!readOnly || openWorld === true || sideEffects === 'external' || !tool.footprint) return false;
  try {
    // The working directory does not affect the kind of resource.
    const { reads, writes } = tool.footprint(args, { cwd: '/' });
    return writes.length === 0 && reads.length > 0 && reads.every((key) => key.startsWith('file:'));
  } catch {
    return false;
  }
}

/** Returns whether a call may change what other calls read. True without any information. */
export function mayHaveEffects({ traits }: AnyTool): boolean {
  return !traits.pure && !(traits.readOnly && (traits.sideEffects === 'none' || traits.sideEffects === 'read'));
}
