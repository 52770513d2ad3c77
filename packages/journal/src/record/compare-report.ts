import { resolve } from 'node:path';
import { fileEffects } from '@haft/core/results';
import type { CallInfo, FileEffect, ToolResult } from '@haft/core';
import type { EntryState, StateChange } from '../entry-state.ts';
import type { Mismatch } from '../journal-record.ts';
import { isAtOrBelow } from '../path-names.ts';
import { declaredWrites, findRealPaths } from './plan-watch.ts';

const maxNamedPaths = 50;

/** What a call really did, and where its report can be looked up. */
export interface ObservedChanges {
  /** The real paths that its tool said it would write, as they were before it; undefined when it named no bounds. */
  readonly declared: readonly string[] | undefined;
  readonly changes: readonly StateChange[];
  readonly cwd: string;
  /** What is at a path now; undefined where that is not known. */
  stateAt(path: string): EntryState | undefined;
}

/** Holds what a tool declared and what a call reported against what it did. */
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

/** The changed paths that are none of those declared, neither as these led somewhere before the call nor as they do now. */
async function findOutside(
  info: CallInfo,
  changed: readonly string[],
  { declared = [], cwd }: ObservedChanges,
): Promise<readonly string[]> {
  const isWithin = (bounds: readonly string[]) => (path: string) => bounds.some((bound) => isAtOrBelow(path, bound));
  const left = changed.filter((path) => !isWithin(declared)(path));
  // Asking the system where paths lead takes longer than all of this.
  const writes = left.length > 0 && info.tool.footprint ? declaredWrites(info, cwd) : undefined;
  if (writes === undefined) return [];
  const bounds = (await Promise.all(writes.map(findRealPaths))).flat();
  return left.filter((path) => !isWithin(bounds)(path));
}

/** A report as a remark that the model reads. */
export function describeMismatches(mismatches: readonly Mismatch[], show: (path: string) => string): readonly string[] {
  return mismatches.map(({ kind, paths, count }) => {
    const names = paths.slice(0, 5).map(show).join(', ') + (count > 5 ? ` and ${count - 5} more` : '');
    if (kind === 'not-done')
      return `The journal finds no trace of the reported change of ${names}. Look at it before you go on.`;
    if (kind === 'read-only') return `This call changed files although its tool says that it only reads: ${names}.`;
    const more = kind === 'unreported' ? 'Besides what it reported' : 'Besides what its tool may write';
    return `${more}, this call changed ${names}.`;
  });
}

/** The effects that the report leaves out. */
export function toEffects(changes: readonly StateChange[], reported: readonly string[]): readonly FileEffect[] {
  return changes.flatMap(({ path, before, after }): readonly FileEffect[] => {
    if (before.kind === 'directory' || after.kind === 'directory' || reported.includes(path)) return [];
    const op = after.kind === 'absent' ? 'delete' : before.kind === 'absent' ? 'create' : 'modify';
    return [{ kind: 'file', path, op, ...(after.kind === 'file' ? { bytesAfter: after.size } : {}) }];
  });
}

interface Claim {
  readonly effect: FileEffect;
  /** Real paths; the last is where it leads. */
  readonly paths: readonly string[];
}

/** Where the paths of effects lead. */
export async function resolveEffects(effects: readonly FileEffect[], cwd: string): Promise<readonly Claim[]> {
  const resolved: Claim[] = [];
  for (const effect of effects.slice(0, 1_000)) {
    const from = effect.from === undefined ? [] : await findRealPaths(resolve(cwd, effect.from));
    const paths = [...from, ...(await findRealPaths(resolve(cwd, effect.path)))];
    if (paths.length > 0) resolved.push({ effect, paths });
  }
  return resolved;
}

/** Only what can't be so: a file that was written with what it held already is no contradiction. */
function isContradicted({ effect, paths }: Claim, observed: ObservedChanges): boolean {
  const state = observed.stateAt(paths.at(-1)!);
  if (state === undefined) return false;
  return effect.op === 'delete' ? state.kind === 'file' : state.kind === 'absent';
}

function mismatch(kind: Mismatch['kind'], paths: readonly string[]): readonly Mismatch[] {
  return paths.length === 0 ? [] : [{ kind, paths: paths.slice(0, maxNamedPaths), count: paths.length }];
}
