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
import { invalidOption } from '../plugin-error.ts';
import type { PluginEvent } from '../plugin-report.ts';

/** What {@link createPluginLoader} takes. */
export interface PluginLoaderOptions {
  /** The folder whose files and folders are plugins; it may come into being later. */
  readonly directory: string;
  readonly registry: ToolRegistry;
  /**
   * Where plugins run. Default `process`: each in a process of its own, limited to what `grants` gives it. `inline`: in this
   * program's own process, with everything this program may do, so that only code that you would put into the program
   * itself belongs into the folder.
   */
  readonly isolation?: 'process' | 'inline';
  /** Ids of plugins that run inline all the same. */
  readonly trusted?: readonly string[];
  /**
   * Whether a plugin's process has to be in a jail of the operating system. Default `required`: where none can be had,
   * plugins that are not trusted are refused, since Node's own limits stop neither the network nor links that lead
   * elsewhere. `preferred` does without where it must; `off` always does.
   */
  readonly jail?: 'required' | 'preferred' | 'off';
  /**
   * Remembers which plugins are switched off, which are trusted and what they were granted, before `trusted` and `grants`, and
   * what plugins say of themselves, so that their processes are started by their first call. Default: nothing does.
   */
  readonly catalog?: Catalog;
  /** What plugins in processes of their own may do, by id; default nothing but to read their own files. */
  readonly grants?: Readonly<Record<string, PluginCapabilities>>;
  /** Milliseconds without a call after which a plugin's process is ended until the next one; default 300,000. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds without a sign of life, once it is loaded, after which a plugin's process is ended; default 10,000. */
  readonly unresponsiveMs?: number;
  /** Megabytes that a plugin's process may hold (Linux), called or not; default 512. */
  readonly maxMemoryMegabytes?: number;
  /** Receives what plugins log, and what isolated plugins print; `data.plugin` is the id. Default: discarded. */
  readonly logger?: Logger;
  /** Hears what happens. What it throws is dropped. */
  readonly onEvent?: (event: PluginEvent) => void;
  /** Names of built-in or own tools that plugins may put theirs in front of; default none. Lifecycle tools never are. */
  readonly mayShadow?: readonly string[];
  /** Packages besides `@haft/*` that plugins may take from this program when they bring none; default `['zod']`. */
  readonly hostPackages?: readonly string[];
  /** Milliseconds a plugin's modules may take to load; default 5,000. */
  readonly loadTimeoutMs?: number;
  /** Milliseconds without a write after which a plugin's files are read; default 30. */
  readonly settleMs?: number;
  /** Milliseconds that running calls of an old version may take before it is disposed of all the same; default 120,000. */
  readonly drainTimeoutMs?: number;
}

/** What a timer of Node can wait at most. */
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

/** Says what is wrong with options by throwing; returns the absolute path of the folder. */
export function checkLoaderOptions(options: PluginLoaderOptions): string {
  checkOptions('createPluginLoader', options, table, '{ directory, registry }', invalidOption);
  const directory = resolvePath(options.directory);
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory())
    throw invalidOption(
      `createPluginLoader: directory is not a folder (expected the folder that plugins lie in, got ${showValue(options.directory)})`,
    );
  return directory;
}
