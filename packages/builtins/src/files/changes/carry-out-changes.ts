import type { ToolError } from '@haft/core';
import {
  hashContent,
  readConfinedFile,
  removeConfined,
  renameConfined,
  writeConfinedFile,
  type SandboxFailure,
} from '@haft/sandbox';
import { toFileError, type FilePlace } from '../file-errors.ts';
import type { DoneChange } from './done-change.ts';
import { findMissingFolders } from './missing-folders.ts';
import type { ChangedFile, NewFile, PlannedChange, RemovedFile } from './planned-change.ts';
import { refuseLink, setAside } from './set-file-aside.ts';

/** A change that was made, and how to undo it. */
export interface Step {
  readonly ok: true;
  readonly done: DoneChange;
  /** Undoes the change. Returns false if the file has changed since, or the system refuses. */
  readonly undo: () => Promise<boolean>;
  /** Work to do when no later change can fail any more. */
  readonly finish?: () => Promise<void>;
}

/** A change that failed. The file is unchanged. */
export interface Failed {
  readonly ok: false;
  readonly error: ToolError;
}

/** Makes one planned change. `mayUndo` says whether a later change may fail. */
export function carryOut(change: PlannedChange, bytes: Uint8Array, mayUndo: boolean): Promise<Step | Failed> {
  if (change.kind === 'create') return create(change, bytes, mayUndo);
  return change.kind === 'delete' ? remove(change) : modify(change, bytes);
}

async function create(change: NewFile, bytes: Uint8Array, mayUndo: boolean): Promise<Step | Failed> {
  const { place } = change;
  const roots = place.workspace.writeRoots;
  const folders = mayUndo ? await findMissingFolders(place) : [];
  const written = await writeConfinedFile(roots, place.path, bytes, { expectedHash: null, ...rulesOf(place) });
  if (!written.ok) return failed(written, place);
  return {
    ok: true,
    done: { change, path: written.path, bytes: written.bytesWritten, hash: written.hash },
    async undo() {
      const aside = await setAside(place, written);
      if (!aside.ok || !(await aside.drop())) return false;
      for (const folder of folders) await removeConfined(roots, folder, protectionOf(place));
      return true;
    },
  };
}

async function modify(change: ChangedFile, bytes: Uint8Array): Promise<Step | Failed> {
  const { place, file, after, to } = change;
  const roots = place.workspace.writeRoots;
  const write = (path: string, content: Uint8Array, expectedHash: string): ReturnType<typeof writeConfinedFile> =>
    writeConfinedFile(roots, path, content, { expectedHash, ...protectionOf(place), expectedPath: file.path });
  const isWritten = after !== file.text;
  let { hash } = file;
  if (isWritten) {
    const written = await write(place.path, bytes, file.hash);
    if (!written.ok) return failed(written, place);
    ({ hash } = written);
  }
  const takeBack = async (): Promise<boolean> => !isWritten || (await write(file.path, file.bytes, hash)).ok;
  if (to === undefined) {
    return { ok: true, done: { change, path: file.path, bytes: bytes.length, hash }, undo: takeBack };
  }
  const folders = await findMissingFolders(to);
  const moved = await renameConfined(roots, place.path, to.path, {
    expectedPath: file.path,
    ...(to.expectedPath === undefined ? {} : { expectedTarget: to.expectedPath }),
    ...protectionOf(place),
  });
  if (!moved.ok || moved.from !== file.path) {
    if (moved.ok) await renameConfined(roots, moved.path, moved.from, protectionOf(place));
    await takeBack();
    return failed(moved.ok ? refuseLink(place) : moved, moved.ok || moved.code === 'NOT_FOUND' ? place : to);
  }
  return {
    ok: true,
    done: { change, path: moved.path, bytes: bytes.length, hash },
    async undo() {
      const now = await readConfinedFile(roots, moved.path);
      if (!now.ok || hashContent(now.bytes) !== hash) return false;
      if (!(await renameConfined(roots, moved.path, file.path, protectionOf(place))).ok) return false;
      for (const folder of folders) await removeConfined(roots, folder, protectionOf(place));
      return takeBack();
    },
  };
}

async function remove(change: RemovedFile): Promise<Step | Failed> {
  const { place, file } = change;
  const aside = await setAside(place, file);
  if (!aside.ok) return failed(aside, place);
  return {
    ok: true,
    done: { change, path: file.path, bytes: 0, hash: '' },
    undo: aside.putBack,
    finish: async () => void (await aside.drop()),
  };
}

async function failed(failure: SandboxFailure, place: FilePlace): Promise<Failed> {
  return { ok: false, error: await toFileError(failure, 'write', place) };
}

function protectionOf({ protection }: FilePlace): Pick<FilePlace, 'protection'> {
  return protection === undefined ? {} : { protection };
}

function rulesOf(place: FilePlace): Pick<FilePlace, 'protection' | 'expectedPath'> {
  return {
    ...protectionOf(place),
    ...(place.expectedPath === undefined ? {} : { expectedPath: place.expectedPath }),
  };
}
