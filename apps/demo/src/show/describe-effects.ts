import type { Effect, ToolResult } from '@haft/core';
import { isAbsolute, relative } from 'node:path';
import { showableLine } from './showable.ts';

/**
 * Describes the effects of a call in a few words. Reads do not count; for a failure without effects, the code gives the
 * reason. Paths are relative to `cwd`.
 */
export function describeEffects(result: ToolResult, cwd: string): string {
  const { diff } = result;
  const changes = result.effects
    .map((effect) => describeEffect(effect, cwd))
    .filter((text) => text !== '')
    .join(', ');
  if (!result.ok && changes === '') return `none: ${result.error.code}`;
  return diff && changes !== '' ? `${changes} (+${diff.additions}\u00a0−${diff.deletions})` : changes;
}

const verbs = {
  create: 'created',
  modify: 'changed',
  append: 'appended to',
  delete: 'deleted',
  rename: 'renamed to',
} as const;

function describeEffect(effect: Effect, cwd: string): string {
  if (effect.kind === 'file') {
    return effect.op === 'read' ? '' : showableLine(`${verbs[effect.op]} ${fromFolder(effect.path, cwd)}`, 48);
  }
  if (effect.background) return 'process in the background';
  return effect.timedOut ? 'process stopped in time' : `process, exit ${effect.exitCode ?? 'unknown'}`;
}

function fromFolder(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return isAbsolute(path) && inside !== '' && !inside.startsWith('..') ? inside : path;
}
