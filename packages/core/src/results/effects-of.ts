import type { FileEffect, ProcessEffect } from '../contracts/results/effect.ts';
import type { ToolResult } from '../contracts/results/result.ts';

/**
 * Returns the file changes of a call.
 *
 * @example
 * import { fileEffects } from '@haft/core/results';
 * fileEffects({ effects: [{ kind: 'file', path: 'a.txt', op: 'create' }] }).map(({ path }) => path); // => ['a.txt']
 */
export function fileEffects(result: Pick<ToolResult, 'effects'>): readonly FileEffect[] {
  return result.effects.filter((effect) => effect.kind === 'file');
}

/**
 * Returns the processes that a call started.
 *
 * @example
 * import { processEffects } from '@haft/core/results';
 * processEffects({ effects: [{ kind: 'file', path: 'a.txt', op: 'create' }] }); // => []
 */
export function processEffects(result: Pick<ToolResult, 'effects'>): readonly ProcessEffect[] {
  return result.effects.filter((effect) => effect.kind === 'process');
}
