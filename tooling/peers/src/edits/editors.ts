import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { createEditTool } from '@earendil-works/pi-coding-agent';
import { createBuiltins } from '@haft/builtins';
import { allowAll, createDispatcher, createWorkspace, type ToolSource } from '@haft/core';
import { versionOf } from '../version-of.ts';
import type { EditCase } from '@haft-tooling/corpora/edits';

/** A tool that edits files. */
export interface Editor {
  readonly name: string;
  /** Whether it can replace every occurrence. */
  readonly replacesAll: boolean;
  /** Prepares the edit of a file, and returns the function that edits it. */
  open(path: string): Promise<EditFile>;
}

/** Makes edits of one file. Returns true if it reports success. */
export type EditFile = (edits: EditCase['edits'], all: boolean) => Promise<boolean>;

let calls = 0;

/**
 * Haft's own tools in a dispatcher: `edit`, and `multi_edit` for several edits. The file is read first, as a model must
 * do.
 */
export const haft: Editor = {
  name: 'Haft',
  replacesAll: true,
  async open(path) {
    const tools = openTools(dirname(path));
    const call = async (name: string, args: object): Promise<boolean> => {
      calls += 1;
      return (await tools.dispatch({ id: `c${calls}`, name, arguments: { path: basename(path), ...args } })).ok;
    };
    await call('read', {});
    return (edits, all) => {
      const written = edits.map(({ oldText, newText }) => ({ old_text: oldText, new_text: newText, replace_all: all }));
      const [only, ...more] = written;
      return only && more.length === 0 ? call('edit', only) : call('multi_edit', { edits: written });
    };
  },
};

let opened: { readonly folder: string; readonly tools: ToolSource } | undefined;

/** As in a program: created once for a folder, and reused. */
function openTools(folder: string): ToolSource {
  if (opened?.folder === folder) return opened.tools;
  const workspace = createWorkspace({ cwd: folder, permission: allowAll });
  const tools = createDispatcher({ registry: createBuiltins({ include: ['read', 'edit', 'multi_edit'] }), workspace });
  opened = { folder, tools };
  return tools;
}

const pi: Editor = {
  name: `pi-coding-agent ${versionOf('@earendil-works/pi-coding-agent')}: edit`,
  replacesAll: false,
  async open(path) {
    const tool = createEditTool(dirname(path));
    return (edits) => succeeds(() => tool.execute('e', { path: basename(path), edits: [...edits] }));
  },
};

/** A package without type declarations. */
const serverModule: string = '@modelcontextprotocol/server-filesystem/dist/lib.js';

interface FilesystemServer {
  applyFileEdits(path: string, edits: EditCase['edits'], dryRun: boolean): Promise<string>;
}

const serverFilesystem: Editor = {
  name: `server-filesystem ${versionOf('@modelcontextprotocol/server-filesystem')}: edit_file`,
  replacesAll: false,
  async open(path) {
    const server: FilesystemServer = await import(serverModule);
    return (edits) => succeeds(() => server.applyFileEdits(path, edits, false));
  },
};

/** The minimal edit: the text must occur exactly once, verbatim. */
const exactOnly: Editor = {
  name: 'exact match only',
  replacesAll: true,
  open: (path) =>
    Promise.resolve(async (edits, all) => {
      let text = await readFile(path, 'utf8');
      for (const { oldText, newText } of edits) {
        const parts = text.split(oldText);
        if (parts.length < 2 || (parts.length > 2 && !all)) return false;
        text = parts.join(newText);
      }
      await writeFile(path, text);
      return true;
    }),
};

/** The other editors, for comparison. */
export const peers: readonly Editor[] = [pi, serverFilesystem, exactOnly];

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
