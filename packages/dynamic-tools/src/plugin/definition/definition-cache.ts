import { relative, resolve } from 'node:path';
import { hashContent, readConfinedFile } from '@haft/sandbox';
import type { PluginCapabilities } from '../../capabilities.ts';
import { copyData, type PlainData } from '../../copy-data.ts';
import { manifestNames, pluginApiVersion } from './manifest.ts';

/** A plugin's description, with the fingerprint of its files. */
export interface StoredDefinition {
  /**
   * SHA-256 hash of everything that determines the description: the plugin's files, its grants, Node and this
   * interface.
   */
  readonly print: string;
  /** Files that its load reached, relative to its folder. */
  readonly files: readonly string[];
  readonly described: PlainData;
}

/** Stores descriptions by plugin id. */
export interface DefinitionStore {
  get(id: string): Promise<StoredDefinition | undefined>;
  set(id: string, definition: StoredDefinition): Promise<void>;
}

/** The inputs that determine a plugin's description, in addition to the content of its files. */
export interface DefinitionContext {
  readonly id: string;
  /** Real path of the plugin's file or folder. */
  readonly place: string;
  readonly entry: string;
  readonly granted: PluginCapabilities;
  readonly hostPackages: readonly string[];
}

/** Incremented when descriptions get new members. */
const describedFormat = 2;
const maxFileBytes = 5_000_000;
const maxFiles = 500;

/** Reads the stored description of a plugin whose files are unchanged; `undefined` if unknown. Never rejects. */
export async function recallDefinition(
  store: DefinitionStore | undefined,
  definitionContext: DefinitionContext,
): Promise<{ readonly files: readonly string[]; readonly described: PlainData } | undefined> {
  try {
    const kept = await store?.get(definitionContext.id);
    if (!kept || kept.files.length > maxFiles) return undefined;
    const files = kept.files.map((file) => resolve(definitionContext.place, file));
    if (!files.includes(definitionContext.entry)) return undefined;
    if ((await printOf(definitionContext, files)) !== kept.print) return undefined;
    return { files, described: kept.described };
  } catch {
    // A failing store only makes the start slower.
    return undefined;
  }
}

/** Stores a plugin's description. Never rejects. */
export async function rememberDefinition(
  store: DefinitionStore | undefined,
  definitionContext: DefinitionContext,
  files: readonly string[],
  described: unknown,
): Promise<void> {
  if (!store || files.length > maxFiles) return;
  try {
    const print = await printOf(definitionContext, files);
    const named = files.map((file) => relative(definitionContext.place, file));
    await store.set(definitionContext.id, { print, files: named, described: copyData(described) ?? null });
  } catch {
    // The next start asks the plugin's process instead.
  }
}

/** Reads a stored definition. Throws if it is invalid. */
export function readDefinition(given: unknown): StoredDefinition {
  const { print, files, described } = (given ?? {}) as Partial<StoredDefinition>;
  if (typeof print !== 'string' || !Array.isArray(files) || !files.every((file) => typeof file === 'string'))
    throw new TypeError('a definition needs a fingerprint and files');
  return { print, files, described: described ?? null };
}

async function printOf(
  { place, entry, granted, hostPackages }: DefinitionContext,
  files: readonly string[],
): Promise<string> {
  const manifests = manifestNames.map((name) => resolve(place, name));
  const contents = await Promise.all(
    [...new Set([...files, ...manifests])].sort().map(async (file) => {
      // The files were imported before. A link or a pipe at their path now counts as missing.
      const read = await readConfinedFile('unrestricted', file, { maxBytes: maxFileBytes });
      return [relative(place, file), read.ok ? hashContent(read.bytes) : read.code];
    }),
  );
  const rest = [process.version, pluginApiVersion, describedFormat, relative(place, entry), granted, hostPackages];
  return hashContent(JSON.stringify([rest, contents]));
}
