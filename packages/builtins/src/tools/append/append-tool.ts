import { failure, toolError, type AnyTool, type ToolContext, type ToolResult } from '@haft/core';
import { confine, detectEol, dominantEol, hasFinalNewline, normalizeEol } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { changeLock } from '../../files/changes/change-lock.ts';
import { saveChanges } from '../../files/changes/save-changes.ts';
import { elision } from '../../files/changes/changed-on-disk.ts';
import { defineBuiltin } from '../../definition/define-builtin.ts';
import { toFileError, type FilePlace } from '../../files/file-errors.ts';
import { findElision } from '../../editing/find-edit-elision.ts';
import { fileKey } from '../../definition/footprint-keys.ts';
import { fileAliases } from '../../definition/path-aliases.ts';
import { createReadTracker, type ReadTracker } from '../../files/read-tracker.ts';
import { count } from '../../count.ts';
import { readTextFile } from '../../files/text-file.ts';
import { changesFiles } from '../../definition/tool-traits.ts';
import { contentAliases } from '../../definition/content-aliases.ts';

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .describe('The file, relative to the working directory or absolute. It is created if it is missing.'),
  content: z.string().describe('The text to add. It begins on a new line.'),
});

/** Creates the `append` tool, which adds text at the end of a file. The file does not have to be read first. */
export function createAppendTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const readTracker = dependencies.readTracker ?? createReadTracker();
  return defineBuiltin('createAppendTool', dependencies, {
    name: 'append',
    title: 'Append to a file',
    description:
      'Appends text to a file on a new line, and creates a missing file. ' +
      'The file need not be read first. Use it to write a long file in parts, or to add an entry to a log or list. To insert elsewhere use edit.',
    input,
    kind: 'edit',
    // Appending never loses content, so the file need not have been read.
    traits: { ...changesFiles, destructive: false, idempotent: false },
    aliases: { path: fileAliases, content: contentAliases },
    footprint: ({ path }, cwd) => ({ writes: [fileKey(cwd, path)] }),
    initialTitle: ({ path, content }) => `Append to ${path} (${count(content.length, 'character')})`,
    run: ({ path, content }, { context, place }) => {
      const target = place(path);
      return changeLock(target.path, () => append(target, content, context, readTracker));
    },
  });
}

async function append(
  place: FilePlace,
  content: string,
  context: ToolContext,
  readTracker: ReadTracker,
): Promise<ToolResult> {
  const { callId } = context;
  const { workspace, path } = place;
  const confined = await confine(workspace.writeRoots, path);
  if (!confined.ok) return failure(callId, await toFileError(confined, 'write', place));
  if (content === '') {
    return failure(callId, toolError('NO_CHANGE', 'content is empty', { hint: 'Give the text to add as content.' }));
  }
  const file = await readTextFile(place, 'write');
  if (!file.ok && !file.isMissing) return failure(callId, file.error);
  const elided = findElision(content, file.ok ? file.text : '');
  if (elided !== undefined) return failure(callId, elision('content', elided));
  if (!file.ok) {
    const format = { encoding: 'utf-8', bom: false } as const;
    return saveChanges([{ kind: 'create', place, format, after: content }], context, readTracker);
  }
  const style = detectEol(file.text);
  const added =
    (style === '\r\n' || style === '\r') && !content.includes('\r') ? normalizeEol(content, style) : content;
  const isOpen = file.text !== '' && !hasFinalNewline(file.text);
  const after = `${file.text}${isOpen ? dominantEol(file.text) : ''}${added}`;
  // Appending does not mark unread or changed content as read.
  const seen = readTracker.get(context.sessionId, file.path)?.hash === file.hash;
  return saveChanges([{ kind: 'modify', place, file, after }], context, readTracker, {
    op: 'append',
    seen,
    ...(isOpen ? { detail: 'The last line had no line break; one was added before the new text.' } : {}),
  });
}
