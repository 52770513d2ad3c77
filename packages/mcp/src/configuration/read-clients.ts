import { isRecord } from '@haft/core/options';
import {
  listOf,
  mapStrings,
  textOf,
  type ImportedContents,
  type ImportedEntry,
  type JsonRecord,
} from './imported-entry.ts';

/** Members with a meaning here, or without one anywhere. */
const honoured: ReadonlySet<string> = new Set([
  'command',
  'args',
  'env',
  'envFile',
  'cwd',
  'url',
  'httpUrl',
  'serverUrl',
  'headers',
  'disabled',
  'enabled',
  'includeTools',
  'excludeTools',
  'disabledTools',
  'tools',
  'type',
  'transport',
  'transportType',
  'source',
  'name',
  'title',
  'description',
  'note',
  'icon',
  'version',
  'gallery',
]);

/** Reads the formats that hold one object per server. Returns undefined for any other value. */
export function readClients(value: JsonRecord): ImportedContents | undefined {
  const { mcp } = value;
  if (isRecord(value['mcpServers'])) {
    const entries = readGroup(value['mcpServers'], copilotReferences);
    const projects = isRecord(value['projects']) ? ['projects: the servers of single projects are not read'] : [];
    return { format: 'mcpServers', entries, inputs: [], unsupported: projects };
  }
  if (isRecord(value['context_servers']))
    return {
      format: 'zed',
      entries: readGroup(flattenCommands(value['context_servers'])),
      inputs: [],
      unsupported: [],
    };
  if (isRecord(value['mcp_servers'])) return undefined;
  const code = isRecord(value['servers']) ? value : isRecord(mcp) && isRecord(mcp['servers']) ? mcp : undefined;
  if (code) return readVsCode(code);
  if (isRecord(mcp)) return readOpencode(mcp);
  return undefined;
}

function readGroup(servers: unknown, change: (text: string) => string = (text) => text): readonly ImportedEntry[] {
  return Object.entries(isRecord(servers) ? servers : {}).map(([name, entry]) => ({
    name,
    entry: mapStrings(entry, change),
    unsupported: isRecord(entry) ? Object.keys(entry).filter((member) => !honoured.has(member)) : [],
  }));
}

/** Copilot's agents write references to secrets as `$COPILOT_MCP_NAME` or as the name alone. */
function copilotReferences(text: string): string {
  return text.replace(/^\$?(COPILOT_MCP_[A-Z0-9_]+)$/, '${$1}').replace(/\$(COPILOT_MCP_[A-Z0-9_]+)/g, '${$1}');
}

/** Zed writes `command: { path, args, env }` as well. */
function flattenCommands(servers: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(servers).map(([name, entry]) => {
      if (!isRecord(entry) || !isRecord(entry['command'])) return [name, entry];
      const { path, args, env } = entry['command'];
      return [
        name,
        { ...entry, command: path, ...(args === undefined ? {} : { args }), ...(env === undefined ? {} : { env }) },
      ];
    }),
  );
}

function readVsCode({ servers, inputs }: JsonRecord): ImportedContents {
  const asked = listOf(inputs).filter(isRecord);
  return {
    format: 'vscode',
    entries: readGroup(servers),
    inputs: asked.flatMap((input) => {
      const id = textOf(input['id']);
      if (id === undefined) return [];
      const fallback = textOf(input['default']);
      return [
        {
          id: `input:${id}`,
          description: textOf(input['description']) ?? '',
          isSecret: input['password'] === true,
          isRequired: true,
          ...(fallback === undefined ? {} : { default: fallback }),
        },
      ];
    }),
    unsupported: asked.flatMap((input) =>
      input['type'] === 'command' ? [`inputs: ${String(input['id'])} runs a command of the editor`] : [],
    ),
  };
}

function readOpencode(servers: JsonRecord): ImportedContents {
  const entries = Object.entries(servers).map(([name, given]): ImportedEntry => {
    if (!isRecord(given)) return { name, entry: given, unsupported: [] };
    const { command: line, environment, ...rest } = given;
    const [command, ...args] = listOf(line);
    const entry = {
      ...rest,
      ...(command === undefined ? {} : { command, args }),
      ...(environment === undefined ? {} : { env: environment }),
    };
    const files = JSON.stringify(given).includes('{file:') ? ['{file:…}: references to files'] : [];
    return {
      name,
      entry: mapStrings(entry, (text) => text.replace(/(?<!\$)\{env:([A-Za-z_]\w*)\}/g, '${$1}')),
      unsupported: [...Object.keys(rest).filter((member) => !honoured.has(member)), ...files],
    };
  });
  return { format: 'opencode', entries, inputs: [], unsupported: [] };
}

/** Members of Codex with a meaning here. */
const codexMembers: ReadonlySet<string> = new Set([
  'command',
  'args',
  'env',
  'env_vars',
  'cwd',
  'url',
  'bearer_token_env_var',
  'http_headers',
  'env_http_headers',
  'enabled',
  'enabled_tools',
  'disabled_tools',
]);

/** Reads the configuration of Codex (TOML). Returns undefined for any other value. */
export function readCodex(value: JsonRecord): ImportedContents | undefined {
  const { mcp_servers: servers } = value;
  if (!isRecord(servers)) return undefined;
  const entries = Object.entries(servers).map(([name, given]): ImportedEntry => {
    if (!isRecord(given)) return { name, entry: given, unsupported: [] };
    const { command, args, env, cwd, url, enabled, enabled_tools, disabled_tools } = given;
    const inherited = listOf(given['env_vars']).filter((one) => typeof one === 'string');
    const bearer = textOf(given['bearer_token_env_var']);
    const named = Object.entries(isRecord(given['env_http_headers']) ? given['env_http_headers'] : {});
    const headers = {
      ...(isRecord(given['http_headers']) ? given['http_headers'] : {}),
      ...Object.fromEntries(named.map(([header, variable]) => [header, `\${${String(variable)}}`])),
      ...(bearer === undefined ? {} : { authorization: `Bearer \${${bearer}}` }),
    };
    const variables = {
      ...Object.fromEntries(inherited.map((variable) => [variable, `\${${variable}:-}`])),
      ...(isRecord(env) ? env : {}),
    };
    const members = { command, args, cwd, url, enabled, includeTools: enabled_tools, excludeTools: disabled_tools };
    const present = Object.entries(members).filter(([, member]) => member !== undefined);
    return {
      name,
      entry: {
        ...Object.fromEntries(present),
        ...(Object.keys(variables).length > 0 ? { env: variables } : {}),
        ...(Object.keys(headers).length > 0 ? { headers } : {}),
      },
      unsupported: Object.keys(given).filter((member) => !codexMembers.has(member)),
    };
  });
  return { format: 'codex', entries, inputs: [], unsupported: [] };
}
