import { isRecord } from '@haft/core/options';
import { listOf, textOf, type ImportedContents, type ImportedEntry, type JsonRecord } from './imported-entry.ts';
import { explainMembers } from './unsupported-setting.ts';

/** Members of a Codex entry that are read. */
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
    const inherited = listOf(given['env_vars']).flatMap(
      (one) => textOf(one) ?? (isRecord(one) ? (textOf(one['name']) ?? []) : []),
    );
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
      unsupported: explainMembers(Object.keys(given).filter((member) => !codexMembers.has(member))),
    };
  });
  return { format: 'codex', entries, inputs: [], unsupported: [] };
}
