import { readdir, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import type { PluginCapabilities } from '../../capabilities.ts';
import { manifestNames, readManifest } from './manifest.ts';
import type { LoadProblem } from '../../plugin-report.ts';

/** The facts about a plugin that are known without running its code. */
export interface FoundPlugin {
  /** Absolute path of the file to import. */
  readonly entry: string;
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  /** The capabilities that its manifest requests. */
  readonly capabilities?: PluginCapabilities;
}

/** Extensions of plugin files, in order of preference. */
const extensions = ['.ts', '.mts', '.mjs', '.js'];

/** Entry files of a folder without a manifest, in order of preference. */
const entryNames: readonly string[] = ['index', 'plugin'].flatMap((stem) =>
  extensions.map((extension) => stem + extension),
);

/** Returns whether a file in the watched folder is a plugin, by its name. */
export function isPluginFile(name: string): boolean {
  return extensions.some((extension) => name.endsWith(extension)) && !/\.(?:d|test|spec)\.[a-z]+$/.test(name);
}

/** Returns whether a file in the watched folder is a plugin, or a CommonJS module that is reported as a mistake. */
export function isModuleFile(name: string): boolean {
  return isPluginFile(name) || isCommonJsFile(name);
}

function isCommonJsFile(name: string): boolean {
  return /\.c[jt]s$/.test(name) && !/\.(?:d|test|spec)\.[a-z]+$/.test(name);
}

/** Returns the id of the plugin in a folder or file with this name. */
export function pluginIdOf(name: string): string {
  const extension = isPluginFile(name) ? extensions.find((candidate) => name.endsWith(candidate)) : undefined;
  return extension === undefined ? name : name.slice(0, -extension.length);
}

/** Returns whether a file determines the entry of a plugin folder. */
export function decidesEntry(file: string): boolean {
  const name = basename(file);
  return manifestNames.includes(name) || entryNames.includes(name);
}

/** Finds the plugin at a path. Returns `absent` if the path can't be a plugin. Runs none of its code. */
export async function findPlugin(path: string): Promise<FoundPlugin | LoadProblem | 'absent'> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) return 'absent';
  if (stats.isFile()) return findPluginInFile(path);
  if (!stats.isDirectory()) return 'absent';
  const names = await readdir(path).catch(() => [] as string[]);
  if (names.length === 0) return 'absent';
  const manifest = await readManifest(path, names);
  if ('phase' in manifest) return manifest;
  const named = manifest.entry ?? entryNames.find((name) => names.includes(name));
  if (named === undefined) {
    return {
      phase: 'discover',
      message: `no entry file: expected "entry" in plugin.json, "main" in package.json, or one of ${entryNames.join(', ')}`,
    };
  }
  const entry = join(path, named);
  const inside = relative(path, entry);
  if (isAbsolute(named) || inside.startsWith('..') || inside === '') {
    return {
      phase: 'discover',
      message: `the entry ${JSON.stringify(named)} is not a file inside the plugin's folder`,
      file: manifest.file,
    };
  }
  if (!(await stat(entry).catch(() => undefined))?.isFile()) {
    return { phase: 'discover', message: `the entry ${JSON.stringify(named)} does not exist`, file: manifest.file };
  }
  const { name, version, description, capabilities } = manifest;
  return {
    entry,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}

function findPluginInFile(path: string): FoundPlugin | LoadProblem | 'absent' {
  const name = basename(path);
  if (isPluginFile(name)) return { entry: path };
  if (!isCommonJsFile(name)) return 'absent';
  const renamed = name.replace(/\.c([jt]s)$/, '.m$1');
  const message = `it is a CommonJS module, but plugins are ES modules (expected ${renamed} with "export default { … }" instead of "module.exports = { … }")`;
  return { phase: 'discover', message, file: path };
}
