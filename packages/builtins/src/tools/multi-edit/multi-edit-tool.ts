import type { AnyTool } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { changeLock } from '../../files/changes/change-lock.ts';
import { defineBuiltin } from '../../definition/define-builtin.ts';
import { applyTextEdits, type EditWording } from '../../editing/apply-text-edits.ts';
import { checkEdit, editFieldAliases, editFields } from '../../editing/edit-input.ts';
import { fileKey } from '../../definition/footprint-keys.ts';
import { fileAliases } from '../../definition/path-aliases.ts';
import { createReadTracker } from '../../files/read-tracker.ts';
import { count } from '../../count.ts';
import { changesFiles } from '../../definition/tool-traits.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('The file, relative to the working directory or absolute.'),
  edits: z
    .array(z.strictObject(editFields))
    .min(1)
    .max(100)
    .describe('The replacements, each in the form of edit. All of them are made, or none.'),
});

const wording: EditWording = {
  nameOf: (index) => `edits[${index}].`,
  describe({ located }) {
    const replacements = located.reduce((sum, { spans }) => sum + spans.length, 0);
    const more = replacements > located.length ? `, ${replacements} replacements` : '';
    return `Made ${count(located.length, 'edit')}${more}.`;
  },
};

/** Creates the `multi_edit` tool, which makes several replacements in one file. Applies all of them or none. */
export function createMultiEditTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const readTracker = dependencies.readTracker ?? createReadTracker();
  return defineBuiltin('createMultiEditTool', dependencies, {
    name: 'multi_edit',
    title: 'Edit a file in several places',
    description:
      "Makes several replacements in one file at once: all of them, or none if one can't be made. " +
      'Every old_text must match the current file, as in edit: read the file first and copy from it exactly. ' +
      'The pieces must not overlap. For one replacement use edit, for several files apply_patch.',
    input,
    kind: 'edit',
    traits: { ...changesFiles, idempotent: false },
    aliases: {
      path: fileAliases,
      edits: ['changes', 'replacements', 'steps'],
      ...Object.fromEntries(Object.entries(editFieldAliases).map(([name, others]) => [`edits[].${name}`, others])),
    },
    footprint: ({ path }, cwd) => ({ writes: [fileKey(cwd, path)] }),
    initialTitle: ({ path, edits }) => `Edit ${path} (${count(edits.length, 'change')})`,
    check: ({ edits }) => edits.flatMap((edit, index) => checkEdit(edit, `$.edits[${index}]`)),
    run: ({ path, edits }, { context, place }) => {
      const target = place(path);
      return changeLock(target.path, () => applyTextEdits(target, edits, context, readTracker, wording));
    },
  });
}
