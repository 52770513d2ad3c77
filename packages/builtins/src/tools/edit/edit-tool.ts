import type { AnyTool } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { changeLock } from '../../files/changes/change-lock.ts';
import { basicPreference, defineBuiltin } from '../../definition/define-builtin.ts';
import { fileKey } from '../../definition/footprint-keys.ts';
import { fileAliases } from '../../definition/path-aliases.ts';
import { createReadTracker } from '../../files/read-tracker.ts';
import { changesFiles } from '../../definition/tool-traits.ts';
import { applyTextEdits, type EditWording } from '../../editing/apply-text-edits.ts';
import { checkEdit, editFieldAliases, editFields } from '../../editing/edit-input.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('The file, relative to the working directory or absolute.'),
  ...editFields,
});

const wording: EditWording = {
  nameOf: () => '',
  describe({ located }) {
    const replacements = located[0]!.spans.length;
    return replacements > 1 ? `Replaced ${replacements} occurrences.` : undefined;
  },
};

/**
 * Creates the `edit` tool, which replaces one occurrence of a text in a file, or every occurrence with `replace_all`.
 *
 * @example
 * import { createEditTool } from '@haft/builtins';
 * createEditTool().name; // => 'edit'
 */
export function createEditTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const readTracker = dependencies.readTracker ?? createReadTracker();
  return defineBuiltin('createEditTool', dependencies, {
    name: 'edit',
    title: 'Edit a file',
    description:
      'Replaces one piece of text in a file. Read the file first and copy old_text from it exactly, without the line numbers. ' +
      'It must occur exactly once: add lines around it, or set replace_all. If the text is not found, the result shows the closest match. ' +
      'For several changes at once use multi_edit or apply_patch. To make a new file or replace a whole one use write.',
    input,
    kind: 'edit',
    preference: basicPreference,
    traits: { ...changesFiles, idempotent: false },
    aliases: { path: fileAliases, ...editFieldAliases },
    footprint: ({ path }, cwd) => ({ writes: [fileKey(cwd, path)] }),
    initialTitle: ({ path }) => `Edit ${path}`,
    check: (args) => checkEdit(args, '$'),
    run: ({ path, ...edit }, { context, place }) => {
      const target = place(path);
      return changeLock(target.path, () => applyTextEdits(target, [edit], context, readTracker, wording));
    },
  });
}
