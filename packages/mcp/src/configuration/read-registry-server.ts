import { isRecord } from '@haft/core/options';
import {
  inputOf,
  listOf,
  referenceTo,
  scalarOf,
  textOf,
  type ConfigurationInput,
  type ImportedContents,
  type JsonRecord,
} from './imported-entry.ts';
import type { UnsupportedSetting } from './unsupported-setting.ts';

/** The inputs and unsupported settings of one server, collected from its parts. */
interface Asked {
  readonly inputs: ConfigurationInput[];
  readonly unsupported: UnsupportedSetting[];
}

/** Reads a `server.json` of the MCP registry: the first package or remote that can be used. */
export function readRegistryServer(value: JsonRecord): ImportedContents | undefined {
  const packages = listOf(value['packages']).filter(isRecord);
  const remotes = listOf(value['remotes']).filter(isRecord);
  const name = textOf(value['name']);
  if (name === undefined || packages.length + remotes.length === 0) return undefined;
  const unsupported: UnsupportedSetting[] = [];
  for (const [read, given] of [
    ...packages.map((one) => [commandOf, one] as const),
    ...remotes.map((one) => [remoteOf, one] as const),
  ]) {
    const asked: Asked = { inputs: [], unsupported: [] };
    const entry = read(given, asked);
    unsupported.push(...asked.unsupported);
    if (entry === undefined) continue;
    const short = name.split('/').at(-1) ?? name;
    return {
      format: 'registry',
      entries: [{ name: short, entry, unsupported }],
      inputs: withoutDuplicates(asked.inputs),
      unsupported: [],
    };
  }
  const none: UnsupportedSetting = {
    member: 'packages',
    reason: 'none of its packages and remotes is of a known kind',
    hint: 'Write an entry with "command" or "url" yourself.',
  };
  return { format: 'registry', entries: [], inputs: [], unsupported: [...unsupported, none] };
}

function withoutDuplicates(inputs: readonly ConfigurationInput[]): readonly ConfigurationInput[] {
  return [...new Map(inputs.map((input) => [input.id, input])).values()];
}

/** How to run the packages of one registry. */
interface Runner {
  readonly command: string;
  readonly home: RegExp;
  /** Form of a package's name. Any other text could be an option, an alias or an address. */
  readonly name: RegExp;
  /** Arguments before those of the package. */
  args(identifier: string, version: string | undefined): readonly string[];
}

const runners: Readonly<Record<string, Runner>> = {
  npm: {
    command: 'npx',
    home: /^https:\/\/registry\.npmjs\.org\/?$/,
    name: /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~][\w.~-]*$/i,
    args: (identifier, version) => ['-y', version === undefined ? identifier : `${identifier}@${version}`],
  },
  pypi: {
    command: 'uvx',
    home: /^https:\/\/pypi\.org(?:\/simple)?\/?$/,
    name: /^[a-z\d][\w.-]*(?:\[[\w.,-]+\])?$/i,
    args: (identifier, version) => [version === undefined ? identifier : `${identifier}==${version}`],
  },
  nuget: {
    command: 'dnx',
    home: /^https:\/\/(?:api|www)\.nuget\.org(?:\/v3\/index\.json)?\/?$/,
    name: /^\w[\w.-]*$/,
    args: (identifier, version) => [version === undefined ? identifier : `${identifier}@${version}`, '--yes', '--'],
  },
  oci: {
    command: 'docker',
    home: /^https:\/\/(?:registry-1\.|index\.)?docker\.io\/?$/,
    name: /^[a-z\d][\w./:@-]*$/i,
    args: (identifier, version) => [
      version === undefined || /:[^/]+$/.test(identifier) ? identifier : `${identifier}:${version}`,
    ],
  },
};

function commandOf(given: JsonRecord, asked: Asked): JsonRecord | undefined {
  const identifier = textOf(given['identifier']) ?? textOf(given['name']);
  const kind = textOf(given['registryType']) ?? textOf(given['registry_type']) ?? textOf(given['registry_name']) ?? '';
  const known = kind === 'docker' ? 'oci' : kind;
  const runner = Object.hasOwn(runners, known) ? runners[known] : undefined;
  const { transport } = given;
  const isStdio = !isRecord(transport) || transport['type'] === undefined || transport['type'] === 'stdio';
  if (identifier === undefined || !runner || !isStdio) return undefined;
  const base = textOf(given['registryBaseUrl']) ?? textOf(given['registry_base_url']);
  if (base !== undefined && !runner.home.test(base)) {
    // Another registry may have a different package of the same name.
    asked.unsupported.push({
      member: 'registryBaseUrl',
      reason: `${identifier} is in another registry, ${base}`,
      hint: `Write an entry whose command gets the package from that registry.`,
    });
    return undefined;
  }
  const version = textOf(given['version']);
  if (!runner.name.test(identifier) || (version !== undefined && !/^[a-z\d][\w.+-]*$/i.test(version))) {
    asked.unsupported.push({
      member: 'identifier',
      reason: `${[identifier, ...(version === undefined ? [] : [version])].join(' ')} is not the name and version of a package`,
      hint: 'Write an entry with "command" yourself if you trust the package.',
    });
    return undefined;
  }
  const hint = textOf(given['runtimeHint']) ?? textOf(given['runtime_hint']);
  if (hint !== undefined && hint !== runner.command)
    asked.unsupported.push({
      member: 'runtimeHint',
      reason: `the package is started with ${runner.command}, not with ${hint}`,
      hint: 'Change "command" of the imported server if it does not start.',
    });
  if (given['fileSha256'] !== undefined)
    asked.unsupported.push({
      member: 'fileSha256',
      reason: 'the package is not compared with its hash',
      hint: 'Compare the hash yourself before you approve the command.',
    });
  const variables = listOf(given['environmentVariables'] ?? given['environment_variables']).filter(isRecord);
  const env = Object.fromEntries(
    variables.flatMap((one) => {
      const variable = textOf(one['name']);
      return variable === undefined ? [] : [[variable, valueOf(one, variable, asked) ?? ''] as const];
    }),
  );
  const runtimeArgs = argumentsOf(given['runtimeArguments'] ?? given['runtime_arguments'], asked);
  const own = argumentsOf(given['packageArguments'] ?? given['package_arguments'], asked);
  const before =
    runner.command === 'docker'
      ? ['run', '-i', '--rm', ...Object.keys(env).flatMap((name) => ['-e', name]), ...runtimeArgs]
      : runtimeArgs.filter((arg) => arg !== '-y');
  const start = runner.args(identifier, version);
  return {
    command: runner.command,
    args: [...before, ...(own.length === 0 ? start.filter((arg) => arg !== '--') : start), ...own],
    ...(Object.keys(env).length > 0 ? { env } : {}),
  };
}

function argumentsOf(given: unknown, asked: Asked): readonly string[] {
  return listOf(given)
    .filter(isRecord)
    .flatMap((one) => {
      const flag = one['type'] === 'named' ? textOf(one['name']) : undefined;
      const before = flag === undefined ? [] : [flag];
      const isGiven = one['value'] !== undefined || one['default'] !== undefined;
      if (!isGiven && one['isRequired'] !== true && one['is_required'] !== true) return [];
      if (one['isRepeated'] === true)
        asked.unsupported.push({
          member: flag ?? 'packageArguments',
          reason: 'it takes several values, and only one is passed on',
          hint: 'Add the other values to "args" of the imported server.',
        });
      const hint = textOf(one['valueHint']) ?? textOf(one['value_hint']) ?? flag?.replace(/^-+/, '');
      if (hint === undefined && one['value'] === undefined && one['default'] === undefined) {
        asked.unsupported.push({
          member: 'packageArguments',
          reason: 'an argument has neither a name nor a value',
          hint: 'Add the argument to "args" of the imported server.',
        });
        return [];
      }
      const value = valueOf(one, `input:${(hint ?? 'argument').replace(/[^\w.-]/g, '_')}`, asked);
      return value === undefined ? [] : [...before, value];
    });
}

/**
 * Returns the text of an input of the registry's format: a fixed value with `{name}` for each variable, or a reference
 * to what the user provides.
 */
function valueOf(given: JsonRecord, id: string, asked: Asked, isHeader = false): string | undefined {
  const isRequired = (one: JsonRecord): boolean => (one['isRequired'] ?? one['is_required']) === true;
  const value = scalarOf(given['value']);
  const variables = isRecord(given['variables']) ? given['variables'] : {};
  const ask = (of: string, one: JsonRecord): string => {
    asked.inputs.push(...inputOf(of, one));
    return referenceTo(of, scalarOf(one['default']), isRequired(one));
  };
  if (value === undefined) return ask(id, given);
  return value.replace(/\{([^{}]*)\}/g, (whole, key: string) => {
    const variable = Object.hasOwn(variables, key) ? variables[key] : undefined;
    if (isRecord(variable))
      return scalarOf(variable['value']) ?? ask(`input:${key.replace(/[^\w.-]/g, '_')}`, variable);
    if (isHeader) return ask(id, given);
    asked.unsupported.push({
      member: whole,
      reason: 'the package defines no such variable',
      hint: 'Replace the text in the imported server.',
    });
    return whole;
  });
}

function remoteOf(given: JsonRecord, asked: Asked): JsonRecord | undefined {
  const url = textOf(given['url']);
  if (url === undefined) return undefined;
  const named = listOf(given['headers'])
    .filter(isRecord)
    .flatMap((one) => {
      const name = textOf(one['name']);
      return name === undefined ? [] : [[name, valueOf(one, `input:${name}`, asked, true) ?? ''] as const];
    });
  return {
    url: valueOf({ value: url, variables: given['variables'] }, 'input:url', asked) ?? url,
    ...(named.length > 0 ? { headers: Object.fromEntries(named) } : {}),
  };
}
