import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import {
  createConfinedDirectory,
  createConfinedLink,
  hashContent,
  readConfinedFile,
  removeConfined,
  renameConfined,
  setConfinedMode,
  writeConfinedFile,
  type Roots,
  type SandboxFailure,
} from '@haft/sandbox';
import type { ContentStore } from '../content/content-store.ts';
import { hasSameContent, type EntryState, type FileState } from '../entry-state.ts';
import { joinName } from '../path-names.ts';

/** A path that is to be made what it was. */
export interface Restoration {
  readonly path: string;
  /** What is there now. */
  readonly from: EntryState;
  readonly to: EntryState;
}

export interface ApplyDeps {
  readonly roots: Roots;
  readonly contents: ContentStore;
}

/** What became of it. */
export interface Applied {
  /** What was done, in this order. */
  readonly done: readonly Restoration[];
  /** Folders that stay, since somebody else's files are in them. */
  readonly kept: readonly string[];
  /** Where it stopped. */
  readonly failed?: { readonly path: string; readonly message: string };
}

// What is given back was there before, protected or not.
const open = { protection: 'off' } as const;
const ownerBits = 0o700;

/**
 * Makes paths what they are to be: opens folders, removes what goes (the deepest first), makes folders (the highest first), then
 * files and links, and closes folders again. Stops at the first failure. A file that is not what it is taken for any more is left alone.
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

/** Whether what is there has to go first: a file takes a file's place by itself. */
function needsRemoval({ from, to }: Restoration): boolean {
  if (from.kind === 'absent') return false;
  return from.kind !== to.kind || from.kind === 'link';
}

/** A file is taken aside and looked at once more before it goes: what somebody has just written into it is put back. */
async function remove(
  { path, from }: Restoration,
  { roots }: ApplyDeps,
): Promise<{ readonly ok: true } | SandboxFailure> {
  if (from.kind !== 'file' || from.hash === undefined) return removeConfined(roots, path, open);
  const aside = joinName(dirname(path), `.haft-${randomBytes(8).toString('hex')}.tmp`);
  const moved = await renameConfined(roots, path, aside, open);
  if (!moved.ok) return moved;
  const now = await readConfinedFile(roots, aside, { followLinks: false, maxBytes: from.size });
  if (now.ok && hashContent(now.bytes) === from.hash) return removeConfined(roots, aside, open);
  // A file that may not be read can't have been written by somebody else either.
  if (!now.ok && now.code === 'ACCESS_DENIED') return removeConfined(roots, aside, open);
  await renameConfined(roots, aside, path, open);
  return { ok: false, code: 'CHANGED_ON_DISK', message: `${JSON.stringify(path)} has just been changed`, hint: '' };
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
      message: `the former content of ${JSON.stringify(path)} is gone`,
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
