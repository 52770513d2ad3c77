import {
  failure,
  toolError,
  type AnyTool,
  type ToolContext,
  type ToolError,
  type ToolResult,
  type Workspace,
} from '@haft/core';
import { confine } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../builtin-dependencies.ts';
import { changedOnDisk, elision, notRead } from '../conflict-error.ts';
import { defineBuiltin } from '../define-builtin.ts';
import { toFileError, type FilePlace } from '../file-errors.ts';
import { findElision } from '../find-elision.ts';
import { fileKey } from '../footprint-keys.ts';
import { createKeyedLock } from '../keyed-lock.ts';
import { fileAliases } from '../path-aliases.ts';
import { suggestPaths } from '../read/find-similar-paths.ts';
import { createReadTracker, type ReadTracker } from '../read-tracker.ts';
import { saveText } from '../save-text.ts';
import { readTextFile, type TextFile } from '../text-file.ts';
import { lineNumbersAt } from '../text-lines.ts';
import { changesFiles } from '../tool-traits.ts';
import { findClosestRegion } from './closest-region.ts';
import { applySpans, locateEdit, type LocatedEdit, type LocateFailure } from './locate-edit.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('The file, relative to the working directory or absolute.'),
  old_text: z
    .string()
    .describe(
      'The text to replace, exactly as it stands in the file, without line numbers; with enough lines around it to be the only such place.',
    ),
  new_text: z.string().describe('The text to put in its place; empty to delete it.'),
  replace_all: z.boolean().optional().describe('Replace every occurrence instead of exactly one. Default false.'),
});

type EditArguments = z.output<typeof input>;

/** Makes the `edit` tool: replaces a text in a file by another, in exactly one place unless told otherwise. */
export function createEditTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const readTracker = dependencies.readTracker ?? createReadTracker();
  const lock = createKeyedLock();
  return defineBuiltin('createEditTool', dependencies, {
    name: 'edit',
    title: 'Edit a file',
    description:
      'Replaces one piece of text in a file. Read the file first and copy old_text from it exactly, without the line numbers. ' +
      'It must occur exactly once: add lines around it, or set replace_all. If the text is not found, the answer shows the closest place. ' +
      'To make a new file or replace a whole one use write.',
    input,
    kind: 'edit',
    traits: { ...changesFiles, idempotent: false },
    parallelizable: false,
    aliases: {
      path: fileAliases,
      old_text: ['oldText', 'old_string', 'oldString', 'old_str', 'search'],
      new_text: ['newText', 'new_string', 'newString', 'new_str', 'replace', 'replacement'],
      replace_all: ['replaceAll', 'allow_multiple'],
    },
    footprint: ({ path }, cwd) => ({ writes: [fileKey(cwd, path)] }),
    initialTitle: ({ path }) => `Edit ${path}`,
    run: (args, { context, place }) => {
      const target = place(args.path);
      return lock(target.path, () => edit(target, args, context, readTracker));
    },
  });
}

async function edit(
  place: FilePlace,
  args: EditArguments,
  context: ToolContext,
  readTracker: ReadTracker,
): Promise<ToolResult> {
  const { callId } = context;
  const { workspace, path, shown } = place;
  const confined = await confine(workspace.writeRoots, path);
  if (!confined.ok) return failure(callId, await toFileError(confined, 'write', place));
  const unusable = refuseTexts(args, shown);
  if (unusable) return failure(callId, unusable);
  const file = await readTextFile(place, 'write');
  if (!file.ok)
    return failure(callId, file.error.code === 'NOT_FOUND' ? await suggest(file.error, path, workspace) : file.error);

  const elided = findElision(args.new_text, file.text);
  if (elided !== undefined) return failure(callId, elision('new_text', elided));

  const seen = readTracker.get(context.sessionId, file.path);
  if (seen && seen.hash !== file.hash) return failure(callId, changedOnDisk(shown, seen, file.text));
  const located = locateEdit(file.text, { oldText: args.old_text, newText: args.new_text }, args.replace_all === true);
  // A text that matches to the letter shows that the file is known; anything less does not.
  const isCertain =
    located.ok && located.needle === 'as written' && (located.match === 'exact' || located.match === 'line endings');
  if (!seen && !isCertain && !(!located.ok && located.reason === 'ambiguous')) {
    return failure(callId, notRead(shown, 'repeat the edit with old_text copied from it'));
  }
  if (!located.ok) return explainMiss(located, file, args, shown, callId);

  const after = applySpans(file.text, located.spans);
  if (after === file.text) return failure(callId, noChange(shown));
  return saveText({ place, format: file.format, before: file, after }, context, readTracker, {
    ...(located.spans.length > 1 ? { detail: `Replaced ${located.spans.length} occurrences.` } : {}),
    metadata: { replacements: located.spans.length, match: located.match, reading: located.needle },
    advisories: advise(located),
  });
}

function refuseTexts({ old_text: oldText, new_text: newText }: EditArguments, shown: string): ToolError | undefined {
  if (oldText === '') {
    return toolError('INVALID_ARGS', 'old_text is empty', {
      hint: `Copy the text to replace from ${shown}. To insert, take a line as old_text and repeat it in new_text with what is new. To make a file use write.`,
    });
  }
  return oldText === newText ? noChange(shown) : undefined;
}

function noChange(shown: string): ToolError {
  return toolError('NO_CHANGE', `the edit would leave ${shown} as it is`, {
    hint: 'new_text must differ from old_text. If the file is as you want it already, go on.',
  });
}

function advise({ match, needle }: LocatedEdit): readonly string[] {
  const differences = [
    match === 'exact' || match === 'line endings' ? '' : match,
    needle === 'as written' ? '' : needle,
  ].filter((text) => text !== '');
  return differences.length === 0
    ? []
    : [`old_text did not match to the letter (${differences.join('; ')}); the file's own formatting was kept.`];
}

function explainMiss(
  missed: LocateFailure,
  file: TextFile,
  { old_text: oldText }: EditArguments,
  shown: string,
  callId: string,
): ToolResult {
  if (missed.reason === 'ambiguous') {
    const lines = [...new Set(lineNumbersAt(file.text, missed.starts))];
    const listed =
      lines.length > 10 ? `${lines.slice(0, 10).join(', ')} and ${lines.length - 10} more` : lines.join(', ');
    const error = toolError(
      'TEXT_MULTIPLE_MATCHES',
      `old_text occurs ${missed.starts.length} times in ${shown}, at lines ${listed}`,
      {
        hint: 'Add lines before or after it to old_text until only one place fits, or set replace_all to true to change all of them.',
        details: { path: shown, matches: missed.starts.length, lines: lines.slice(0, 100) },
      },
    );
    return failure(callId, error);
  }
  const closest = findClosestRegion(file.text, oldText);
  const error = toolError('TEXT_NOT_FOUND', `old_text does not occur in ${shown}`, {
    hint: closest
      ? 'Copy old_text from the lines shown, without the numbers and marks, or read the file again.'
      : `Call read with path "${shown}" and copy old_text from what it shows.`,
    details: {
      path: shown,
      ...(closest
        ? { firstLine: closest.firstLine, lastLine: closest.lastLine, alike: closest.alike, looked: closest.looked }
        : {}),
    },
  });
  if (!closest) return failure(callId, error);
  const content = `The closest place is lines ${closest.firstLine}-${closest.lastLine} (${closest.alike} of ${closest.looked} lines alike; "!" marks the others):\n${closest.text}`;
  return failure(callId, error, { content });
}

async function suggest(error: ToolError, path: string, workspace: Workspace): Promise<ToolError> {
  const suggested = await suggestPaths({ ...error, hint: '' }, workspace, path);
  return { ...suggested, hint: `${suggested.hint ?? ''} To make a new file use write.`.trim() };
}
