import { contentAliases } from '../../definition/content-aliases.ts';
import { failure, success, type AnyTool, type ToolContext, type ToolResult } from '@haft/core';
import { confine, detectEol, normalizeEol } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { changeLock } from '../../files/changes/change-lock.ts';
import { saveChanges } from '../../files/changes/save-changes.ts';
import { changedOnDisk, elision, notRead } from '../../files/changes/changed-on-disk.ts';
import { basicPreference, defineBuiltin } from '../../definition/define-builtin.ts';
import { toFileError, type FilePlace } from '../../files/file-errors.ts';
import { findElision } from '../../editing/find-edit-elision.ts';
import { fileKey } from '../../definition/footprint-keys.ts';
import { fileAliases } from '../../definition/path-aliases.ts';
import { createReadTracker, type ReadTracker } from '../../files/read-tracker.ts';
import { count } from '../../count.ts';
import { readTextFile, type TextFile } from '../../files/text-file.ts';
import { changesFiles } from '../../definition/tool-traits.ts';

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .describe('The file, relative to the working directory or absolute. Missing folders are created.'),
  content: z.string().describe('The whole new content of the file.'),
});

/**
 * Creates the `write` tool, which writes a whole file. An existing file must have been read and must not have changed
 * since.
 *
 * @example
 * import { createWriteTool } from '@haft/builtins';
 * createWriteTool().name; // => 'write'
 */
export function createWriteTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const readTracker = dependencies.readTracker ?? createReadTracker();
  return defineBuiltin('createWriteTool', dependencies, {
    name: 'write',
    title: 'Write a file',
    description:
      'Writes a whole file: a new one, or one that you have read with read and that has not changed since. ' +
      'To change a part of a file use edit, which is shorter and safer. Pass the complete content without omissions.',
    input,
    kind: 'edit',
    preference: basicPreference,
    traits: { ...changesFiles, idempotent: true },
    aliases: { path: fileAliases, content: contentAliases },
    footprint: ({ path }, cwd) => ({ writes: [fileKey(cwd, path)] }),
    initialTitle: ({ path, content }) => `Write ${path} (${count(content.length, 'character')})`,
    run: ({ path, content }, { context, place }) => {
      const target = place(path);
      return changeLock(target.path, () => write(target, content, context, readTracker));
    },
  });
}

async function write(
  place: FilePlace,
  content: string,
  context: ToolContext,
  readTracker: ReadTracker,
): Promise<ToolResult> {
  const { workspace, path, shown } = place;
  const confined = await confine(workspace.writeRoots, path);
  if (!confined.ok) return failure(context.callId, await toFileError(confined, 'write', place));
  const existing = await readTextFile(place, 'write');
  if (!existing.ok && !existing.isMissing) return failure(context.callId, existing.error);
  const elided = findElision(content, existing.ok ? existing.text : '');
  if (elided !== undefined) return failure(context.callId, elision('content', elided));
  if (!existing.ok) {
    const format = { encoding: 'utf-8', bom: false } as const;
    return saveChanges([{ kind: 'create', place, format, after: content }], context, readTracker);
  }

  const after = keepLineEndings(content, existing);
  if (after === existing.text) {
    readTracker.record(context.sessionId, existing.path, { hash: existing.hash, text: existing.text });
    return success(context.callId, `${shown} already has exactly this content; nothing was written.`, {
      summary: `Unchanged: ${shown}`,
    });
  }
  const seen = readTracker.get(context.sessionId, existing.path);
  if (!seen)
    return failure(context.callId, notRead(shown, 'write the whole new content, or change a part of it with edit'));
  if (seen.hash !== existing.hash) return failure(context.callId, changedOnDisk(shown, seen, existing.text));
  return saveChanges([{ kind: 'modify', place, file: existing, after }], context, readTracker);
}

/**
 * Converts line feeds to the line endings of the existing file, if these are uniform and the content does not use other
 * line endings.
 */
function keepLineEndings(content: string, existing: TextFile): string {
  const style = detectEol(existing.text);
  return (style === '\r\n' || style === '\r') && !content.includes('\r') ? normalizeEol(content, style) : content;
}
