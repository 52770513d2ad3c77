import { realpathSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { importServers, McpError, type ImportedServers, type ServerEntry } from '@haft/mcp';
import { UsageError } from '../program/usage-error.ts';

/** The value of `--mcp`: the servers of a file, or a typed command. */
export type GivenServers =
  | {
      readonly kind: 'file';
      readonly path: string;
      /** Whether the file is in the working folder, whose author may be a stranger, and where calls may write. */
      readonly isInFolder: boolean;
      readonly configuration: ImportedServers;
      /** Places an entry of the file: its paths are relative to the configuration's directory. */
      readonly place: (entry: ServerEntry) => ServerEntry;
    }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] };

/**
 * Reads the value of `--mcp`: the path of another MCP client's configuration (JSON or TOML), or a command line whose
 * words are separated by blanks unless quoted.
 * @throws UsageError if it is neither.
 */
export async function readGivenServers(given: string, cwd: string): Promise<GivenServers> {
  const path = resolve(cwd, given);
  const isFile = /\.(?:jsonc?|toml)$/.test(given);
  if (isFile && statSync(path, { throwIfNoEntry: false })?.isFile()) return readFile(path, given, cwd);
  if (isFile) throw new UsageError(`--mcp ${given}: no such file`);
  const [command, ...args] = splitWords(given);
  if (command === undefined) throw new UsageError('--mcp needs a JSON file or a command');
  return { kind: 'command', command, args };
}

async function readFile(path: string, given: string, cwd: string): Promise<GivenServers> {
  try {
    const imported = await importServers(path);
    const place = (entry: ServerEntry): ServerEntry =>
      entry.command === undefined ? entry : { ...entry, cwd: resolve(imported.directory, entry.cwd ?? '.') };
    const placed = Object.entries(imported.servers).map(([name, entry]) => [name, place(entry)] as const);
    const isInFolder = isInside(path, cwd);
    return {
      kind: 'file',
      path,
      isInFolder,
      place,
      configuration: { ...imported, servers: Object.fromEntries(placed) },
    };
  } catch (error) {
    // Messages about the file begin with its path.
    if (error instanceof McpError) throw new UsageError(`--mcp ${given}: ${error.message.replace(`${path}: `, '')}`);
    throw error;
  }
}

/** Splits a command line into words. Single and double quotes keep blanks together; nothing else is special. */
function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_whole, double?: string, single?: string) => double ?? single ?? ''),
  );
}

/** Whether a file is in a folder, under its given name or its real one. */
function isInside(path: string, folder: string): boolean {
  const real = realpathSync(folder);
  return [relative(folder, path), relative(real, realpathSync(path))].some((way) => !way.startsWith('..'));
}
