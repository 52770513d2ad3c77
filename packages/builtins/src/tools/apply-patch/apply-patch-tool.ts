import { failure, toolError, type AnyTool, type ToolResult } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { changeLock } from '../../files/changes/change-lock.ts';
import { saveChanges } from '../../files/changes/save-changes.ts';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { fileKey } from '../../definition/footprint-keys.ts';
import { createReadTracker, type ReadTracker } from '../../files/read-tracker.ts';
import { changesFiles } from '../../definition/tool-traits.ts';
import { parsePatch, pathsOf } from './parse-patch.ts';
import { planPatch } from './plan-patch.ts';

const input = z.strictObject({
  patch: z
    .string()
    .min(1)
    .describe(
      'The patch, as in: *** Begin Patch\\n*** Update File: src/a.ts\\n@@ function name()\\n kept line\\n-old line\\n+new line\\n*** Add File: b.txt\\n+its lines\\n*** Delete File: c.txt\\n*** End Patch. ' +
        '"*** Move to: PATH" below an update header renames. A unified diff (--- a/PATH, +++ b/PATH, @@ … @@) is accepted too.',
    ),
});

const maxFilesInTitle = 3;

/**
 * Creates the `apply_patch` tool, which changes, adds, deletes and moves several files. Applies all changes or none.
 */
export function createApplyPatchTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const readTracker = dependencies.readTracker ?? createReadTracker();
  return defineBuiltin('createApplyPatchTool', dependencies, {
    name: 'apply_patch',
    title: 'Apply a patch',
    description:
      'Applies a patch that changes, adds, deletes or moves files: completely or not at all. ' +
      'Read the files first. Give about three unchanged lines above and below each change; they must match in only one place. ' +
      'If a hunk does not match, the result shows the closest lines. For one small change use edit.',
    input,
    kind: 'edit',
    traits: { ...changesFiles, idempotent: false },
    aliases: { patch: ['input', 'diff', 'patch_text', 'patchText'] },
    footprint: ({ patch }, cwd) => {
      const parsed = parsePatch(patch);
      return { writes: parsed.ok ? [...new Set(pathsOf(parsed.files).map((path) => fileKey(cwd, path)))] : ['*'] };
    },
    initialTitle: ({ patch }) => titleOf(patch),
    check({ patch }) {
      const parsed = parsePatch(patch);
      if (parsed.ok) return [];
      const { line, problem, hint } = parsed;
      const message = `$.patch: ${problem} (line ${line}). ${hint}`;
      return [
        {
          path: '$.patch',
          code: 'custom',
          expected: `a whole patch (${hint})`,
          received: `in line ${line}: ${problem}`,
          message,
        },
      ];
    },
    run: (args, call) => applyPatch(args.patch, call, readTracker),
  });
}

async function applyPatch(
  patch: string,
  { context, place }: BuiltinCall,
  readTracker: ReadTracker,
): Promise<ToolResult> {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return failure(context.callId, toolError('INVALID_ARGS', parsed.problem, { hint: parsed.hint }));
  const { files } = parsed;
  const keys = pathsOf(files).map((path) => place(path).path);
  return changeLock(keys, async () => {
    const plan = await planPatch(files, { context, place, readTracker });
    return plan.ok
      ? saveChanges(plan.changes, context, readTracker, { metadata: { files: plan.changes.length } })
      : plan.result;
  });
}

function titleOf(patch: string): string {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return 'Apply a patch';
  const paths = parsed.files.map((file) =>
    file.kind === 'update' && file.moveTo !== undefined ? `${file.path} → ${file.moveTo}` : `${file.kind} ${file.path}`,
  );
  const more = paths.length > maxFilesInTitle ? ` and ${paths.length - maxFilesInTitle} more` : '';
  return `Patch: ${paths.slice(0, maxFilesInTitle).join(', ')}${more}`.replace(/[\u0000-\u001F\u007F]/g, ' ');
}
