import { statSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import type { Logger, ToolRegistry } from '@haft/core';
import {
  functionKind,
  loggerKind,
  numberKind,
  arrayOf,
  stringKind,
  toolRegistryKind,
  checkOption,
  checkOptions,
  custom,
  described,
  isRecord,
  nonEmptyStringKind,
  objectWith,
  oneOf,
  required,
  showValue,
  type OptionKind,
  type OptionTable,
} from '@haft/core/options';
import { readCapabilities, type PluginCapabilities } from '../capabilities.ts';
import type { Catalog } from '../catalog/create-catalog.ts';
import { hasModuleHooks } from '../files/module-versions.ts';
import { invalidOption, PluginError } from '../plugin-error.ts';
import type { PluginEvent } from '../plugin-report.ts';

/** Options of {@link createPluginLoader}. */
export interface PluginLoaderOptions {
  /** The folder whose files and folders are plugins. It may be created later. */
  readonly directory: string;
  readonly registry: ToolRegistry;
  /**
   * Where plugins run. Default `process`: each in its own process, limited to its `grants`. `inline`: in this program's
   * process, with all of its rights. Use `inline` only for code that you would put into the program itself.
   */
  readonly isolation?: 'process' | 'inline';
  /** Ids of plugins that run inline, whatever `isolation` says. */
  readonly trusted?: readonly string[];
  /**
   * Whether a plugin's process must run in a jail of the operating system. `required` (default) rejects untrusted
   * plugins if no jail is available, because Node's own limits stop neither the network nor links that lead elsewhere.
   * `preferred` uses a jail if one is available. `off` uses none.
   */
  readonly jail?: 'required' | 'preferred' | 'off';
  /**
   * Stores which plugins are enabled and trusted, and their grants, which take precedence over `trusted` and `grants`.
   * Also stores the descriptions of plugins, so that their processes start with the first call. Default: nothing is
   * stored.
   */
  readonly catalog?: Catalog;
  /** Capabilities of isolated plugins, by id. Default: a plugin may only read its own files. */
  readonly grants?: Readonly<Record<string, PluginCapabilities>>;
  /** Time without calls after which a plugin's process ends until the next call, in milliseconds. Default 300,000. */
  readonly idleTimeoutMs?: number;
  /** Time without a response after which a loaded plugin's process is ended, in milliseconds. Default 10,000. */
  readonly unresponsiveMs?: number;
  /** Memory limit of a plugin's process in megabytes (Linux only), whether or not it runs a call. Default 512. */
  readonly maxMemoryMegabytes?: number;
  /**
   * Receives what plugins log, what isolated plugins print, and warnings: why a plugin is not loaded, which grants it
   * lacks, why its process ended, and that the folder is missing or can't be watched. `data.plugin` is the id. Default:
   * discarded.
   */
  readonly logger?: Logger;
  /** Called with each event. Exceptions are ignored. */
  readonly onEvent?: (event: PluginEvent) => void;
  /**
   * Names of built-in tools, or of your own, that plugins may replace. Default: none. Lifecycle tools can't be
   * replaced.
   */
  readonly mayShadow?: readonly string[];
  /**
   * Packages in addition to `@haft/*` that plugins may import from this program if they do not contain them. Default
   * `['zod']`.
   */
  readonly hostPackages?: readonly string[];
  /** Time limit for loading a plugin's modules, in milliseconds. Default 5,000. */
  readonly loadTimeoutMs?: number;
  /** Time without a write after which a plugin's files are read, in milliseconds. Default 30. */
  readonly settleMs?: number;
  /** Time that running calls of a replaced version get before it is disposed of, in milliseconds. Default 120,000. */
  readonly drainTimeoutMs?: number;
}

/** Maximum delay of a Node timer, in milliseconds. */
const maxMs = 2 ** 31 - 1;

const span = numberKind({ above: 0, max: maxMs });
const names = arrayOf(stringKind, 'an array of names');
const byId = custom('capabilities by plugin id', isRecord);
const grants: OptionKind<NonNullable<PluginLoaderOptions['grants']>> = {
  expected: byId.expected,
  findFault(value, path) {
    if (!isRecord(value)) return byId.findFault(value, path);
    for (const [id, granted] of Object.entries(value)) {
      const read = readCapabilities(granted);
      if (typeof read === 'string') return { path: `${path}.${id}`, problem: `is not valid (${read})` };
    }
    return undefined;
  },
};
const table: OptionTable<PluginLoaderOptions> = {
  directory: required(described('the folder to watch', nonEmptyStringKind)),
  registry: required(described<ToolRegistry>('the ToolRegistry that receives the tools', toolRegistryKind)),
  isolation: oneOf('process', 'inline'),
  trusted: arrayOf(stringKind, 'an array of plugin ids'),
  jail: oneOf('required', 'preferred', 'off'),
  catalog: objectWith<Catalog>('a catalog of createCatalog', 'entry'),
  grants,
  idleTimeoutMs: span,
  unresponsiveMs: span,
  maxMemoryMegabytes: span,
  logger: loggerKind,
  onEvent: functionKind,
  mayShadow: names,
  hostPackages: names,
  loadTimeoutMs: span,
  settleMs: span,
  drainTimeoutMs: span,
};

const { directory: _directory, ...besideDirectory } = table;
const folderKind = described('the folder, as in loadPlugins("plugins", { registry })', nonEmptyStringKind);

/** Checks the arguments of `loadPlugins` and throws if they are invalid. */
export function checkLoaderArguments(directory: string, options: unknown): void {
  checkOption('loadPlugins', 'its first argument', directory, folderKind, invalidOption);
  checkOptions('loadPlugins', options, besideDirectory, '{ registry }', invalidOption);
  resolveFolder('loadPlugins: its first argument', directory);
}

/** Checks the options and throws if they are invalid. Returns the absolute path of the folder. */
export function checkLoaderOptions(options: PluginLoaderOptions): string {
  // Otherwise, every plugin would fail with an error about Node's own functions.
  if (!hasModuleHooks())
    throw new PluginError('NODE_TOO_OLD', `plugins need Node 22.22 or later (this is ${process.version})`);
  checkOptions('createPluginLoader', options, table, '{ directory, registry }', invalidOption);
  return resolveFolder('createPluginLoader: directory', options.directory);
}

function resolveFolder(what: string, given: string): string {
  const directory = resolvePath(given);
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory())
    throw invalidOption(`${what} is not a folder (expected a folder with plugins, got ${showValue(given)})`);
  return directory;
}
