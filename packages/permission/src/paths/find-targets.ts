import type { Footprint } from '@haft/core';
import { confine } from '@haft/sandbox';

/** A file or folder that a call reads or writes. */
export interface Target {
  readonly access: 'read' | 'write';
  /** The footprint's key. */
  readonly key: string;
  /** As the footprint names it, without `file:` and a slash at its end. */
  readonly named: string;
  /** The target with every symbolic link followed; undefined if it cannot be determined. */
  readonly real: string | undefined;
  /** Everything below it, not one file. */
  readonly isTree: boolean;
}

/** What a call touches. */
export interface Targets {
  readonly files: readonly Target[];
  readonly others: readonly OtherTarget[];
}

/** Another resource, by its key; `*` is everything. */
interface OtherTarget {
  readonly access: 'read' | 'write';
  readonly key: string;
}

const filePrefix = 'file:';

/** Whether any of a footprint's keys names a file. */
export function hasFiles({ reads, writes }: Footprint): boolean {
  // Loops, since every call is asked about.
  for (const key of reads) if (isFileKey(key)) return true;
  for (const key of writes) if (isFileKey(key)) return true;
  return false;
}

/** Reads a footprint and follows the symbolic links of its files. */
export async function findTargets(footprint: Footprint): Promise<Targets> {
  const files = [
    ...footprint.reads.filter(isFileKey).map((key) => ({ access: 'read' as const, key })),
    ...footprint.writes.filter(isFileKey).map((key) => ({ access: 'write' as const, key })),
  ];
  const resolved: Target[] = [];
  for (const { access, key } of files) resolved.push(await resolveTarget(access, key));
  return { files: resolved, others: findOthers(footprint) };
}

const everything: Targets['others'] = Object.freeze([Object.freeze({ access: 'write', key: '*' })]);

/** The keys of a footprint that name no file. */
export function findOthers({ reads, writes }: Footprint): Targets['others'] {
  // What a tool touches that says nothing of it, which most tools are.
  if (reads.length === 0 && writes.length === 1 && writes[0] === '*') return everything;
  const others: OtherTarget[] = [];
  for (const key of reads) if (!isFileKey(key)) others.push({ access: 'read', key });
  for (const key of writes) if (!isFileKey(key)) others.push({ access: 'write', key });
  return others;
}

function isFileKey(key: string): boolean {
  return key.startsWith(filePrefix);
}

async function resolveTarget(access: Target['access'], key: string): Promise<Target> {
  const path = key.slice(filePrefix.length);
  const isTree = path.length > 1 && path.endsWith('/');
  const named = isTree ? path.slice(0, -1) : path;
  const place = await confine('unrestricted', named);
  if (place.ok) return { access, key, named, real: place.path, isTree };
  // Nothing can be opened by a path like these, so where it would lead does not matter.
  const isUnreachable = place.code === 'NOT_DIRECTORY' || place.code === 'NAME_TOO_LONG';
  return { access, key, named, real: isUnreachable ? named : undefined, isTree };
}
