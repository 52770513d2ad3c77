import { basename, dirname } from 'node:path';
import { createEditTool, createReadTool, createWriteTool } from '@earendil-works/pi-coding-agent';
import { createBuiltins } from '@haft/builtins';
import { allowAll, createDispatcher, createWorkspace } from '@haft/core';
import { versionOf } from '../version-of.ts';

/** Tools that read, write and edit files of one folder. All of them reject, or return false, on refusal. */
export interface FileTools {
  read(path: string, lines?: number): Promise<string>;
  write(path: string, content: string): Promise<void>;
  edit(path: string, oldText: string, newText: string): Promise<void>;
}

/** Tools by name, created for their folder. */
export interface Toolset {
  readonly name: string;
  /** Whether they confine accesses to the folder at all. */
  readonly isConfined: boolean;
  open(folder: string): Promise<FileTools>;
}

/** A package without type declarations. */
const serverModule: string = '@modelcontextprotocol/server-filesystem/dist/lib.js';

interface FilesystemServer {
  setAllowedDirectories(folders: readonly string[]): void;
  validatePath(path: string): Promise<string>;
  headFile(path: string, lines: number): Promise<string>;
  readFileContent(path: string): Promise<string>;
  writeFileContent(path: string, content: string): Promise<void>;
  applyFileEdits(
    path: string,
    edits: readonly { oldText: string; newText: string }[],
    dryRun: boolean,
  ): Promise<string>;
}

export const haftTools: Toolset = {
  name: 'Haft',
  isConfined: true,
  async open(folder) {
    const workspace = createWorkspace({ cwd: folder, permission: allowAll });
    const tools = createDispatcher({ registry: createBuiltins({ include: ['read', 'write', 'edit'] }), workspace });
    let calls = 0;
    const call = async (name: string, args: object): Promise<string> => {
      calls += 1;
      const result = await tools.dispatch({ id: `c${calls}`, name, arguments: args });
      if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
      return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    };
    return {
      read: (path, lines) => call('read', { path, ...(lines === undefined ? {} : { limit: lines }) }),
      write: async (path, content) => void (await call('write', { path, content })),
      edit: async (path, oldText, newText) => void (await call('edit', { path, old_text: oldText, new_text: newText })),
    };
  },
};

const pi: Toolset = {
  name: `pi-coding-agent ${versionOf('@earendil-works/pi-coding-agent')}`,
  isConfined: false,
  async open(folder) {
    const tools = { read: createReadTool(folder), write: createWriteTool(folder), edit: createEditTool(folder) };
    return {
      async read(path, lines) {
        const { content } = await tools.read.execute('r', { path, ...(lines === undefined ? {} : { limit: lines }) });
        return content.map((part) => ('text' in part ? part.text : '')).join('');
      },
      write: async (path, content) => void (await tools.write.execute('w', { path, content })),
      edit: async (path, oldText, newText) =>
        void (await tools.edit.execute('e', { path, edits: [{ oldText, newText }] })),
    };
  },
};

const serverFilesystem: Toolset = {
  name: `server-filesystem ${versionOf('@modelcontextprotocol/server-filesystem')}`,
  isConfined: true,
  async open(folder) {
    const server: FilesystemServer = await import(serverModule);
    server.setAllowedDirectories([folder]);
    const at = (path: string): Promise<string> => server.validatePath(`${folder}/${path}`);
    return {
      read: async (path, lines) =>
        lines === undefined ? server.readFileContent(await at(path)) : server.headFile(await at(path), lines),
      write: async (path, content) => server.writeFileContent(await at(path), content),
      edit: async (path, oldText, newText) =>
        void (await server.applyFileEdits(await at(path), [{ oldText, newText }], false)),
    };
  },
};

/** Haft first, then the others. */
export const toolsets: readonly Toolset[] = [haftTools, pi, serverFilesystem];

/** The tools of that name for the folder of a file, and the file's name. */
export async function openFor(
  name: string,
  path: string,
): Promise<{ readonly tools: FileTools; readonly file: string }> {
  const toolset = toolsets.find((one) => one.name === name);
  if (toolset === undefined) throw new Error(`unknown tools "${name}"`);
  return { tools: await toolset.open(dirname(path)), file: basename(path) };
}
