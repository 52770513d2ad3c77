import {
  defineTool,
  eraseTool,
  failure,
  success,
  type AnyTool,
  type ToolContext,
  type ToolResult,
  type Workspace,
} from '@haft/core';
import { confine, detectEol, normalizeEol, resolvePath } from '@haft/sandbox';
import { z } from 'zod';
import { findElision } from '../find-elision.ts';
import { builtinProvider, folderOf, workspaceOf, type BuiltinDependencies } from '../builtin-dependencies.ts';
import { checkDependencies } from '../check-options.ts';
import { changedOnDisk, elision, notRead } from '../conflict-error.ts';
import { toFileError } from '../file-errors.ts';
import { fileKey } from '../footprint-keys.ts';
import { createKeyedLock } from '../keyed-lock.ts';
import { createReadTracker, type ReadTracker } from '../read-tracker.ts';
import { saveText } from '../save-text.ts';
import { count } from '../search/search-notes.ts';
import { showPath } from '../show-path.ts';
import { readTextFile, type TextFile } from '../text-file.ts';

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .describe('The file, relative to the working directory or absolute. Missing folders are made.'),
  content: z.string().describe('The whole new content of the file.'),
});

/** Makes the `write` tool: a whole file, new or in place of one that was read and has not changed since. */
export function createWriteTool(dependencies: BuiltinDependencies = {}): AnyTool {
  checkDependencies('createWriteTool', dependencies);
  const readTracker = dependencies.readTracker ?? createReadTracker();
  const lock = createKeyedLock();
  return eraseTool(
    defineTool({
      name: 'write',
      provider: builtinProvider,
      title: 'Write a file',
      description:
        'Writes a whole file: a new one, or one that you have read with read and that has not changed since. ' +
        'To change a part of a file use edit, which is shorter and safer. Pass the complete content; never leave parts out.',
      input,
      kind: 'edit',
      traits: {
        readOnly: false,
        destructive: true,
        idempotent: true,
        openWorld: false,
        sideEffects: 'write',
        requires: ['filesystem'],
      },
      parallelizable: false,
      aliases: {
        path: ['file', 'file_path', 'filePath', 'filename', 'target_file'],
        content: ['contents', 'text', 'data', 'file_text', 'body'],
      },
      footprint: ({ path }, context) => ({ reads: [], writes: [fileKey(folderOf(dependencies, context), path)] }),
      initialTitle: ({ path, content }) => `Write ${path} (${count(content.length, 'character')})`,
      execute: async (args, context) => {
        const workspace = workspaceOf(dependencies, context);
        const path = resolvePath(workspace.cwd, args.path);
        return lock(path, () => write(path, args.content, workspace, context, readTracker));
      },
    }),
  );
}

async function write(
  path: string,
  content: string,
  workspace: Workspace,
  context: ToolContext,
  readTracker: ReadTracker,
): Promise<ToolResult> {
  const shown = showPath(workspace.cwd, path);
  const place = await confine(workspace.writeRoots, path);
  if (!place.ok) return failure(context.callId, await toFileError(place, 'write', { workspace, path, shown }));
  const existing = await readTextFile({ workspace, path, shown }, 'write');
  if (!existing.ok && !existing.isMissing) return failure(context.callId, existing.error);
  const elided = findElision(content, existing.ok ? existing.text : '');
  if (elided !== undefined) return failure(context.callId, elision('content', elided));
  if (!existing.ok) {
    const format = { encoding: 'utf-8', bom: false } as const;
    return saveText({ path, shown, format, before: null, after: content }, workspace, context, readTracker);
  }

  const after = keepLineEndings(content, existing);
  if (after === existing.text) {
    readTracker.record(context.sessionId, existing.path, { hash: existing.hash, text: existing.text });
    return success(context.callId, `${shown} holds exactly this content already; nothing was written.`, {
      summary: `Unchanged: ${shown}`,
    });
  }
  const seen = readTracker.get(context.sessionId, existing.path);
  if (!seen)
    return failure(context.callId, notRead(shown, 'write the whole new content, or change a part of it with edit'));
  if (seen.hash !== existing.hash) return failure(context.callId, changedOnDisk(shown, seen, existing.text));
  return saveText({ path, shown, format: existing.format, before: existing, after }, workspace, context, readTracker);
}

/** A model writes line feeds; a file that has other line endings throughout keeps them, unless the content has its own. */
function keepLineEndings(content: string, existing: TextFile): string {
  const style = detectEol(existing.text);
  return (style === '\r\n' || style === '\r') && !content.includes('\r') ? normalizeEol(content, style) : content;
}
