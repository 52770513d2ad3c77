import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { McpError, readServers, type ServerConfiguration, type ServerEntry } from '@haft/mcp';
import { UsageError } from '../program/usage-error.ts';

/** The value of `--mcp`: the servers of a file, or a typed command. */
export type GivenServers =
  | { readonly kind: 'file'; readonly configuration: ServerConfiguration }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] };

/**
 * Reads the value of `--mcp`: the path of a JSON file with `mcpServers`, as other MCP clients use it, or a command line
 * whose words are separated by blanks unless quoted.
 * @throws UsageError if it is neither.
 */
export function readGivenServers(given: string, cwd: string): GivenServers {
  const path = resolve(cwd, given);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() && given.endsWith('.json'))
    return { kind: 'file', configuration: readFile(path, given) };
  if (given.endsWith('.json')) throw new UsageError(`--mcp ${given}: no such file`);
  const [command, ...args] = splitWords(given);
  if (command === undefined) throw new UsageError('--mcp needs a JSON file or a command');
  return { kind: 'command', command, args };
}

/** Paths in the file are relative to its folder. */
function readFile(path: string, given: string): ServerConfiguration {
  const folder = dirname(path);
  const place = (entry: ServerEntry): ServerEntry =>
    entry.command === undefined ? entry : { ...entry, cwd: resolve(folder, entry.cwd ?? '.') };
  try {
    const { servers, problems } = readServers(JSON.parse(readFileSync(path, 'utf8')));
    const placed = Object.entries(servers).map(([name, entry]) => [name, place(entry)] as const);
    return { servers: Object.fromEntries(placed), problems };
  } catch (error) {
    if (error instanceof McpError) throw new UsageError(`--mcp ${given}: ${error.message}`);
    throw new UsageError(`--mcp ${given} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Splits a command line into words. Single and double quotes keep blanks together; nothing else is special. */
function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_whole, double?: string, single?: string) => double ?? single ?? ''),
  );
}
