import { success, failure, toolError, type FileDiff, type ToolContext, type ToolResult } from '@haft/core';
import { computeFileDiff, encodeText, writeConfinedFile, type TextFormat } from '@haft/sandbox';
import { toFileError, type FilePlace } from './file-errors.ts';
import type { ReadTracker } from './read-tracker.ts';
import { count } from './search/search-notes.ts';
import { lineNumbersAt, splitLines } from './text-lines.ts';

/** A file's text before and after, ready to be written. */
export interface PlannedChange {
  readonly place: FilePlace;
  readonly format: TextFormat;
  /** Null when the file is new. */
  readonly before: { readonly text: string; readonly hash: string } | null;
  readonly after: string;
}

/** What a written change is said to be. */
export interface ChangeReport {
  /** For the model; follows the sentence that names the file and what happened to it. */
  readonly detail?: string;
  readonly advisories?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Writes a planned change all or nothing, unless the file is no longer what the plan was made for, and makes the
 * result: sentence, one-line summary, diff and effect.
 */
export async function saveText(
  change: PlannedChange,
  context: ToolContext,
  readTracker: ReadTracker,
  report: ChangeReport = {},
): Promise<ToolResult> {
  const { place, before, after } = change;
  const { workspace, path, shown, expectedPath, protection } = place;
  const encoded = encodeText(after, change.format);
  if (!encoded.ok) return failure(context.callId, await toFileError(encoded, 'write', place));
  if (context.signal.aborted)
    return failure(context.callId, toolError('ABORTED', `${shown} was left as it was: the call was cancelled`));
  const written = await writeConfinedFile(workspace.writeRoots, path, encoded.bytes, {
    expectedHash: before?.hash ?? null,
    ...(expectedPath === undefined ? {} : { expectedPath }),
    ...(protection === undefined ? {} : { protection }),
  });
  if (!written.ok) return failure(context.callId, await toFileError(written, 'write', place));

  readTracker.record(context.sessionId, written.path, { hash: written.hash, text: after });
  const diff = diffOf(shown, before?.text ?? null, after);
  const verb = written.created ? 'Created' : 'Modified';
  const counts = written.created ? `+${diff.additions}` : `+${diff.additions} -${diff.deletions}`;
  const size = `${count(splitLines(after).length, 'line')}, ${count(written.bytesWritten, 'byte')}`;
  const firstChangedLine = before === null ? 1 : findFirstChangedLine(before.text, after);
  const sentence =
    before === null
      ? `Created ${shown}: ${size}`
      : `Modified ${shown} (${counts}), first change at line ${firstChangedLine}; it now has ${size}`;
  return success(context.callId, `${sentence}${report.detail === undefined ? '.' : `. ${report.detail}`}`, {
    summary: `${verb}: ${shown} (${counts})`,
    diff,
    effects: [
      { kind: 'file', path: written.path, op: written.created ? 'create' : 'modify', bytesAfter: written.bytesWritten },
    ],
    metadata: {
      path: shown,
      additions: diff.additions,
      deletions: diff.deletions,
      firstChangedLine,
      ...report.metadata,
    },
    advisories: report.advisories ?? [],
  });
}

function findFirstChangedLine(before: string, after: string): number {
  let index = 0;
  while (index < before.length && before.charCodeAt(index) === after.charCodeAt(index)) index += 1;
  return lineNumbersAt(before, [index])[0]!;
}

/** The change of one file, in the shape results carry. */
export function diffOf(shown: string, before: string | null, after: string): FileDiff {
  const { patch, existedBefore, additions, deletions } = computeFileDiff({ path: shown, before, after });
  return { path: shown, patch, existedBefore, additions, deletions };
}
