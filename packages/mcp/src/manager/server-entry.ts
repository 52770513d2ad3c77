import { findNearestNames } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { z } from 'zod';
import { McpError } from '../mcp-error.ts';

/**
 * How a server is started or reached, as configuration files say it. Texts may refer to variables of the environment:
 * `${NAME}`, `${NAME:-otherwise}`, `${env:NAME}`.
 */
export interface ServerEntry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The server's tools that are taken, by its own names; default all. */
  readonly includeTools?: readonly string[];
  /** Tools that are left out all the same. */
  readonly excludeTools?: readonly string[];
}

/** What a configuration holds. */
export interface ServerConfiguration {
  readonly servers: Readonly<Record<string, ServerEntry>>;
  /** Entries that can't be used, with what is wrong; they hide no other. */
  readonly problems: readonly { readonly name: string; readonly reason: string }[];
}

const texts = z.array(z.string());
const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

/** What the files of the common clients hold about one server; members that mean nothing here are left out. */
const writtenEntry = z.object({
  command: z.string().min(1).optional(),
  args: texts.optional(),
  env: values.optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  httpUrl: z.string().optional(),
  serverUrl: z.string().optional(),
  headers: values.optional(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  includeTools: texts.optional(),
  excludeTools: texts.optional(),
  disabledTools: texts.optional(),
});

/** An entry as it is kept: nothing but what is known. */
export const serverEntrySchema: z.ZodType<ServerEntry> = z.object({
  command: z.string().exactOptional(),
  args: texts.exactOptional(),
  env: z.record(z.string(), z.string()).exactOptional(),
  cwd: z.string().exactOptional(),
  url: z.string().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  includeTools: texts.exactOptional(),
  excludeTools: texts.exactOptional(),
});

/** Members of a configuration that hold servers. */
export const serverGroups: readonly string[] = ['mcpServers', 'servers', 'context_servers'];

/**
 * Reads the servers of a configuration as the common clients keep it: an object with `mcpServers` (or `servers`, or
 * `context_servers`), also one that holds these as its `mcp`. A server that is turned off is left out; one that can't be read is a problem of its own.
 *
 * @throws McpError `INVALID_OPTION` when there are no servers to be found at all.
 */
export function readServers(value: unknown): ServerConfiguration {
  const found = findServers(value) ?? (isRecord(value) ? findServers(value['mcp']) : undefined);
  if (!found)
    throw new McpError(
      'INVALID_OPTION',
      `a configuration of MCP servers looks like {"mcpServers": {"name": {"command": "npx", "args": ["-y", "a-server"]}}}, not ${describeCause(value)}`,
    );
  const servers: [string, ServerEntry][] = [];
  const problems: { name: string; reason: string }[] = [];
  for (const [name, given] of Object.entries(found)) {
    const read = readEntry(given);
    if (typeof read === 'string') problems.push({ name, reason: read });
    else if (read) servers.push([name, read]);
  }
  return { servers: Object.fromEntries(servers), problems };
}

function findServers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? serverGroups.map((group) => value[group]).find(isRecord) : undefined;
}

/** Members whose near misses would start another server than was meant, without a word. */
const meant = [
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

/** A member that is another's name but for a slip; clients have many of their own, which mean nothing here. */
function findSlip(given: unknown): string | undefined {
  if (!isRecord(given)) return undefined;
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(writtenEntry.shape, name)) continue;
    const near = findNearestNames(name, meant, 1)[0];
    if (near !== undefined && isSlip(name, near)) return `there is no ${name}; did you mean ${near}?`;
  }
  return undefined;
}

/** A letter too many, too few or another, and differences of case and separators. */
function isSlip(name: string, near: string): boolean {
  const [a, b] = [name, near].map((text) => text.toLowerCase().replace(/[^a-z]/g, '')) as [string, string];
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from += 1;
  let to = 0;
  while (to < Math.min(a.length, b.length) - from && a.at(-1 - to) === b.at(-1 - to)) to += 1;
  const isSwapped = a.length === b.length && a[from] === b[from + 1] && a[from + 1] === b[from];
  return Math.max(a.length, b.length) - from - to <= (isSwapped ? 2 : 1);
}

/** An entry, why it is none, or nothing when it is turned off. */
function readEntry(given: unknown): ServerEntry | string | undefined {
  const parsed = writtenEntry.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${(issue?.path ?? []).map(String).join('.') || 'the entry'}: ${issue?.message ?? 'can not be read'}`;
  }
  const { command, args, env, cwd, headers, includeTools, ...rest } = parsed.data;
  if (rest.disabled === true || rest.enabled === false) return undefined;
  const slip = findSlip(given);
  if (slip !== undefined) return slip;
  const url = rest.httpUrl ?? rest.url ?? rest.serverUrl;
  if ((command === undefined) === (url === undefined))
    return 'it needs either a "command" to start or a "url" to connect to';
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
