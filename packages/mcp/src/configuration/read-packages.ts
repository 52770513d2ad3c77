import { sep } from 'node:path';
import { isRecord } from '@haft/core/options';
import {
  listOf,
  mapStrings,
  textOf,
  type ConfigurationInput,
  type ImportedContents,
  type JsonRecord,
} from './imported-entry.ts';

/** Reads a `server.json` of the MCP registry: the first package or remote that can be used. */
export function readRegistryServer(value: JsonRecord): ImportedContents | undefined {
  const packages = listOf(value['packages']).filter(isRecord);
  const remotes = listOf(value['remotes']).filter(isRecord);
  const name = textOf(value['name']);
  if (name === undefined || packages.length + remotes.length === 0) return undefined;
  const inputs: ConfigurationInput[] = [];
  const unsupported: string[] = [];
  const found =
    packages.map((one) => commandOf(one, inputs, unsupported)).find((one) => one !== undefined) ??
    remotes.map((one) => remoteOf(one, inputs)).find((one) => one !== undefined);
  if (found === undefined) unsupported.push('packages: no package or remote of a known kind');
  return {
    format: 'registry',
    entries: found === undefined ? [] : [{ name: name.split('/').at(-1) ?? name, entry: found, unsupported }],
    inputs,
    unsupported: found === undefined ? unsupported : [],
  };
}

/** Returns the command and arguments that run a package, by its registry. */
const runners: Readonly<Record<string, (identifier: string, version: string | undefined) => readonly string[]>> = {
  npm: (identifier, version) => ['npx', '-y', version === undefined ? identifier : `${identifier}@${version}`],
  pypi: (identifier, version) => ['uvx', version === undefined ? identifier : `${identifier}==${version}`],
  nuget: (identifier, version) => ['dnx', version === undefined ? identifier : `${identifier}@${version}`, '--yes'],
};

function commandOf(given: JsonRecord, inputs: ConfigurationInput[], unsupported: string[]): JsonRecord | undefined {
  const identifier = textOf(given['identifier']) ?? textOf(given['name']);
  const kind = textOf(given['registryType']) ?? textOf(given['registry_type']) ?? textOf(given['registry_name']) ?? '';
  const { transport } = given;
  if (
    identifier === undefined ||
    (isRecord(transport) && transport['type'] !== undefined && transport['type'] !== 'stdio')
  )
    return undefined;
  const version = textOf(given['version']);
  const variables = listOf(given['environmentVariables'] ?? given['environment_variables']).filter(isRecord);
  const names = variables.flatMap((one) => textOf(one['name']) ?? []);
  const runtimeArgs = argumentsOf(given['runtimeArguments'] ?? given['runtime_arguments'], inputs, unsupported);
  const [command, ...args] =
    kind === 'oci' || kind === 'docker'
      ? [
          'docker',
          'run',
          '-i',
          '--rm',
          ...names.flatMap((name) => ['-e', name]),
          ...runtimeArgs,
          withTag(identifier, version),
        ]
      : Object.hasOwn(runners, kind)
        ? runners[kind]!(identifier, version)
        : [];
  if (command === undefined) return undefined;
  for (const one of variables) inputs.push(...inputOf(textOf(one['name']) ?? '', one));
  const env = Object.fromEntries(
    variables.flatMap((one) => {
      const variable = textOf(one['name']);
      if (variable === undefined) return [];
      const value = textOf(one['value']);
      return [[variable, value ?? referenceTo(variable, textOf(one['default']), one['isRequired'] === true)] as const];
    }),
  );
  return {
    command,
    args: [
      ...(command === 'docker' ? [] : runtimeArgs.filter((arg) => arg !== '-y')),
      ...args,
      ...argumentsOf(given['packageArguments'] ?? given['package_arguments'], inputs, unsupported),
    ],
    ...(Object.keys(env).length > 0 ? { env } : {}),
  };
}

function withTag(identifier: string, version: string | undefined): string {
  return version === undefined || /:[^/]+$/.test(identifier) ? identifier : `${identifier}:${version}`;
}

function argumentsOf(given: unknown, inputs: ConfigurationInput[], unsupported: string[]): readonly string[] {
  return listOf(given)
    .filter(isRecord)
    .flatMap((one) => {
      const flag = one['type'] === 'named' ? textOf(one['name']) : undefined;
      const hint = textOf(one['valueHint']) ?? textOf(one['value_hint']) ?? flag?.replace(/^-+/, '');
      const value = textOf(one['value']) ?? textOf(one['default']);
      if (value !== undefined) return [...(flag === undefined ? [] : [flag]), value];
      if (one['isRequired'] !== true) {
        if (flag !== undefined && one['format'] === 'boolean') return [];
        return [];
      }
      if (hint === undefined) {
        unsupported.push('an argument without a name or value');
        return [];
      }
      const id = `input:${hint.replace(/[^\w.-]/g, '_')}`;
      inputs.push(...inputOf(id, one));
      return [...(flag === undefined ? [] : [flag]), `\${${id}}`];
    });
}

function remoteOf(given: JsonRecord, inputs: ConfigurationInput[]): JsonRecord | undefined {
  const url = textOf(given['url']);
  if (url === undefined) return undefined;
  const headers = listOf(given['headers']).filter(isRecord);
  const named = headers.flatMap((one) => {
    const name = textOf(one['name']);
    if (name === undefined) return [];
    const value = textOf(one['value']);
    if (value !== undefined && !value.includes('{')) return [[name, value] as const];
    const id = `input:${name}`;
    inputs.push(...inputOf(id, one));
    const reference = referenceTo(id, textOf(one['default']), one['isRequired'] === true);
    return [[name, value === undefined ? reference : value.replace(/\{[^}]*\}/, reference)] as const];
  });
  return { url, ...(named.length > 0 ? { headers: Object.fromEntries(named) } : {}) };
}

/** Reads the manifest of an MCP bundle (MCPB, formerly DXT). */
export function readBundle(value: JsonRecord, directory: string): ImportedContents | undefined {
  const { server, user_config: config } = value;
  const name = textOf(value['name']);
  if (name === undefined || !isRecord(server) || (value['manifest_version'] ?? value['dxt_version']) === undefined)
    return undefined;
  const { mcp_config: given } = server;
  if (!isRecord(given)) return { format: 'mcpb', entries: [], inputs: [], unsupported: ['server: no mcp_config'] };
  const overrides = isRecord(given['platform_overrides']) ? given['platform_overrides'][process.platform] : undefined;
  const { command, args, env } = { ...given, ...(isRecord(overrides) ? overrides : {}) } as JsonRecord;
  const settings = Object.entries(isRecord(config) ? config : {}).flatMap(([key, one]) =>
    isRecord(one) ? [[key, one] as const] : [],
  );
  const defaults = new Map(settings.map(([key, one]) => [`user_config.${key}`, scalarOf(one['default'])]));
  const required = new Set(settings.flatMap(([key, one]) => (one['required'] === true ? [`user_config.${key}`] : [])));
  const expand = (text: string): string =>
    text
      .replaceAll('${__dirname}', directory)
      .replace(/\$\{(?:pathSeparator|\/)\}/g, sep)
      .replace(/\$\{(user_config\.[\w.-]+)\}/g, (_whole, id: string) =>
        referenceTo(id, defaults.get(id), required.has(id)),
      );
  const lists = settings
    .filter(([, one]) => one['multiple'] === true)
    .map(([key]) => `user_config.${key}: several values`);
  return {
    format: 'mcpb',
    entries: [{ name, entry: mapStrings({ command, args: args ?? [], env: env ?? {} }, expand), unsupported: lists }],
    inputs: settings.flatMap(([key, one]) =>
      inputOf(`user_config.${key}`, {
        description: textOf(one['description']) ?? textOf(one['title']),
        isSecret: one['sensitive'] === true,
        isRequired: one['required'] === true,
        default: scalarOf(one['default']),
      }),
    ),
    unsupported: [],
  };
}

function referenceTo(id: string, fallback: string | undefined, isRequired: boolean): string {
  if (fallback === undefined) return isRequired ? `\${${id}}` : `\${${id}:-}`;
  // A default with a closing brace would end the reference.
  return fallback.includes('}') ? fallback : `\${${id}:-${fallback}}`;
}

function scalarOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
}

function inputOf(id: string, given: JsonRecord): readonly ConfigurationInput[] {
  if (id === '') return [];
  const fallback = textOf(given['default']);
  return [
    {
      id,
      description: textOf(given['description']) ?? '',
      isSecret: (given['isSecret'] ?? given['is_secret']) === true,
      isRequired: (given['isRequired'] ?? given['is_required']) === true,
      ...(fallback === undefined ? {} : { default: fallback }),
    },
  ];
}
