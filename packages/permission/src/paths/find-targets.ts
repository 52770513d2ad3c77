import type { Footprint } from '@haft/core';
import { confine } from '@haft/sandbox';

/** A file or folder that a call reads or writes. */
export interface Target {
  readonly access: 'read' | 'write';
  /** The footprint key. */
  readonly key: string;
  /** The path as named in the footprint, without `file:` and without a trailing slash. */
  readonly named: string;
  /** The path with every symbolic link resolved. Undefined if it cannot be determined. */
  readonly real: string | undefined;
  /** True for a folder with everything below it, false for a single file. */
  readonly isTree: boolean;
}

/** The resources that a call touches. */
export interface Targets {
  readonly files: readonly Target[];
  readonly others: readonly OtherTarget[];
}

/** Another resource, by its key. `*` means everything. */
interface OtherTarget {
  readonly access: 'read' | 'write';
  readonly key: string;
}

const filePrefix = 'file:';

/** Returns whether any key of a footprint names a file. */
export function hasFiles({ reads, writes }: Footprint): boolean {
  // Plain loops for speed: this runs for every call.
  for (const key of reads) if (isFileKey(key)) return true;
  for (const key of writes) if (isFileKey(key)) return true;
  return false;
}

/** Parses a footprint and resolves the symbolic links of its files. */
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

/** Returns the keys of a footprint that do not name a file. */
export function findOthers({ reads, writes }: Footprint): Targets['others'] {
  // The footprint of a tool that declares nothing, which is the most common case.
  if (reads.length === 0 && writes.length === 1 && writes[0] === '*') return everything;
  const others: OtherTarget[] = [];
  for (const key of reads) if (!isFileKey(key)) others.push({ access: 'read', key });
  for (const key of writes) if (!isFileKey(key)) others.push({ access: 'write', key });
  return others;
}

function isFileKey(key: string): boolean {
  // The length tells the key `*` apart, which most footprints consist of, without comparing texts.
  return key.length >= filePrefix.length && key.startsWith(filePrefix);
}

async function resolveTarget(access: Target['access'], key: string): Promise<Target> {
  const path = key.slice(filePrefix.length);
  const isTree = path.length > 1 && path.endsWith('/');
  const named = isTree ? path.slice(0, -1) : path;
  const place = await confine('unrestricted', named);
  if (place.ok) return { access, key, named, real: place.path, isTree };
  // Such a path cannot be opened, so its target does not matter.
  const isUnreachable = place.code === 'NOT_DIRECTORY' || place.code === 'NAME_TOO_LONG';
  return { access, key, named, real: isUnreachable ? named : undefined, isTree };
}
