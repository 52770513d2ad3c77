import { parseArgs } from 'node:util';

import { isPackageManager, packageManagers, type PackageManager } from '../project/package-manager.ts';
import { findTemplate, templates, type TemplateName } from '../project/templates.ts';
import { UsageError } from './usage-error.ts';

/** The command line. Missing values are asked for at a terminal, and have defaults elsewhere. */
export interface Options {
  /** The folder to create, as typed. */
  readonly folder: string | undefined;
  readonly template: TemplateName | undefined;
  readonly packageManager: PackageManager | undefined;
  /** Whether to install the dependencies. */
  readonly install: boolean | undefined;
  /** Whether the folder may contain files. */
  readonly merge: boolean;
  /** Whether to use defaults and ask nothing. */
  readonly yes: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const table = {
  template: { type: 'string', short: 't' },
  'package-manager': { type: 'string', short: 'p' },
  install: { type: 'boolean' },
  'no-install': { type: 'boolean' },
  merge: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Parses the arguments. Throws a UsageError for an unknown option, a missing or wrong value, or a second folder. */
export function parseOptions(argv: readonly string[]): Options {
  const { tokens } = parseArgs({
    args: [...argv],
    options: table,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string>();
  const folders: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') folders.push(token.value);
    if (token.kind !== 'option') continue;
    if (!isOption(token.name)) throw new UsageError(unknownOption(token.rawName));
    if (table[token.name].type === 'string') values.set(token.name, takeValue(token));
    else if (token.value === undefined) values.set(token.name, '');
    else throw new UsageError(`${token.rawName} takes no value`);
  }
  if (folders.length > 1) {
    const lost = folders.findLast((each) => findTemplate(each) !== undefined || isPackageManager(each));
    // npm keeps options in front of `--` for itself, and passes on their values alone.
    if (lost !== undefined) {
      const folder = folders.find((each) => each !== lost) ?? lost;
      const option = isPackageManager(lost) ? 'package-manager' : 'template';
      throw new UsageError(
        `${JSON.stringify(lost)} is the name of a ${option.replace('-', ' ')}; npm needs -- in front of options: npm create haft ${/^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)} -- --${option} ${lost}`,
      );
    }
    throw new UsageError(
      `${JSON.stringify(folders[1])}: only one folder can be created; quote a path with spaces (got ${folders.map((each) => JSON.stringify(each)).join(' and ')})`,
    );
  }
  if (values.has('install') && values.has('no-install')) {
    throw new UsageError('--install and --no-install contradict each other: use one of them');
  }
  return {
    folder: folders[0],
    template: templateOf(values.get('template')),
    packageManager: packageManagerOf(values.get('package-manager')),
    install: values.has('install') ? true : values.has('no-install') ? false : undefined,
    merge: values.has('merge'),
    yes: values.has('yes'),
    help: values.has('help'),
    version: values.has('version'),
  };
}

function isOption(name: string): name is keyof typeof table {
  return Object.hasOwn(table, name);
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

function takeValue({ rawName, value, inlineValue }: Extract<Token, { kind: 'option' }>): string {
  const isAnOption = inlineValue !== true && value?.startsWith('-') === true;
  if (value === undefined || value === '' || isAnOption) {
    throw new UsageError(`${rawName}: the value is missing (see --help)`);
  }
  return value;
}

function templateOf(given: string | undefined): TemplateName | undefined {
  if (given === undefined) return undefined;
  const template = findTemplate(given);
  if (template !== undefined) return template.name;
  const names = templates.map(({ name }) => name).join(', ');
  throw new UsageError(`--template: unknown template (expected one of ${names}, got ${JSON.stringify(given)})`);
}

function packageManagerOf(given: string | undefined): PackageManager | undefined {
  if (given === undefined || isPackageManager(given)) return given;
  throw new UsageError(
    `--package-manager: not supported (expected one of ${packageManagers.join(', ')}, got ${JSON.stringify(given)})`,
  );
}

function unknownOption(rawName: string): string {
  // npm takes options before `--` for itself, so users may repeat them after it.
  const known = Object.keys(table).map((name) => `--${name}`);
  return `${rawName}: unknown option (expected one of ${known.join(', ')})`;
}
