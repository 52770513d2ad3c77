import { failure, toolError, type AnyTool, type ToolContext, type ToolResult } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { changeLock } from '../../files/changes/change-lock.ts';
import { openForChange } from '../../files/changes/open-for-change.ts';
import { saveChanges } from '../../files/changes/save-changes.ts';
import { notRead } from '../../files/changes/changed-on-disk.ts';
import { defineBuiltin } from '../../definition/define-builtin.ts';
import type { FilePlace } from '../../files/file-errors.ts';
import { removeLines } from '../../editing/remove-lines.ts';
import { fileKey } from '../../definition/footprint-keys.ts';
import { fileAliases } from '../../definition/path-aliases.ts';
import { createReadTracker, type ReadTracker } from '../../files/read-tracker.ts';
import { count } from '../../count.ts';
import { splitLines } from '../../files/text-lines.ts';
import { changesFiles } from '../../definition/tool-traits.ts';
import { findLine } from './find-range-line.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('The file, relative to the working directory or absolute.'),
  start_anchor: z
    .string()
    .min(1)
    .describe(
      'The line above the range: its whole text, which must be unique, or its anchor "12:a1b2" from read with hash_len.',
    ),
  end_anchor: z.string().min(1).describe('The line below the range, in the same form.'),
  inclusive: z.boolean().optional().describe('Also delete these two lines, which may then be the same. Default false.'),
});

type DeleteRangeArguments = z.output<typeof input>;

/** Creates the `delete_range` tool, which removes the lines between two given lines of a file. */
export function createDeleteRangeTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const readTracker = dependencies.readTracker ?? createReadTracker();
  return defineBuiltin('createDeleteRangeTool', dependencies, {
    name: 'delete_range',
    title: 'Delete lines of a file',
    description:
      'Deletes the lines between two lines of a file that you have read, without repeating their text. ' +
      'Give both lines exactly as in the file; inclusive deletes them too. For a few lines use edit with an empty new_text.',
    input,
    kind: 'edit',
    traits: { ...changesFiles, idempotent: false },
    aliases: {
      path: fileAliases,
      start_anchor: ['startAnchor', 'start', 'from'],
      end_anchor: ['endAnchor', 'end', 'to'],
    },
    footprint: ({ path }, cwd) => ({ writes: [fileKey(cwd, path)] }),
    initialTitle: ({ path }) => `Delete lines of ${path}`,
    run: (args, { context, place }) => {
      const target = place(args.path);
      return changeLock(target.path, () => deleteRange(target, args, context, readTracker));
    },
  });
}

async function deleteRange(
  place: FilePlace,
  args: DeleteRangeArguments,
  context: ToolContext,
  readTracker: ReadTracker,
): Promise<ToolResult> {
  const { callId } = context;
  const { shown } = place;
  const opened = await openForChange(place, context, readTracker);
  if (!opened.ok) return failure(callId, opened.error);
  const { file, seen } = opened;
  // The range can contain any text, so the file must have been read.
  if (!seen) return failure(callId, notRead(shown, 'give the two lines as it shows them'));
  const lines = splitLines(file.text);
  const known = { text: file.text, lines, seen, shown };
  const start = findLine(args.start_anchor, 'start_anchor', known);
  if (!start.ok) return failure(callId, start.error);
  const end = findLine(args.end_anchor, 'end_anchor', known);
  if (!end.ok) return failure(callId, end.error);

  const inclusive = args.inclusive === true;
  const first = inclusive ? start.index : start.index + 1;
  const after = inclusive ? end.index + 1 : end.index;
  if (after <= first) {
    const named = `start_anchor is line ${start.index + 1} and end_anchor line ${end.index + 1} of ${shown}`;
    const isReversed = end.index < start.index;
    const hint = isReversed
      ? 'Give the upper line as start_anchor.'
      : 'Set inclusive to true to delete these lines themselves.';
    return failure(
      callId,
      toolError('INVALID_ARGS', `${named}: there are no lines between them`, { hint, details: { path: shown } }),
    );
  }
  const { start: from, end: to } = removeLines(file.text, lines, first, after);
  const text = file.text.slice(0, from) + file.text.slice(to);
  return saveChanges([{ kind: 'modify', place, file, after: text }], context, readTracker, {
    detail: `Deleted lines ${first + 1}-${after} (${count(after - first, 'line')}).`,
    metadata: { deletedFrom: first + 1, deletedTo: after },
  });
}
