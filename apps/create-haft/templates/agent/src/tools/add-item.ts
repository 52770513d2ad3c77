import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTool } from '@haft/core';
import { z } from 'zod';

const file = 'shopping.md';

/** A tool without a `kind` counts as changing something, so the user is asked before it runs. */
export const addItem = defineTool({
  name: 'add_item',
  description: 'Adds an item to the shopping list. Does nothing if the item is on the list.',
  input: z.object({ item: z.string().min(1).describe('What to buy, such as "6 eggs"') }),
  // The files that a call touches. Calls that touch different files run at the same time.
  footprint: (_, { cwd }) => ({ reads: [], writes: [`file:${join(cwd, file)}`] }),
  initialTitle: ({ item }) => `Add "${item}" to ${file}`,
  execute: async ({ item }, { workspace }) => {
    const path = join(workspace.cwd, file);
    const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n');
    if (lines.includes(`- ${item}`)) return `"${item}" is on the list already.`;
    await appendFile(path, `- ${item}\n`);
    return `Added "${item}".`;
  },
});
