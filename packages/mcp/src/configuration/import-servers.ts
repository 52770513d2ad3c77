import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { ParseError } from 'jsonc-parser';
import { findNearestNames } from '@haft/core';
import { isRecord } from '@haft/core/options';
import { describeCause } from '@haft/core/results';
import { cleanLine } from '../untrusted/clean-text.ts';
import { withoutReferences } from '../manager/expand-references.ts';
import { readEntry, whyDisabled, type ServerConfiguration, type ServerEntry } from '../manager/server-entry.ts';
import { McpError } from '../mcp-error.ts';
import { mapStrings, type ConfigurationInput, type JsonRecord } from './imported-entry.ts';
import { readBundle } from './read-bundle.ts';
import { readClients } from './read-clients.ts';
import { readCodex } from './read-codex.ts';
import { readRegistryServer } from './read-registry-server.ts';
import { readRegularFile, withoutMark } from './read-configuration-file.ts';
import { explainReference, type UnsupportedSetting } from './unsupported-setting.ts';

/** Options of {@link importServers}. */
export interface ImportOptions {
  /**
   * Directory for `${workspaceFolder}`, `${__dirname}` and relative paths of `cwd` and `envFile`. Default: the directory of the
   * file, or the workspace if the file is in `.vscode` or a similar folder.
   */
  readonly directory?: string;
}

/** The servers of a configuration of another client. */
export interface ImportedServers extends ServerConfiguration {
  /**
   * Base directory of relative paths in the configuration: the workspace if the file is in `.vscode` or a similar
   * folder.
   */
  readonly directory: string;
  /** Format of the configuration, such as `mcpServers`, `vscode` or `codex`. */
  readonly format: string;
  /** Values that the user has to provide, in the manager's `environment` under their `id`. */
  readonly inputs: readonly ConfigurationInput[];
  /** Settings that have no effect, by server. The empty name stands for the whole configuration. */
  readonly unsupported: readonly (UnsupportedSetting & { readonly name: string })[];
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
 * of MCP bundles. JSON may have comments. Tool filters are kept. Servers that are turned off are in `disabled`, invalid ones
 * in `problems`, and settings that have no effect in `unsupported`.
 *
 * @throws McpError `INVALID_OPTION` if the file can't be read or parsed, or has no known format.
 * @example
 * import { importServers } from '@haft/mcp';
 * const text = '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "server-files"] } } }';
 * Object.keys((await importServers(text)).servers); // => [ 'files' ]
 */
export async function importServers(source: string | URL, options: ImportOptions = {}): Promise<ImportedServers> {
  const file = fileOf(source);
  const where = file ?? 'the text';
  const text = file === undefined ? withoutMark(String(source)) : await readConfiguration(file);
  const directory = resolve(options.directory ?? (file === undefined ? '.' : directoryOf(file)));
  const value = await parse(text, file);
  if (isDeeperThan(value, maxDepth))
    throw new McpError('INVALID_OPTION', `${where}: nested more than ${maxDepth} levels`);
  const contents = readClients(value) ?? readCodex(value) ?? readBundle(value, directory) ?? readRegistryServer(value);
  if (contents === undefined) throw new McpError('INVALID_OPTION', `${where}: ${describeUnknownFormat(value)}`);

  const servers: [string, ServerEntry][] = [];
  const disabled: { name: string; reason: string }[] = [];
  const problems: { name: string; reason: string }[] = [];
  const unsupported = contents.unsupported.map((setting) => ({ name: '', ...cleanSetting(setting) }));
  for (const { name, entry: given, unsupported: settings, problem, disabled: outside } of contents.entries) {
    const why = outside ?? whyDisabled(given);
    if (why !== undefined) {
      disabled.push({ name, reason: why });
      continue;
    }
    const expanded = mapStrings(given, (one) => expandFolders(one, directory));
    const entry = withDirectory(await withEnvFile(expanded, directory), directory, isInClientFolder(file));
    const read = problem ?? (typeof entry === 'string' ? entry : readEntry(entry));
    if (typeof read === 'string') problems.push({ name, reason: cleanLine(read, maxReason) });
    else {
      servers.push([name, read]);
      const all = [...settings, ...unknownReferences(expanded).map(explainReference)];
      unsupported.push(...all.map((setting) => ({ name, ...cleanSetting(setting) })));
    }
  }
  return {
    directory,
    format: contents.format,
    servers: Object.fromEntries(servers),
    disabled,
    problems,
    inputs: contents.inputs,
    unsupported,
  };
}

/** Members that hold the servers in the formats that are read. */
const serverMembers: readonly string[] = ['mcpServers', 'servers', 'context_servers', 'mcp_servers', 'mcp'];

function describeUnknownFormat(value: JsonRecord): string {
  const [meant] = Object.keys(value).flatMap((name) =>
    serverMembers.includes(name)
      ? [`${name} must be an object`]
      : findNearestNames(name.slice(0, 64), serverMembers, 1).map(
          (known) => `did you mean ${known} instead of ${JSON.stringify(cleanLine(name, 64))}?`,
        ),
  );
  const expected = 'expected a member mcpServers, servers, context_servers, mcp_servers or mcp';
  return `no servers in any known format were found (${expected}${meant === undefined ? '' : `; ${meant}`})`;
}

const maxDepth = 100;
const maxReason = 400;

/** Cleans texts of the file, which may come from a registry or a repository. */
function cleanSetting({ member, reason, hint }: UnsupportedSetting): UnsupportedSetting {
  return { member: cleanLine(member, 100), reason: cleanLine(reason, maxReason), hint: cleanLine(hint, maxReason) };
}

/** Returns the path if the source is one, and undefined for a text. */
function fileOf(source: string | URL): string | undefined {
  if (source instanceof URL) return resolve(fileURLToPath(source));
  const isText = source.includes('\n') || (/[{=]/.test(source) && !existsSync(source));
  return isText ? undefined : resolve(source);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** Replaces references to folders. */
function expandFolders(text: string, directory: string): string {
  return text.replace(/\$\{(workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)\}/g, (_whole, name) =>
    name === 'workspaceFolder'
      ? directory
      : name === 'workspaceFolderBasename'
        ? basename(directory)
        : name === 'userHome'
          ? homedir()
          : sep,
  );
}

/** Returns references that only their own client can replace, such as `${file:/key}`. */
function unknownReferences(entry: unknown): readonly string[] {
  const found = new Set<string>();
  mapStrings(entry, (text) => {
    for (const [whole] of withoutReferences(text).matchAll(/\$\{[^{}]*\}/g)) found.add(whole);
    return text;
  });
  return [...found];
}

async function readConfiguration(file: string): Promise<string> {
  try {
    return await readRegularFile(file, maxBytes);
  } catch (cause) {
    throw new McpError('INVALID_OPTION', `${file}: can't be read: ${describeCause(cause)}`, { cause });
  }
}

function directoryOf(file: string): string {
  const directory = dirname(file);
  return isInClientFolder(file) ? dirname(directory) : directory;
}

/** Whether a file belongs to a workspace, such as `.vscode/mcp.json`. */
function isInClientFolder(file: string | undefined): boolean {
  return file !== undefined && clientFolders.has(basename(dirname(file)));
}

/** Resolves a relative `cwd`. Clients start the servers of a workspace in its directory. */
function withDirectory(entry: unknown, directory: string, isWorkspace: boolean): unknown {
  if (!isRecord(entry) || typeof entry['command'] !== 'string') return entry;
  const { cwd } = entry;
  // A path may begin with a reference, which is replaced later.
  if (typeof cwd === 'string') return /^[$~]/.test(cwd) ? entry : { ...entry, cwd: resolve(directory, cwd) };
  return cwd === undefined && isWorkspace ? { ...entry, cwd: directory } : entry;
}

/** Parses JSON with comments, or TOML. */
async function parse(text: string, file: string | undefined): Promise<JsonRecord> {
  const where = file ?? 'the text';
  const isJson = file === undefined ? /^\s*(?:\{|\/[/*])/.test(text) : !file.toLowerCase().endsWith('.toml');
  let value: unknown;
  if (isJson) {
    const { parse: parseJson, printParseErrorCode } = await import('jsonc-parser');
    const errors: ParseError[] = [];
    try {
      value = parseJson(text, errors, { allowTrailingComma: true });
    } catch (cause) {
      // The parser is recursive, so the depth is limited.
      throw new McpError('INVALID_OPTION', `${where}: nested more than ${maxDepth} levels`, { cause });
    }
    const [first] = errors;
    if (first) {
      const line = text.slice(0, first.offset).split('\n').length;
      // Such as `CloseBraceExpected`.
      const reason = printParseErrorCode(first.error)
        .replace(/\B[A-Z]/g, ' $&')
        .toLowerCase();
      throw new McpError('INVALID_OPTION', `${where}: invalid JSON in line ${line}: ${reason}`);
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

/** Adds the variables of `envFile` to an entry. Returns a message if the file can't be read. */
async function withEnvFile(entry: unknown, directory: string): Promise<unknown> {
  if (!isRecord(entry) || typeof entry['envFile'] !== 'string') return entry;
  const { envFile, env, ...rest } = entry;
  try {
    const variables = parseEnv(await readRegularFile(resolve(directory, envFile), maxBytes));
    return { ...rest, env: { ...variables, ...(isRecord(env) ? env : {}) } };
  } catch (cause) {
    return `envFile ${cleanLine(envFile, 200)} can't be read: ${describeCause(cause)}`;
  }
}
