import { findNearestNames } from '@haft/core';
import { isRecord, showValue } from '@haft/core/options';
import { z } from 'zod';
import { McpError } from '../mcp-error.ts';
import { cleanLine } from '../untrusted/clean-text.ts';

/**
 * A server in a configuration file. Strings may contain references to environment variables: `${NAME}`,
 * `${NAME:-default}`, `${env:NAME}`.
 */
export interface ServerEntry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of the tools to use, as the server names them. Default: all. */
  readonly includeTools?: readonly string[];
  /** Names of tools to leave out, applied after `includeTools`. */
  readonly excludeTools?: readonly string[];
}

/** The servers of a configuration. */
export interface ServerConfiguration {
  readonly servers: Readonly<Record<string, ServerEntry>>;
  /** Servers that the configuration turns off, with the setting that does that. They are not in `servers`. */
  readonly disabled: readonly { readonly name: string; readonly reason: string }[];
  /** Invalid entries with the reason. They don't affect other entries. */
  readonly problems: readonly { readonly name: string; readonly reason: string }[];
}

const strings = z.array(z.string());
const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

/** Members that common clients write. Unknown members are dropped. */
const clientEntry = z.object({
  command: z.string().min(1).optional(),
  args: strings.optional(),
  env: values.optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  httpUrl: z.string().optional(),
  serverUrl: z.string().optional(),
  headers: values.optional(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  includeTools: strings.optional(),
  excludeTools: strings.optional(),
  disabledTools: strings.optional(),
  tools: z.union([strings, z.boolean(), z.literal('*')]).optional(),
});

/** Members of a configuration that hold servers. */
export const serverGroups: readonly string[] = ['mcpServers', 'servers', 'context_servers'];

/**
 * Reads the servers of a configuration in the format of common clients: an object with `mcpServers`, `servers` or
 * `context_servers`, possibly inside `mcp`. Disabled servers are listed in `disabled`, and invalid ones in `problems`.
 *
 * @throws McpError `INVALID_OPTION` if no servers are found.
 */
export function readServers(value: unknown): ServerConfiguration {
  const found = findServers(value) ?? (isRecord(value) ? findServers(value['mcp']) : undefined);
  if (!found)
    throw new McpError(
      'INVALID_OPTION',
      `a configuration of MCP servers looks like {"mcpServers": {"name": {"command": "npx", "args": ["-y", "a-server"]}}}, not ${isRecord(value) ? `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no members'}` : showValue(value)}`,
    );
  const servers: [string, ServerEntry][] = [];
  const disabled: { name: string; reason: string }[] = [];
  const problems: { name: string; reason: string }[] = [];
  for (const [name, given] of Object.entries(found)) {
    const why = whyDisabled(given);
    const read = why ?? readEntry(given);
    if (why !== undefined) disabled.push({ name, reason: why });
    else if (typeof read === 'string') problems.push({ name, reason: read });
    else servers.push([name, read]);
  }
  return { servers: Object.fromEntries(servers), disabled, problems };
}

function findServers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? serverGroups.map((group) => value[group]).find(isRecord) : undefined;
}

/** Members whose misspelling would silently start a different server. */
const checkedMembers = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'disabled',
  'enabled',
  'includeTools',
  'excludeTools',
];

/** Common wrong names of members. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['cmd', 'command'],
  ['exec', 'command'],
  ['executable', 'command'],
  ['program', 'command'],
  ['arguments', 'args'],
  ['argv', 'args'],
  ['environment', 'env'],
  ['endpoint', 'url'],
  ['uri', 'url'],
]);

/** Returns a message for a misspelled member. Unknown members of other clients are accepted. */
function findMisspelling(given: unknown): string | undefined {
  if (!isRecord(given)) return undefined;
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(clientEntry.shape, name)) continue;
    const meant = otherNames.get(name.toLowerCase());
    if (meant !== undefined && !(meant in given)) return `unknown member ${name}; did you mean ${meant}?`;
    const other = [...otherNames].find(([each, member]) => !(member in given) && isMisspelling(name, each))?.[1];
    if (other !== undefined) return `unknown member ${name}; did you mean ${other}?`;
    const near = findNearestNames(name, checkedMembers, 1)[0];
    if (near !== undefined && isMisspelling(name, near)) return `unknown member ${name}; did you mean ${near}?`;
  }
  return undefined;
}

/** Returns whether two names differ by one letter, two swapped letters, case or separators. */
function isMisspelling(name: string, near: string): boolean {
  const [a, b] = [name, near].map((text) => text.toLowerCase().replace(/[^a-z]/g, '')) as [string, string];
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from += 1;
  let to = 0;
  while (to < Math.min(a.length, b.length) - from && a.at(-1 - to) === b.at(-1 - to)) to += 1;
  const isSwapped = a.length === b.length && a[from] === b[from + 1] && a[from + 1] === b[from];
  return Math.max(a.length, b.length) - from - to <= (isSwapped ? 2 : 1);
}

/** Returns the setting of an entry that turns the server off, or undefined. */
export function whyDisabled(given: unknown): string | undefined {
  if (!isRecord(given)) return undefined;
  if (given['disabled'] === true) return 'its entry says "disabled": true';
  return given['enabled'] === false ? 'its entry says "enabled": false' : undefined;
}

/** Returns an entry, or the reason why it is invalid. */
export function readEntry(given: unknown): ServerEntry | string {
  const parsed = clientEntry.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${(issue?.path ?? []).map(String).join('.') || 'the entry'}: ${issue?.message ?? 'cannot be read'}`;
  }
  const { command, args, env, cwd, headers, tools, ...rest } = parsed.data;
  // Copilot writes "*" for all tools.
  const listed = tools === undefined || tools === true || tools === '*' ? ['*'] : tools === false ? [] : tools;
  const includeTools = rest.includeTools ?? (listed.includes('*') ? undefined : listed);
  const misspelling = findMisspelling(given);
  if (misspelling !== undefined) return misspelling;
  const url = rest.httpUrl ?? rest.url ?? rest.serverUrl;
  if ((command === undefined) === (url === undefined))
    return 'it needs either a "command" to start or a "url" to connect to';
  if (url !== undefined && URL.canParse(url) && !/^https?:/i.test(url))
    return `url: expected http: or https:, got ${cleanLine(new URL(url).protocol, 20)}`;
  const excludeTools = [...(rest.excludeTools ?? []), ...(rest.disabledTools ?? [])];
  return {
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(url === undefined ? {} : { url }),
    ...(headers === undefined ? {} : { headers }),
    ...(includeTools === undefined ? {} : { includeTools }),
    ...(excludeTools.length === 0 ? {} : { excludeTools }),
  };
}
