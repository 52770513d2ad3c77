import type { ToolKind, ToolTraits } from '../contracts/permission/traits.ts';

interface Declared {
  readonly kind?: ToolKind | undefined;
  readonly traits?: Partial<ToolTraits> | undefined;
}

/**
 * Finds two members of a tool that contradict each other: one says that calls change nothing, the other that they change
 * something. Returns undefined if no two do.
 */
export function findContradiction({ kind, traits = {} }: Declared): string | undefined {
  const reading = findReading(kind, traits);
  const changing = findChanging(kind, traits);
  if (reading !== undefined && changing !== undefined) return `${reading} contradicts ${changing}`;
  if (traits.pure !== true) return undefined;
  if (traits.readOnly === false) return 'traits.pure: true contradicts traits.readOnly: false';
  return traits.sideEffects === 'external' ? "traits.pure: true contradicts traits.sideEffects: 'external'" : undefined;
}

/**
 * Checks whether a tool only reads. Members that contradict each other count as a change.
 *
 * @example
 * import { defineTool } from '@haft/core';
 * import { onlyReads } from '@haft/core/define';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * onlyReads(ping); // => true
 * onlyReads({ ...ping, kind: 'delete' }); // => false
 */
export function onlyReads({ kind, traits }: { readonly kind: ToolKind; readonly traits: ToolTraits }): boolean {
  return traits.readOnly && findChanging(kind, traits) === undefined;
}

function findReading(kind: ToolKind | undefined, traits: Partial<ToolTraits>): string | undefined {
  const { readOnly, pure, sideEffects } = traits;
  if (readOnly === true) return 'traits.readOnly: true';
  if (pure === true) return 'traits.pure: true';
  // The tool needs permission, whatever its kind and its side effects are.
  if (readOnly === false) return undefined;
  if (sideEffects === 'none' || sideEffects === 'read') return `traits.sideEffects: '${sideEffects}'`;
  return kind === 'read' ? "kind: 'read'" : undefined;
}

function findChanging(kind: ToolKind | undefined, traits: Partial<ToolTraits>): string | undefined {
  if (kind === 'edit' || kind === 'delete' || kind === 'move') return `kind: '${kind}'`;
  if (traits.destructive === true) return 'traits.destructive: true';
  return traits.sideEffects === 'write' ? "traits.sideEffects: 'write'" : undefined;
}
