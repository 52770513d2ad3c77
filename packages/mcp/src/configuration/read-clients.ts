import { isRecord } from '@haft/core/options';
import {
  listOf,
  mapStrings,
  referenceTo,
  textOf,
  unknownMembers,
  withoutNulls,
  type ImportedContents,
  type ImportedEntry,
  type JsonRecord,
} from './imported-entry.ts';
import { readOpencode } from './read-opencode.ts';
import { explainMembers } from './unsupported-setting.ts';

/** Reads the formats that hold one object per server. Returns undefined for any other value. */
export function readClients(value: JsonRecord): ImportedContents | undefined {
  const { mcp } = value;
  if (isRecord(value['mcpServers'])) return readCommon(value['mcpServers'], value);
  if (isRecord(value['context_servers'])) return readZed(value['context_servers'], value);
  if (isRecord(value['mcp_servers'])) return undefined;
  const code = isRecord(value['servers']) ? value : isRecord(mcp) && isRecord(mcp['servers']) ? mcp : undefined;
  if (code) return readVsCode(code);
  if (isRecord(mcp)) return readOpencode(mcp, value);
  return undefined;
}

function readGroup(servers: JsonRecord): readonly ImportedEntry[] {
  return Object.entries(servers).map(([name, entry]) => ({
    name,
    entry: withoutNulls(entry),
    unsupported: isRecord(entry) ? explainMembers(unknownMembers(entry)) : [],
  }));
}

/** Reads the servers of Claude, Cursor, Windsurf, Cline, Copilot and Gemini CLI. */
function readCommon(servers: JsonRecord, { projects, mcp }: JsonRecord): ImportedContents {
  // Gemini CLI lists the names of the servers that it uses.
  const { allowed, excluded } = isRecord(mcp) ? mcp : {};
  const whyOff = (name: string): string | undefined =>
    listOf(excluded).includes(name)
      ? '"mcp.excluded" names it'
      : Array.isArray(allowed) && !allowed.includes(name)
        ? '"mcp.allowed" does not name it'
        : undefined;
  return {
    format: 'mcpServers',
    entries: readGroup(servers).map((one): ImportedEntry => {
      const disabled = whyOff(one.name);
      return { ...one, entry: withShellReferences(one.entry), ...(disabled === undefined ? {} : { disabled }) };
    }),
    inputs: [],
    unsupported: isRecord(projects)
      ? [
          {
            member: 'projects',
            reason: 'the servers of single projects are not read',
            hint: 'Import the file .mcp.json of the project, or the text of one member of `projects`.',
          },
        ]
      : [],
  };
}

/**
 * Converts references without braces: Gemini CLI writes `$NAME` in variables and headers, and Copilot's agents write
 * `$COPILOT_MCP_NAME` anywhere, or the name alone as a value.
 */
function withShellReferences(given: unknown): unknown {
  const entry = mapStrings(given, (text) =>
    text.replace(/^\$?(COPILOT_MCP_[A-Z0-9_]+)$/, '${$1}').replace(/\$(COPILOT_MCP_[A-Z0-9_]+)/g, '${$1}'),
  );
  if (!isRecord(entry)) return entry;
  const convert = (values: unknown): unknown =>
    mapStrings(values, (text) => text.replace(/(?<=^|\s)\$([A-Z_][A-Z0-9_]*)$/, '${$1}'));
  const { env, headers } = entry;
  return {
    ...entry,
    ...(env === undefined ? {} : { env: convert(env) }),
    ...(headers === undefined ? {} : { headers: convert(headers) }),
  };
}

/** Zed writes `command: { path, args, env }` as well, and lists the servers of its extensions. */
function readZed(servers: JsonRecord, { agent }: JsonRecord): ImportedContents {
  const entries = readGroup(servers).map((one): ImportedEntry => {
    const { entry } = one;
    if (!isRecord(entry)) return one;
    if (entry['command'] === undefined && entry['url'] === undefined)
      return { ...one, problem: 'it has neither a "command" nor a "url": it comes from an extension of the editor' };
    if (!isRecord(entry['command'])) return one;
    const { path, args, env } = entry['command'];
    const own = Object.entries({ command: path, args, env }).filter(([, member]) => member !== undefined);
    return { ...one, entry: withoutNulls({ ...entry, ...Object.fromEntries(own) }) };
  });
  const profiles = isRecord(agent) && isRecord(agent['profiles']) ? Object.values(agent['profiles']) : [];
  const hasFilters = profiles.some((profile) => isRecord(profile) && isRecord(profile['context_servers']));
  return {
    format: 'zed',
    entries,
    inputs: [],
    unsupported: hasFilters
      ? [
          {
            member: 'agent.profiles',
            reason: 'the filters of single profiles are not read, so all tools are offered',
            hint: 'List the tools in "includeTools" or "excludeTools" of the server.',
          },
        ]
      : [],
  };
}

function readVsCode({ servers, inputs }: JsonRecord): ImportedContents {
  const asked = listOf(inputs)
    .filter(isRecord)
    .flatMap((input) => {
      const id = textOf(input['id']);
      return id === undefined ? [] : [{ id: `input:${id}`, input, fallback: textOf(input['default']) }];
    });
  const references = new Map(asked.map(({ id, fallback }) => [id, referenceTo(id, fallback, true)]));
  const expand = (text: string): string =>
    text.replace(/\$\{(input:[^{}]*)\}/g, (whole, id: string) => references.get(id) ?? whole);
  return {
    format: 'vscode',
    entries: readGroup(isRecord(servers) ? servers : {}).map((one) => ({
      ...one,
      entry: mapStrings(one.entry, expand),
    })),
    inputs: asked.map(({ id, input, fallback }) => ({
      id,
      description: textOf(input['description']) ?? '',
      isSecret: input['password'] === true,
      isRequired: fallback === undefined,
      ...(fallback === undefined ? {} : { default: fallback }),
    })),
    unsupported: asked.flatMap(({ id, input }) =>
      input['type'] === 'command'
        ? [
            {
              member: id,
              reason: 'the value comes from a command of the editor',
              hint: `Set "${id}" in the \`environment\` of the connection manager.`,
            },
          ]
        : [],
    ),
  };
}
