import { resolve } from 'node:path';
import { fileEffects } from '@haft/core/results';
import type { CallInfo, FileEffect, ToolResult } from '@haft/core';
import type { EntryState, StateChange } from '../entry-state.ts';
import type { Mismatch } from '../journal-record.ts';
import { isAtOrBelow } from '../path-names.ts';
import { declaredWrites, findRealPaths } from './plan-watch.ts';

const maxNamedPaths = 50;

/** Actual changes of a call, and access to the current state. */
export interface ObservedChanges {
  /** Real paths that the tool declared before the call. Undefined if it declared no footprint. */
  readonly declared: readonly string[] | undefined;
  readonly changes: readonly StateChange[];
  readonly cwd: string;
  /** Returns the current state of a path, or undefined if unknown. */
  stateAt(path: string): EntryState | undefined;
}

/** Compares the declared and reported changes of a call with its actual changes. */
export async function compareReport(
  info: CallInfo,
  result: ToolResult,
  observed: ObservedChanges,
): Promise<readonly Mismatch[]> {
  const files = observed.changes.filter(
    ({ before, after }) => before.kind !== 'directory' && after.kind !== 'directory',
  );
  const changed = files.map(({ path }) => path);
  const { traits } = info.tool;
  const isReader = traits.readOnly || traits.sideEffects === 'none' || traits.sideEffects === 'read';
  if (isReader) return mismatch('read-only', changed);
  const reported = await resolveEffects(fileEffects(result), observed.cwd);
  const claims = reported.filter(({ effect }) => effect.op !== 'read');
  const named = claims.flatMap(({ paths }) => paths);
  return [
    ...(claims.length === 0
      ? []
      : mismatch(
          'unreported',
          changed.filter((path) => !named.includes(path)),
        )),
    ...mismatch('outside-footprint', await findOutside(info, changed, observed)),
    ...mismatch(
      'not-done',
      claims.filter((claim) => isContradicted(claim, observed)).map(({ paths }) => paths.at(-1)!),
    ),
  ];
}

/** Returns the changed paths outside the declared ones, resolved both before and after the call. */
async function findOutside(
  info: CallInfo,
  changed: readonly string[],
  { declared = [], cwd }: ObservedChanges,
): Promise<readonly string[]> {
  const isWithin = (bounds: readonly string[]) => (path: string) => bounds.some((bound) => isAtOrBelow(path, bound));
  const left = changed.filter((path) => !isWithin(declared)(path));
  // Resolving paths is the expensive part.
  const writes = left.length > 0 && info.tool.footprint ? declaredWrites(info, cwd) : undefined;
  if (writes === undefined) return [];
  const bounds = (await Promise.all(writes.map(findRealPaths))).flat();
  return left.filter((path) => !isWithin(bounds)(path));
}

/** Converts mismatches to advisories for the model. */
export function describeMismatches(mismatches: readonly Mismatch[], show: (path: string) => string): readonly string[] {
  return mismatches.map(({ kind, paths, count }) => {
    const names = paths.slice(0, 5).map(show).join(', ') + (count > 5 ? ` and ${count - 5} more` : '');
    if (kind === 'not-done') return `The reported change of ${names} did not happen. Read it before you continue.`;
    if (kind === 'read-only') return `This call changed files although its tool is read-only: ${names}.`;
    const more = kind === 'unreported' ? 'Besides the reported files' : 'Besides the files its tool may write';
    return `${more}, this call changed ${names}.`;
  });
}

/** Returns the effects that are missing from the report. */
export function toEffects(changes: readonly StateChange[], reported: readonly string[]): readonly FileEffect[] {
  return changes.flatMap(({ path, before, after }): readonly FileEffect[] => {
    if (before.kind === 'directory' || after.kind === 'directory' || reported.includes(path)) return [];
    const op = after.kind === 'absent' ? 'delete' : before.kind === 'absent' ? 'create' : 'modify';
    return [{ kind: 'file', path, op, ...(after.kind === 'file' ? { bytesAfter: after.size } : {}) }];
  });
}

interface Claim {
  readonly effect: FileEffect;
  /** Real paths; the last one is the target. */
  readonly paths: readonly string[];
}

/** Resolves the paths of effects. */
export async function resolveEffects(effects: readonly FileEffect[], cwd: string): Promise<readonly Claim[]> {
  const resolved: Claim[] = [];
  for (const effect of effects.slice(0, 1_000)) {
    const from = effect.from === undefined ? [] : await findRealPaths(resolve(cwd, effect.from));
    const paths = [...from, ...(await findRealPaths(resolve(cwd, effect.path)))];
    if (paths.length > 0) resolved.push({ effect, paths });
  }
  return resolved;
}

/** Returns whether the current state rules out the effect. Rewriting the same content is not a contradiction. */
function isContradicted({ effect, paths }: Claim, observed: ObservedChanges): boolean {
  const state = observed.stateAt(paths.at(-1)!);
  if (state === undefined) return false;
  return effect.op === 'delete' ? state.kind === 'file' : state.kind === 'absent';
}

function mismatch(kind: Mismatch['kind'], paths: readonly string[]): readonly Mismatch[] {
  return paths.length === 0 ? [] : [{ kind, paths: paths.slice(0, maxNamedPaths), count: paths.length }];
}
