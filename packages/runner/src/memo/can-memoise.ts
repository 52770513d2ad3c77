import type { AnyTool } from '@haft/core';

/**
 * Whether the answer of a call holds until something changes: of a tool that is pure, or of one that only reads and whose
 * footprint says that it reads nothing but files.
 */
export function canMemoise(tool: AnyTool, args: unknown): boolean {
  const { pure, readOnly, openWorld, sideEffects } = tool.traits;
  if (pure) return true;
  if (!readOnly || openWorld === true || sideEffects === 'external' || !tool.footprint) return false;
  try {
    // Where the folder is doesn't matter for what kind of resource is read.
    const { reads, writes } = tool.footprint(args, { cwd: '/' });
    return writes.length === 0 && reads.length > 0 && reads.every((key) => key.startsWith('file:'));
  } catch {
    return false;
  }
}

/** Whether a call may change what another call has read. What says nothing of itself may. */
export function mayHaveEffects({ traits }: AnyTool): boolean {
  return !traits.pure && !(traits.readOnly && (traits.sideEffects === 'none' || traits.sideEffects === 'read'));
}
