import type { FileEffect, ProcessEffect } from '../contracts/results/effect.ts';
import type { ToolResult } from '../contracts/results/result.ts';

/** Returns the file changes of a call. */
export function fileEffects(result: Pick<ToolResult, 'effects'>): readonly FileEffect[] {
  return result.effects.filter((effect) => effect.kind === 'file');
}

/** Returns the processes that a call started. */
export function processEffects(result: Pick<ToolResult, 'effects'>): readonly ProcessEffect[] {
  return result.effects.filter((effect) => effect.kind === 'process');
}
