import type { FileDiff } from '@haft/core';
import { computeFileDiff, decodeText, isBinary } from '@haft/sandbox';
import type { ContentStore } from '../content/content-store.ts';
import type { EntryState } from '../entry-state.ts';
import type { WorkspaceChange } from '../record/net-changes.ts';

/** Renders a change as a unified diff. Binary or missing contents become one line, folders nothing. */
export function diffChange(
  change: WorkspaceChange,
  contents: ContentStore,
  show: (path: string) => string,
): readonly FileDiff[] {
  const { path, from, before, after } = change;
  if (before.kind === 'directory' || after.kind === 'directory') return [];
  const name = show(path);
  const note = modeNote(before, after) + (from === undefined ? '' : `rename from ${show(from)}\nrename to ${name}\n`);
  const old = textOf(before, contents);
  const fresh = textOf(after, contents);
  if (old === undefined || fresh === undefined) {
    const existedBefore = before.kind !== 'absent';
    return [
      {
        path: name,
        patch: `${note}Binary files or contents that are not kept differ: ${name}\n`,
        existedBefore,
        additions: 0,
        deletions: 0,
      },
    ];
  }
  const { patch, existedBefore, additions, deletions } = computeFileDiff({ path: name, before: old, after: fresh });
  return [{ path: name, patch: note + patch, existedBefore, additions, deletions }];
}

/** Returns null for a missing file and undefined for a content that cannot be shown. */
function textOf(state: EntryState, contents: ContentStore): string | null | undefined {
  if (state.kind === 'absent') return null;
  if (state.kind === 'link') return `${state.target}\n`;
  const bytes = state.kind === 'file' && state.hash !== undefined ? contents.read(state.hash) : undefined;
  return bytes === undefined || isBinary(bytes) ? undefined : decodeText(bytes).text;
}

function modeNote(before: EntryState, after: EntryState): string {
  if (before.kind !== 'file' || after.kind !== 'file' || before.mode === after.mode) return '';
  return `old mode 100${before.mode.toString(8)}\nnew mode 100${after.mode.toString(8)}\n`;
}
