import { isRecord } from '../../copy-data.ts';
import { join } from 'node:path';
import { readConfinedFile } from '@haft/sandbox';
import { readCapabilities, type PluginCapabilities } from '../../capabilities.ts';
import type { LoadProblem } from '../../plugin-report.ts';
import { findMisspelled } from './find-misspelled.ts';

/** Version of the interface between a plugin and its host. A manifest may name the version that it was written for. */
export const pluginApiVersion = 1;

/** The content of a plugin's manifest. */
export interface Manifest {
  /** The file that contains it. */
  readonly file: string;
  readonly entry: string | undefined;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly capabilities: PluginCapabilities | undefined;
}

type LooseRecord = Readonly<Record<string, unknown>>;

export const manifestNames: readonly string[] = ['plugin.json', 'package.json'];
const maxBytes = 256 * 1024;
const texts = ['name', 'version', 'description', 'entry'];
const ownMembers = ['api', 'capabilities'];

/**
 * Reads a plugin's manifest without running any of its code: `api` and `capabilities` in `plugin.json` or else in the
 * member `haft` of `package.json`.
 *
 * @param names the names in the folder.
 */
export async function readManifest(folder: string, names: readonly string[]): Promise<Manifest | LoadProblem> {
  const nothing = { entry: undefined, name: undefined, version: undefined, description: undefined };
  let merged: Manifest = { file: folder, ...nothing, capabilities: undefined };
  for (const name of manifestNames.filter((candidate) => names.includes(candidate)).toReversed()) {
    const file = join(folder, name);
    const refuse = (message: string): LoadProblem => ({ phase: 'discover', message: `${name} ${message}`, file });
    const value = await readJson(folder, file);
    if (typeof value === 'string') return refuse(value);
    const own = name === 'plugin.json' ? value : isRecord(value['haft']) ? value['haft'] : {};
    const misplaced = findMisplaced(name, value, own);
    if (misplaced !== undefined) return refuse(`is not valid: ${misplaced}`);
    if (!fitsApi(own['api']))
      return refuse(
        `requires version ${JSON.stringify(own['api'])?.slice(0, 40)} of the plugin interface (the host has version ${pluginApiVersion})`,
      );
    // Other members of package.json are not checked.
    const wrong =
      name === 'plugin.json' ? texts.find((key) => !['string', 'undefined'].includes(typeof value[key])) : undefined;
    if (wrong !== undefined) return refuse(`is not valid: ${wrong} must be a string (got ${typeNameOf(value[wrong])})`);
    const capabilities = own['capabilities'] === undefined ? undefined : readCapabilities(own['capabilities']);
    if (typeof capabilities === 'string') return refuse(`is not valid: ${capabilities}`);
    const text = (key: string): string | undefined => (typeof value[key] === 'string' ? value[key] : undefined);
    merged = {
      file,
      entry: text('entry') ?? mainExport(value['exports']) ?? text('main') ?? merged.entry,
      name: text('name') ?? merged.name,
      version: text('version') ?? merged.version,
      description: text('description') ?? merged.description,
      capabilities: capabilities ?? merged.capabilities,
    };
  }
  return merged;
}

/** Returns what is wrong if a member is probably misspelled, or `capabilities` of a package.json are outside `haft`. */
function findMisplaced(name: string, value: LooseRecord, own: LooseRecord): string | undefined {
  const isPackage = name === 'package.json';
  const members = isPackage ? ownMembers : [...ownMembers, ...texts, 'main', 'exports'];
  const misspelled = findMisspelled(own, members);
  if (misspelled) return `${misspelled.key} is not a member of a manifest; did you mean ${misspelled.meant}?`;
  if (!isPackage || value['capabilities'] === undefined || own['capabilities'] !== undefined) return undefined;
  return 'capabilities has no effect there; write "haft": { "capabilities": { … } }';
}

/**
 * Reads the JSON object in a file, or returns what is wrong. The folder is untrusted: pipes and devices are not opened.
 */
async function readJson(folder: string, file: string): Promise<LooseRecord | string> {
  const read = await readConfinedFile([folder], file, { maxBytes });
  if (!read.ok) {
    if (read.code === 'FILE_TOO_LARGE') return `is larger than ${maxBytes} bytes`;
    if (read.code === 'NOT_REGULAR_FILE' || read.code === 'IS_DIRECTORY') return 'is not a regular file';
    return `is not readable: ${read.message}`;
  }
  try {
    const value: unknown = JSON.parse(Buffer.from(read.bytes).toString('utf8'));
    return isRecord(value) ? value : 'must contain an object';
  } catch (error) {
    return `is not valid JSON: ${(error as Error).message}`;
  }
}

/** Accepts a number, or a range that begins with it: `1`, `^1`, `1.x`. */
function fitsApi(given: unknown): boolean {
  if (given === undefined) return true;
  if (typeof given === 'number') return given === pluginApiVersion;
  return typeof given === 'string' && Number(/^[\^~]?(\d+)(?:\.|$)/.exec(given)?.[1]) === pluginApiVersion;
}

/** Returns the file that `import` of a package resolves to, for simple export maps. */
function mainExport(exports: unknown, depth = 0): string | undefined {
  if (typeof exports === 'string') return exports;
  if (!isRecord(exports) || depth > 4) return undefined;
  const next = exports['.'] ?? exports['node'] ?? exports['import'] ?? exports['default'];
  return mainExport(next, depth + 1);
}

function typeNameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
}
