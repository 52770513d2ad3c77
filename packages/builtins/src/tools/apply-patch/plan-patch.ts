import { failure, toolError, type ToolContext, type ToolError, type ToolResult } from '@haft/core';
import { confine, statConfined } from '@haft/sandbox';
import { openForChange } from '../../files/changes/open-for-change.ts';
import type { ChangedFile, PlannedChange } from '../../files/changes/planned-change.ts';
import { elision, notRead } from '../../files/changes/changed-on-disk.ts';
import { toFileError, type FilePlace } from '../../files/file-errors.ts';
import { findElision } from '../../editing/find-edit-elision.ts';
import type { ReadTracker } from '../../files/read-tracker.ts';
import { explainHunk } from './explain-patch-hunk.ts';
import type { AddedFile, DeletedFile, FilePatch, UpdatedFile } from './file-patch.ts';
import { patchText } from './patch-text.ts';

/** The planned changes of all files in a patch, or the result that explains the failure. */
export type PatchPlan =
  | { readonly ok: true; readonly changes: readonly PlannedChange[] }
  | { readonly ok: false; readonly result: ToolResult };

/** The properties of a call that planning needs. */
export interface PatchCall {
  readonly context: ToolContext;
  readonly place: (path: string) => FilePlace;
  readonly readTracker: ReadTracker;
}

type Planned =
  | { readonly ok: true; readonly change: PlannedChange }
  | { readonly ok: false; readonly result: ToolResult };

/** Plans the changes to every file in a patch, without changing any file. */
export async function planPatch(files: readonly FilePatch[], call: PatchCall): Promise<PatchPlan> {
  const fail = (error: ToolError): PatchPlan => ({ ok: false, result: failure(call.context.callId, error) });
  const joined = joinUpdates(files, call);
  const repeated = findRepeated(joined, call);
  if (repeated !== undefined) {
    const hint = `Put all changes of ${repeated} under one header.`;
    return fail(toolError('INVALID_ARGS', `the patch names ${repeated} more than once`, { hint }));
  }
  const changes: PlannedChange[] = [];
  for (const file of joined) {
    const planned = await planFile(file, call);
    if (!planned.ok) return planned;
    changes.push(planned.change);
  }
  return { ok: true, changes };
}

function planFile(file: FilePatch, call: PatchCall): Promise<Planned> {
  if (file.kind === 'add') return planAddition(file, call);
  return file.kind === 'delete' ? planRemoval(file, call) : planUpdate(file, call);
}

/** Merges several sections for the same file. */
function joinUpdates(files: readonly FilePatch[], { place }: PatchCall): readonly FilePatch[] {
  const updates = new Map<string, UpdatedFile>();
  const joined: FilePatch[] = [];
  for (const file of files) {
    const key = place(file.path).path;
    const before = file.kind === 'update' && file.moveTo === undefined ? updates.get(key) : undefined;
    if (before) {
      const both = { ...before, hunks: [...before.hunks, ...(file.kind === 'update' ? file.hunks : [])] };
      joined[joined.indexOf(before)] = both;
      updates.set(key, both);
      continue;
    }
    if (file.kind === 'update') updates.set(key, file);
    joined.push(file);
  }
  return joined;
}

function findRepeated(files: readonly FilePatch[], { place }: PatchCall): string | undefined {
  const seen = new Set<string>();
  for (const file of files) {
    for (const path of file.kind === 'update' && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path]) {
      const { path: key, shown } = place(path);
      if (seen.has(key)) return shown;
      seen.add(key);
    }
  }
  return undefined;
}

async function planAddition({ path, content }: AddedFile, call: PatchCall): Promise<Planned> {
  const place = call.place(path);
  const error = (await findOccupied(place)) ?? refuseElision(content, '');
  if (error) return refuse(call, error);
  return { ok: true, change: { kind: 'create', place, format: { encoding: 'utf-8', bom: false }, after: content } };
}

async function planRemoval({ path, hunks }: DeletedFile, call: PatchCall): Promise<Planned> {
  const place = call.place(path);
  const opened = await openForChange(place, call.context, call.readTracker);
  if (!opened.ok) return refuse(call, opened.error);
  const { file, seen } = opened;
  if (hunks.length === 0 && !seen) return refuse(call, notRead(place.shown, 'delete it'));
  if (hunks.length > 0) {
    const patched = patchText(file.text, hunks);
    if (!patched.ok)
      return { ok: false, result: explainHunk(call.context.callId, place.shown, file.text, hunks, patched) };
    if (patched.after !== '') {
      const hint = `Read ${place.shown}, then remove all its lines, or use "*** Delete File: ${place.shown}".`;
      return refuse(
        call,
        toolError('TEXT_NOT_FOUND', `${place.shown} has more lines than the patch removes`, { hint }),
      );
    }
  }
  return { ok: true, change: { kind: 'delete', place, file } };
}

async function planUpdate({ path, moveTo, hunks }: UpdatedFile, call: PatchCall): Promise<Planned> {
  const place = call.place(path);
  const opened = await openForChange(place, call.context, call.readTracker);
  if (!opened.ok) return refuse(call, opened.error);
  const { file, seen } = opened;
  for (const { oldLines, newLines } of hunks) {
    const elided = refuseElision(newLines.filter((line) => !oldLines.includes(line)).join('\n'), file.text);
    if (elided) return refuse(call, elided);
  }
  const patched = patchText(file.text, hunks);
  const isAmbiguous = !patched.ok && patched.miss.reason !== 'not-found';
  if (!seen && !(patched.ok ? patched.isCertain : isAmbiguous))
    return refuse(call, notRead(place.shown, 'repeat the patch with its lines copied from it'));
  if (!patched.ok)
    return { ok: false, result: explainHunk(call.context.callId, place.shown, file.text, hunks, patched) };
  const change: ChangedFile = { kind: 'modify', place, file, after: patched.after };
  if (moveTo === undefined) {
    if (patched.after !== file.text) return { ok: true, change };
    const hint = 'Lines that begin with "-" and "+" must differ. If the file is already right, leave it out.';
    return refuse(call, toolError('NO_CHANGE', `the patch would not change ${place.shown}`, { hint }));
  }
  const to = call.place(moveTo);
  const occupied = await findOccupied(to);
  return occupied ? refuse(call, occupied) : { ok: true, change: { ...change, to } };
}

function refuse(call: PatchCall, error: ToolError): Planned {
  return { ok: false, result: failure(call.context.callId, error) };
}

function refuseElision(added: string, known: string): ToolError | undefined {
  const elided = findElision(added, known);
  return elided === undefined ? undefined : elision('patch', elided);
}

/** Returns the reason why a file cannot be created: it is outside the workspace, or the path already exists. */
async function findOccupied(place: FilePlace): Promise<ToolError | undefined> {
  const { workspace, path, shown } = place;
  const confined = await confine(workspace.writeRoots, path);
  if (!confined.ok) return toFileError(confined, 'write', place);
  const status = await statConfined(workspace.writeRoots, path, { followLinks: false });
  if (!status.ok) return status.code === 'NOT_FOUND' ? undefined : toFileError(status, 'write', place);
  return toolError('ALREADY_EXISTS', `${shown} exists already`, {
    hint: `Change it with "*** Update File: ${shown}" after reading it, or choose another path.`,
    details: { path: shown },
  });
}
