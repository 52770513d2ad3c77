import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { ParseError } from 'jsonc-parser';
import { isRecord } from '@haft/core/options';
import { describeCause } from '@haft/core/results';
import { cleanLine } from '../untrusted/clean-text.ts';
import { readEntry, type ServerConfiguration, type ServerEntry } from '../manager/server-entry.ts';
import { McpError } from '../mcp-error.ts';
import { mapStrings, type ConfigurationInput, type ImportedContents, type JsonRecord } from './imported-entry.ts';
import { readClients, readCodex } from './read-clients.ts';
import { readBundle, readRegistryServer } from './read-packages.ts';

/** Options of {@link importServers}. */
export interface ImportOptions {
  /** Directory for `${workspaceFolder}`, `${__dirname}` and relative paths of `envFile`. Default: that of the file. */
  readonly directory?: string;
}

/** The servers of a configuration of another client. */
export interface ImportedServers extends ServerConfiguration {
  /** Format of the configuration, such as `mcpServers`, `vscode` or `codex`. */
  readonly format: string;
  /** Values that the user has to provide, in the manager's `environment` under their `id`. */
  readonly inputs: readonly ConfigurationInput[];
  /** What the configuration asks for and is not done, by server. Empty name: the whole configuration. */
  readonly unsupported: readonly { readonly name: string; readonly member: string }[];
}

const maxBytes = 4 * 1024 * 1024;
/** Folders that hold the configuration of a workspace. */
const clientFolders: ReadonlySet<string> = new Set([
  '.vscode',
  '.cursor',
  '.codex',
  '.gemini',
  '.roo',
  '.windsurf',
  '.zed',
]);

/**
 * Reads the servers of another client's configuration, from a file or a text: Claude Desktop and Code, VS Code, Cursor,
 * Windsurf, Zed, Cline, Gemini CLI, Codex (TOML), opencode, GitHub Copilot, `server.json` of the registry, and manifests
 * of MCP bundles. JSON may have comments. Tool filters are kept. Invalid servers are in `problems`; what a server asks
 * for and is not done is in `unsupported`.
 *
 * @throws McpError `INVALID_OPTION` if the file can't be read or parsed, or has no known format.
 * @example
 * import { importServers } from '@haft/mcp';
 * const text = '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "server-files"] } } }';
 * Object.keys((await importServers(text)).servers); // => [ 'files' ]
 */
export async function importServers(source: string | URL, options: ImportOptions = {}): Promise<ImportedServers> {
  const isText = typeof source === 'string' && /[\n{=]/.test(source);
  const file = isText ? undefined : resolve(source instanceof URL ? fileURLToPath(source) : source);
  const text = file === undefined ? String(source) : await readConfiguration(file);
  const directory = resolve(options.directory ?? (file === undefined ? '.' : directoryOf(file)));
  const contents = findFormat(await parse(text, file), directory);
  if (contents === undefined)
    throw new McpError('INVALID_OPTION', `${file ?? 'the text'}: no servers in any known format were found`);

  const expand = (given: string): string =>
    given
      .replaceAll('${workspaceFolder}', directory)
      .replaceAll('${workspaceFolderBasename}', basename(directory))
      .replaceAll('${userHome}', homedir())
      .replace(/\$\{(?:pathSeparator|\/)\}/g, sep);
  const servers: [string, ServerEntry][] = [];
  const problems: { name: string; reason: string }[] = [];
  const unsupported = contents.unsupported.map((member) => ({ name: '', member }));
  for (const { name, entry: given, unsupported: members } of contents.entries) {
    const entry = await withEnvFile(mapStrings(given, expand), directory);
    const read = typeof entry === 'string' ? entry : readEntry(entry);
    if (typeof read === 'string') problems.push({ name, reason: read });
    else if (read) {
      servers.push([name, read]);
      for (const member of members) unsupported.push({ name, member });
    }
  }
  return {
    format: contents.format,
    servers: Object.fromEntries(servers),
    problems,
    inputs: contents.inputs,
    unsupported,
  };
}

async function readConfiguration(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    if (bytes.byteLength > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    throw new McpError('INVALID_OPTION', `${file}: can't be read: ${describeCause(cause)}`, { cause });
  }
}

function directoryOf(file: string): string {
  const directory = dirname(file);
  return clientFolders.has(basename(directory)) ? dirname(directory) : directory;
}

/** Parses JSON with comments, or TOML. */
async function parse(text: string, file: string | undefined): Promise<JsonRecord> {
  const where = file ?? 'the text';
  const isJson = file === undefined ? /^\s*(?:\{|\/[/*])/.test(text) : !file.toLowerCase().endsWith('.toml');
  let value: unknown;
  if (isJson) {
    const { parse: parseJson, printParseErrorCode } = await import('jsonc-parser');
    const errors: ParseError[] = [];
    value = parseJson(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first) {
      const line = text.slice(0, first.offset).split('\n').length;
      throw new McpError(
        'INVALID_OPTION',
        `${where}: invalid JSON in line ${line}: ${printParseErrorCode(first.error)}`,
      );
    }
  } else {
    const { parse: parseToml } = await import('smol-toml');
    try {
      value = parseToml(text);
    } catch (cause) {
      throw new McpError('INVALID_OPTION', `${where}: invalid TOML: ${cleanLine(describeCause(cause), 200)}`, {
        cause,
      });
    }
  }
  if (!isRecord(value))
    throw new McpError('INVALID_OPTION', `${where}: expected an object, got ${describeCause(value)}`);
  return value;
}

function findFormat(value: JsonRecord, directory: string): ImportedContents | undefined {
  return readClients(value) ?? readCodex(value) ?? readBundle(value, directory) ?? readRegistryServer(value);
}

/** Adds the variables of `envFile` to an entry. Returns a message if the file can't be read. */
async function withEnvFile(entry: unknown, directory: string): Promise<unknown> {
  if (!isRecord(entry) || typeof entry['envFile'] !== 'string') return entry;
  const { envFile, env, ...rest } = entry;
  try {
    const variables = parseEnv(await readFile(resolve(directory, envFile), 'utf8'));
    return { ...rest, env: { ...variables, ...(isRecord(env) ? env : {}) } };
  } catch (cause) {
    return `envFile ${cleanLine(envFile, 200)} can't be read: ${describeCause(cause)}`;
  }
}
