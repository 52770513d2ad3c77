import { type AnyTool, type ToolRegistry } from '@haft/core';
import { lifecycleProvider } from '@haft/core/registry';
import { describeCause } from '@haft/core/results';
import type { Catalog, StoredEntry } from '../../catalog/create-catalog.ts';
import type { CatalogVersion } from '../../catalog/catalog-entry.ts';
import { describeHolder, findNameConflict } from '../../name-conflicts.ts';
import { createPluginVersion, type PluginVersion } from '../../loader/slot/plugin-version.ts';
import { asUntried } from './untried-tool.ts';
import type { GeneratedToolEvent, GeneratedToolInfo, GeneratedToolState } from './generated-report.ts';
import type { ToolFolderLoader } from '../folder/load-tool-folder.ts';
import type { ToolFiles } from '../../catalog/tool-draft.ts';
import { folderOf, hashFiles, createToolFolder, readToolFolder, removeToolFolder } from '../folder/tool-folder.ts';

/** Provider path of generated tools. */
export const generatedProvider = 'dynamic/generated';

/** Options of the tool store. */
export interface ToolStoreOptions {
  readonly registry: ToolRegistry;
  readonly catalog: Catalog;
  /** The folder for the files that tools run from. */
  readonly directory: string;
  readonly loader: ToolFolderLoader;
  readonly lifecycleTools: () => readonly AnyTool[];
  readonly mayShadow: readonly string[];
  readonly drainTimeoutMs: number;
  readonly emit: (event: GeneratedToolEvent) => void;
}

/** Registers the catalog's callable tools. Only this module changes them in the registry. */
export interface ToolStore {
  /** Updates a tool to its state in the catalog. Updates of one name run one after the other. Never rejects. */
  follow(name: string): Promise<void>;
  /** Updates every tool of the catalog, and every tool that was callable before. Never rejects. */
  followAll(): Promise<readonly GeneratedToolInfo[]>;
  infos(): readonly GeneratedToolInfo[];
  /** Loads shadowed tools again, because their names may be free now. */
  followShadowed(): void;
  /** Registers only the lifecycle tools. */
  open(): void;
  close(): Promise<void>;
}

interface Place {
  info: GeneratedToolInfo;
  serving: { readonly print: string; readonly version: PluginVersion; readonly folder: string } | undefined;
  isTried: boolean;
}

interface Trouble {
  readonly state: Exclude<GeneratedToolState, 'live'>;
  readonly reason: string;
}

const disposeTimeoutMs = 2_000;
const suffix = '\n\n(Created at run time; unregister_tool removes it.)';

export function createToolStore(options: ToolStoreOptions): ToolStore {
  const { registry, catalog, directory, loader, emit } = options;
  const places = new Map<string, Place>();
  const queues = new Map<string, Promise<void>>();
  const endings = new Set<Promise<unknown>>();
  /** Folders in use. A folder that was released may be needed again before its last call has ended. */
  const wanted = new Set<string>();
  const removals = new Map<string, Promise<void>>();
  let isClosed = false;

  const register = (name?: string, tool?: AnyTool): void => {
    const lifecycle = options.lifecycleTools();
    registry.batch((draft) => {
      if (name !== undefined) draft.unregister(name, generatedProvider);
      if (tool) draft.registerWithProvider(tool, generatedProvider);
      for (const one of lifecycle) draft.unregister(one.name, lifecycleProvider);
      for (const one of lifecycle) draft.registerLifecycle(one);
    });
  };

  function follow(name: string): Promise<void> {
    const before = queues.get(name) ?? Promise.resolve();
    const next = before
      .then(() => followNow(name))
      .catch((error: unknown) => {
        emit({ type: 'catalog-failed', message: describeCause(error) });
      });
    queues.set(name, next);
    void next.finally(() => queues.get(name) === next && queues.delete(name));
    return next;
  }

  async function followNow(name: string): Promise<void> {
    if (isClosed) return;
    const kept = await catalog.entry(name);
    if (!kept) return withdraw(name);
    const version = kept.entry.versions.find((one) => one.version === kept.entry.version)!;
    const place = places.get(name);
    if (place?.serving?.print === printOf(version)) {
      const isNewlyTried = version.isTried && !place.isTried;
      place.isTried = version.isTried;
      place.info = infoOf(kept, version, place.info.description);
      if (isNewlyTried) register(name, place.serving.version.tools[0]);
      return;
    }
    const brought = await bring(kept, version).catch((error: unknown): Trouble => ({
      state: 'failed',
      reason: describeCause(error),
    }));
    if (isClosed) return;
    if ('state' in brought) block(kept, version, brought);
    else serve(kept, version, brought);
  }

  /** Returns whether a folder contains the approved files. Creates the folder if it is missing. */
  async function isAsApproved(folder: string, files: ToolFiles, hash: string): Promise<boolean> {
    await removals.get(folder);
    if (!(await readToolFolder(folder))) await createToolFolder(directory, folder, files);
    const found = await readToolFolder(folder);
    return found !== undefined && hashFiles(found) === hash;
  }

  /** Loads a version, or reports why it can't be called. */
  async function bring(kept: StoredEntry, version: CatalogVersion): Promise<NonNullable<Place['serving']> | Trouble> {
    const { name } = kept.entry;
    const source = await catalog.source(name, version.version);
    if (!source)
      return { state: 'missing', reason: `the source of version ${version.version} is missing in the catalog` };
    if (hashFiles(source.files) !== version.hash)
      return { state: 'changed', reason: 'its source in the catalog differs from what was approved' };
    const folder = folderOf(directory, name, version.version, version.hash);
    const findChange = async (): Promise<string | undefined> => {
      if (await isAsApproved(folder, source.files, version.hash)) return undefined;
      const reason = 'its files differ from what was approved';
      block(kept, version, { state: 'changed', reason });
      return reason;
    };
    wanted.add(folder);
    if (!(await isAsApproved(folder, source.files, version.hash)))
      return { state: 'changed', reason: 'its files on disk differ from what was approved' };
    const conflict = findNameConflict(registry, generatedProvider, [name], [], options.mayShadow);
    if (conflict) return { state: 'shadowed', reason: `the name belongs to ${describeHolder(conflict.holder)}` };
    const loaded = await loader.load({
      id: name,
      folder,
      granted: version.capabilities,
      findChange,
      ...(source.described !== null && { described: source.described }),
      onCrash: (reason) => emit({ type: 'tool-crashed', name, reason }),
    });
    if ('phase' in loaded) return { state: 'failed', reason: loaded.message };
    if (loaded.tools.length !== 1 || loaded.tools[0]?.name !== name) {
      void loaded.dispose(disposeTimeoutMs);
      return { state: 'failed', reason: 'the tool has another name than its entry' };
    }
    const limits = { drainTimeoutMs: options.drainTimeoutMs, disposeTimeoutMs };
    // An allowed call of an older version does not allow the first call of this one.
    const successor = (): PluginVersion | undefined => {
      const place = places.get(name);
      return place?.isTried === true ? place.serving?.version : undefined;
    };
    const served = createPluginVersion(loaded, version.version, limits, successor);
    const [tool] = served.tools;
    const tools = tool ? [{ ...tool, description: `${tool.description}${suffix}` }] : [];
    return { print: printOf(version), version: { ...served, tools }, folder };
  }

  function serve(kept: StoredEntry, version: CatalogVersion, serving: NonNullable<Place['serving']>): void {
    const { name } = kept.entry;
    const before = places.get(name)?.serving;
    const [tool] = serving.version.tools;
    const description = serving.version.plugin.tools[0]?.description ?? '';
    const place: Place = { info: infoOf(kept, version, description), serving, isTried: version.isTried };
    places.set(name, place);
    register(name, tool && (version.isTried ? tool : asUntried(tool, () => void noteUse(name, version))));
    emit({ type: before ? 'tool-replaced' : 'tool-added', tool: place.info });
    if (before) retire(before);
  }

  function block(kept: StoredEntry, version: CatalogVersion, { state, reason }: Trouble): void {
    const { name } = kept.entry;
    const place = places.get(name);
    const info = { ...infoOf(kept, version, place?.info.description ?? ''), state, reason };
    const isNews = place?.info.state !== state || place.info.reason !== reason;
    // The previous version stays callable unless its own files have changed.
    const serving = place?.serving?.print === printOf(version) ? undefined : place?.serving;
    if (place?.serving && !serving) {
      register(name);
      retire(place.serving, true);
    }
    places.set(name, { info, serving, isTried: place?.isTried ?? false });
    if (isNews) emit({ type: 'tool-blocked', tool: info });
  }

  function withdraw(name: string): void {
    const place = places.get(name);
    if (!place) return;
    places.delete(name);
    if (place.serving) {
      register(name);
      retire(place.serving);
    }
    emit({ type: 'tool-removed', name });
  }

  /** Records the first allowed call. From then on, the traits of the tool apply. */
  async function noteUse(name: string, { version }: CatalogVersion): Promise<void> {
    try {
      for (let isWritten = false; !isWritten;) {
        const kept = await catalog.entry(name);
        const known = kept?.entry.versions.find((one) => one.version === version);
        if (!kept || !known || known.isTried) break;
        const versions = kept.entry.versions.map((one) => (one === known ? { ...one, isTried: true } : one));
        isWritten = await catalog.save({ ...kept.entry, versions }, kept.revision);
      }
      await follow(name);
    } catch {
      // The next call asks for permission again.
    }
  }

  function retire({ version, folder }: NonNullable<Place['serving']>, keepsFiles = false): void {
    wanted.delete(folder);
    const end = async (): Promise<void> => {
      await version.retire();
      if (keepsFiles || wanted.has(folder)) return;
      const removal = removeToolFolder(directory, folder).finally(() => removals.delete(folder));
      removals.set(folder, removal);
      await removal;
    };
    const tracked: Promise<unknown> = end().finally(() => endings.delete(tracked));
    endings.add(tracked);
  }

  return {
    follow,
    async followAll() {
      try {
        const { found, unreadable } = await catalog.entries();
        const names = new Set([...found.map(({ entry }) => entry.name), ...places.keys()]);
        for (const { name } of unreadable) names.delete(name);
        await Promise.all([...names].map((name) => follow(name)));
        for (const { name, reason } of unreadable) refuseUnreadable(name, reason);
      } catch (error) {
        emit({ type: 'catalog-failed', message: describeCause(error) });
      }
      return listInfos();
    },
    infos: listInfos,
    followShadowed() {
      for (const [name, { info }] of places) {
        const holder = info.state === 'shadowed' ? registry.providerFor(name) : generatedProvider;
        if (holder === undefined) void follow(name);
      }
    },
    open: () => register(),
    async close() {
      isClosed = true;
      await Promise.all(queues.values());
      const names = [...places.keys()];
      registry.batch((draft) => {
        for (const name of names) draft.unregister(name, generatedProvider);
        for (const one of options.lifecycleTools()) draft.unregister(one.name, lifecycleProvider);
      });
      for (const { serving } of places.values()) if (serving) retire(serving, true);
      places.clear();
      await Promise.all(endings);
      loader.close();
    },
  };

  function listInfos(): readonly GeneratedToolInfo[] {
    return [...places.values()].map(({ info }) => info).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  function refuseUnreadable(name: string, reason: string): void {
    const info: GeneratedToolInfo = {
      name,
      state: 'failed',
      reason,
      description: '',
      version: 0,
      versions: [],
      capabilities: {},
      isTried: false,
    };
    const serving = places.get(name)?.serving;
    places.set(name, { info, serving, isTried: false });
    emit({ type: 'tool-blocked', tool: info });
  }
}

/** The properties that determine whether a version must be loaded again. */
function printOf({ version, hash, capabilities }: CatalogVersion): string {
  return JSON.stringify([version, hash, capabilities]);
}

function infoOf({ entry }: StoredEntry, version: CatalogVersion, description: string): GeneratedToolInfo {
  return {
    name: entry.name,
    state: 'live',
    reason: '',
    description,
    version: version.version,
    versions: entry.versions.map((one) => one.version),
    capabilities: version.capabilities,
    isTried: version.isTried,
  };
}
