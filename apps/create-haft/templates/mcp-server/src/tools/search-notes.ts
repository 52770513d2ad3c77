import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTool } from '@haft/core';
import { z } from 'zod';

const maximum = 20;

export const searchNotes = defineTool({
  name: 'search_notes',
  description: 'Finds notes that contain a text, in any letter case. Returns the name and the matching line of each.',
  // Clients learn that this tool changes nothing, so they need not ask their user.
  kind: 'read',
  input: z.object({ text: z.string().min(1).describe('Text to look for, such as "pancakes"') }),
  execute: async ({ text }, { workspace }) => {
    const found: string[] = [];
    for (const name of (await readdir(workspace.cwd)).toSorted()) {
      if (!name.endsWith('.md')) continue;
      const lines = (await readFile(join(workspace.cwd, name), 'utf8')).split('\n');
      const line = lines.find((each) => each.toLowerCase().includes(text.toLowerCase()));
      if (line !== undefined) found.push(`${name}: ${line}`);
    }
    if (found.length === 0) return `No note contains "${text}". Search for a shorter text.`;
    const rest = found.length > maximum ? `\nand ${found.length - maximum} more: search for a longer text` : '';
    return found.slice(0, maximum).join('\n') + rest;
  },
});
