import type { Effect, ToolResult } from '@haft/core';
import { showableLine } from './showable.ts';

/** What a call did to the world, in a few words; what it looked at does not count. */
export function describeEffects(result: ToolResult): string {
  const { diff } = result;
  const changes = result.effects
    .map((effect) => describeEffect(effect))
    .filter((text) => text !== '')
    .join(', ');
  return diff && changes !== '' ? `${changes} (+${diff.additions} −${diff.deletions})` : changes;
}

const verbs = {
  create: 'created',
  modify: 'changed',
  append: 'appended to',
  delete: 'deleted',
  rename: 'renamed to',
} as const;

function describeEffect(effect: Effect): string {
  if (effect.kind === 'file') return effect.op === 'read' ? '' : showableLine(`${verbs[effect.op]} ${effect.path}`, 48);
  if (effect.background) return 'process in the background';
  return effect.timedOut ? 'process stopped in time' : `process, exit ${effect.exitCode ?? 'unknown'}`;
}
