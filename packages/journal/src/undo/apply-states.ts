import { randomBytes } from 'node:crypto';
import { basename, dirname, sep } from 'node:path';
import {
  createConfinedDirectory,
  createConfinedLink,
  hashContent,
  openConfinedDirectory,
  readConfinedFile,
  removeConfined,
  renameConfined,
  setConfinedMode,
  writeConfinedFile,
  type Roots,
  type SandboxFailure,
} from '@haft/sandbox';
import { hasSameStamp } from '../content/content-reader.ts';
import type { ContentStore } from '../content/content-store.ts';
import { hasSameContent, type EntryState, type FileState } from '../entry-state.ts';
import { joinName } from '../path-names.ts';

/** A path to restore. */
export interface Restoration {
  readonly path: string;
  /** Current state. */
  readonly from: EntryState;
  readonly to: EntryState;
}

export interface ApplyDeps {
  readonly roots: Roots;
  readonly contents: ContentStore;
}

/** Result of restoring paths. */
export interface Applied {
  /** Restored paths, in this order. */
  readonly done: readonly Restoration[];
  /** Folders that remain because they contain other files. */
  readonly kept: readonly string[];
  /** The first failure. */
  readonly failed?: { readonly path: string; readonly message: string };
}

// Restored files existed before, so write protection does not apply.
const open = { protection: 'off' } as const;
const ownerBits = 0o700;

/**
 * Restores paths: makes folders writable, removes entries (deepest first), creates folders (outermost first), then
 * files and links, and restores folder permissions. Stops at the first failure. Leaves files alone that have changed
 * meanwhile.
 */
export async function applyStates(restorations: readonly Restoration[], deps: ApplyDeps): Promise<Applied> {
  const { roots } = deps;
  const byDepth = restorations.toSorted((left, right) => left.path.length - right.path.length);
  const deepestFirst = byDepth.toReversed();
  const done: Restoration[] = [];
  const kept: string[] = [];

  for (const one of byDepth) {
    if (one.from.kind === 'directory' && (one.from.mode & ownerBits) !== ownerBits)
      await setConfinedMode(roots, one.path, one.from.mode | ownerBits, open);
  }
  const steps: readonly (() => AsyncGenerator<Outcome>)[] = [
    async function* removals() {
      for (const one of deepestFirst) if (needsRemoval(one)) yield [one, await remove(one, deps)];
    },
    async function* folders() {
      for (const one of byDepth) {
        if (one.to.kind !== 'directory' || one.from.kind === 'directory') continue;
        yield [one, await createConfinedDirectory(roots, one.path, open)];
      }
    },
    async function* filesAndLinks() {
      for (const one of byDepth) {
        if (one.to.kind === 'file') yield [one, await restoreFile(one, one.to, deps)];
        else if (one.to.kind === 'link') yield [one, await createConfinedLink(roots, one.path, one.to.target, open)];
      }
    },
    async function* modes() {
      for (const one of deepestFirst)
        if (one.to.kind === 'directory') yield [one, await setConfinedMode(roots, one.path, one.to.mode, open)];
    },
  ];
  for (const step of steps) {
    for await (const [one, outcome] of step()) {
      if (outcome.ok) done.push(one);
      else if (outcome.code === 'DIRECTORY_NOT_EMPTY' && one.to.kind === 'absent') kept.push(one.path);
      else return { done, kept, failed: { path: one.path, message: outcome.message } };
    }
  }
  return { done, kept };
}

type Outcome = readonly [Restoration, { readonly ok: true } | SandboxFailure];

/** Returns whether the current entry must be removed first. A file replaces a file directly. */
function needsRemoval({ from, to }: Restoration): boolean {
  if (from.kind === 'absent') return false;
  return from.kind !== to.kind || from.kind === 'link';
}

/** Moves an entry aside and checks it again before removing it. Puts it back if it has just been changed. */
async function remove(
  { path, from }: Restoration,
  { roots }: ApplyDeps,
): Promise<{ readonly ok: true } | SandboxFailure> {
  // With the separator, only a folder is removed, and only if it is empty.
  if (from.kind === 'directory') return removeConfined(roots, path + sep, open);
  const aside = joinName(dirname(path), `.haft-${randomBytes(8).toString('hex')}.tmp`);
  const moved = await renameConfined(roots, path, aside, open);
  if (!moved.ok) return moved;
  if (await isUnchanged(aside, from, roots)) return removeConfined(roots, aside, open);
  await renameConfined(roots, aside, path, open);
  return { ok: false, code: 'CHANGED_ON_DISK', message: `${JSON.stringify(path)} has just been changed`, hint: '' };
}

/** Returns whether an entry is still as it was before it was moved aside. */
async function isUnchanged(aside: string, from: EntryState, roots: Roots): Promise<boolean> {
  if (from.kind === 'file' && from.hash !== undefined) {
    const now = await readConfinedFile(roots, aside, { followLinks: false, maxBytes: from.size });
    // An unreadable file cannot have been changed by another program either.
    return now.ok ? hashContent(now.bytes) === from.hash : now.code === 'ACCESS_DENIED';
  }
  const folder = openConfinedDirectory(roots, dirname(aside));
  if (!folder.ok) return false;
  try {
    const name = basename(aside);
    if (from.kind === 'link') return folder.readLink(name) === from.target;
    const status = folder.stat([name])[0];
    return status?.kind === from.kind && (from.kind !== 'file' || hasSameStamp(from, status));
  } finally {
    folder.close();
  }
}

async function restoreFile(
  { path, from }: Restoration,
  to: FileState,
  { roots, contents }: ApplyDeps,
): Promise<{ readonly ok: true } | SandboxFailure> {
  if (from.kind === 'file' && hasSameContent(from, to)) return setConfinedMode(roots, path, to.mode, open);
  const bytes = to.hash === undefined ? undefined : contents.read(to.hash);
  if (bytes === undefined)
    return {
      ok: false,
      code: 'READ_ERROR',
      message: `the former content of ${JSON.stringify(path)} is missing`,
      hint: '',
    };
  if (from.kind === 'file' && (from.mode & 0o600) !== 0o600) {
    const opened = await setConfinedMode(roots, path, from.mode | 0o600, open);
    if (!opened.ok) return opened;
  }
  const expected = from.kind === 'file' ? from.hash : null;
  return writeConfinedFile(roots, path, bytes, {
    ...open,
    mode: to.mode,
    allowHardLinks: true,
    ...(expected === undefined ? {} : { expectedHash: expected }),
  });
}
