import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTool, failure, success, toolError } from '@haft/core';
import { z } from 'zod';

export const addNote = defineTool({
  name: 'add_note',
  description: 'Writes a new note. Fails if a note of this name exists.',
  kind: 'edit',
  input: z.object({
    name: z
      .string()
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      .describe('Lower-case letters, digits and hyphens, such as "pancake-recipe"'),
    text: z.string().min(1).describe('The note, in Markdown'),
  }),
  footprint: ({ name }, { cwd }) => ({ reads: [], writes: [`file:${join(cwd, `${name}.md`)}`] }),
  execute: async ({ name, text }, { workspace, callId }) => {
    try {
      await writeFile(join(workspace.cwd, `${name}.md`), text.endsWith('\n') ? text : `${text}\n`, { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // An expected failure: the model learns what to do next.
      return failure(
        callId,
        toolError('NOTE_EXISTS', `there is a note ${name}`, { fault: 'model', hint: 'Use another name.' }),
      );
    }
    return success(callId, `Wrote ${name}.md.`);
  },
});
