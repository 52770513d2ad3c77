import { readCapabilities, type PluginCapabilities } from '../capabilities.ts';
import type { PlainData } from '../copy-data.ts';
import type { ToolFiles } from './tool-draft.ts';

/** A generated tool in the catalog. */
export interface CatalogEntry {
  readonly name: string;
  /** The current version. */
  readonly version: number;
  /** All versions that a rollback can restore, oldest first. Numbers are never reused. */
  readonly versions: readonly CatalogVersion[];
}

/** One version of a generated tool. */
export interface CatalogVersion {
  readonly version: number;
  /** SHA-256 hash of the approved files. Files with another hash do not run. */
  readonly hash: string;
  /** The time of creation, in ISO 8601. */
  readonly createdAt: string;
  /** Capabilities that the user granted. */
  readonly capabilities: PluginCapabilities;
  /** Whether a call of this version has been allowed before. */
  readonly isTried: boolean;
}

/** The source of one version. */
export interface CatalogSource {
  readonly files: ToolFiles;
  /** The description that its process returned. */
  readonly described: PlainData;
}

/** The stored settings of a plugin in a watched folder. */
export interface PluginState {
  /** Whether the plugin is loaded. Default true. */
  readonly enabled?: boolean;
  /** Whether the plugin runs inline, with the rights of the program. */
  readonly trusted?: boolean;
  /** The capabilities of the plugin if it is isolated. */
  readonly grants?: PluginCapabilities;
}

/** A tool that failed its trial, stored for its author. */
export interface QuarantinedTool {
  readonly name: string;
  readonly files: ToolFiles;
  /** The reasons, one per line. */
  readonly report: string;
  readonly at: string;
}

type LooseRecord = Readonly<Record<string, unknown>>;

/** Reads a stored entry. Throws if it is not a valid catalog entry. */
export function readEntry(given: unknown): CatalogEntry {
  const { name, version, versions } = asRecord(given, 'an entry');
  if (typeof name !== 'string' || typeof version !== 'number' || !Array.isArray(versions))
    throw new TypeError('an entry needs a name, a version and versions');
  const read = versions.map(readVersion);
  if (!read.some((one) => one.version === version)) throw new TypeError(`it has no version ${version}`);
  return { name, version, versions: read };
}

function readVersion(given: unknown): CatalogVersion {
  const { version, hash, createdAt, capabilities, isTried } = asRecord(given, 'a version');
  const granted = readCapabilities(capabilities ?? {});
  if (typeof version !== 'number' || typeof hash !== 'string' || typeof createdAt !== 'string')
    throw new TypeError('a version needs a number, a hash and a date');
  if (typeof granted === 'string') throw new TypeError(granted);
  return { version, hash, createdAt, capabilities: granted, isTried: isTried === true };
}

export function readSource(given: unknown): CatalogSource {
  const { files, described } = asRecord(given, 'a source');
  return { files: readFiles(files), described: (described ?? null) as PlainData };
}

export function readPluginState(given: unknown): PluginState {
  const { enabled, trusted, grants } = asRecord(given, 'the state of a plugin');
  for (const [name, value] of Object.entries({ enabled, trusted }))
    if (value !== undefined && typeof value !== 'boolean') throw new TypeError(`${name} must be true or false`);
  const granted = grants === undefined ? undefined : readCapabilities(grants);
  if (typeof granted === 'string') throw new TypeError(granted);
  return {
    ...(enabled !== undefined && { enabled: enabled as boolean }),
    ...(trusted !== undefined && { trusted: trusted as boolean }),
    ...(granted && { grants: granted }),
  };
}

export function readQuarantined(given: unknown): QuarantinedTool {
  const { name, files, report, at } = asRecord(given, 'a quarantined tool');
  return { name: String(name), files: readFiles(files), report: String(report), at: String(at) };
}

export function readDescription(given: unknown): { readonly description: string } {
  const { description } = asRecord(given, 'a description');
  if (typeof description !== 'string') throw new TypeError('a description must be a string');
  return { description };
}

function readFiles(given: unknown): ToolFiles {
  const files = asRecord(given, 'files');
  for (const text of Object.values(files)) if (typeof text !== 'string') throw new TypeError('a file must be a string');
  return files as ToolFiles;
}

function asRecord(given: unknown, what: string): LooseRecord {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as LooseRecord;
  throw new TypeError(`${what} must be an object`);
}
