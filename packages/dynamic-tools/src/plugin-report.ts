import type { PluginCapabilities } from './capabilities.ts';

/**
 * Phase in which a plugin failed.
 *
 * - `discover`: the entry file is missing or the manifest can't be read.
 * - `import`: its code does not parse, throws, lacks a dependency, or does not load in time.
 * - `validate`: its default export is not a plugin, or one of its tools is invalid.
 * - `disabled`: the catalog marks it as disabled.
 * - `isolate`: it is not trusted and no jail is available, or it has hooks that were not granted.
 * - `setup`: its `setup` threw or did not end in time.
 * - `register`: another provider owns one of its names.
 * - `dispose`: the old version's `dispose` threw or did not end. The new version is used anyway.
 */
export type PluginPhase =
  | 'discover'
  | 'disabled'
  | 'isolate'
  | 'import'
  | 'validate'
  | 'setup'
  | 'register'
  | 'dispose';

/** Why a plugin, or its newest version, is not loaded. */
export interface PluginFailure {
  readonly id: string;
  readonly phase: PluginPhase;
  readonly message: string;
  /** The file that caused the failure, relative to the watched folder. Empty if no file did. */
  readonly file: string;
  /** Line in that file, starting at 1. Absent if unknown. */
  readonly line?: number;
}

/** The state of one plugin. */
export interface PluginInfo {
  /** The name of its folder, or of its file without extension. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /**
   * `live`: the newest version is loaded. `outdated`: an older version is loaded, because the newest failed. `failed`:
   * no version is loaded.
   */
  readonly state: 'live' | 'outdated' | 'failed';
  /** Names of its registered tools. */
  readonly tools: readonly string[];
  /** Names of its prompts. */
  readonly prompts: readonly string[];
  /** URIs of its resources. */
  readonly resources: readonly string[];
  /** Names of its hooks for the calls and turns of others, such as `beforeCall`. */
  readonly hooks: readonly string[];
  /** Capabilities that it requests; the loader's `grants` decide which it gets. */
  readonly capabilities: PluginCapabilities;
  /**
   * Where it runs: in this program, in its own process, or in its own jailed process. Absent if no version is loaded.
   */
  readonly isolation?: 'inline' | 'process' | 'jail';
  /** Number of versions loaded since the loader started. */
  readonly revision: number;
  /** Why the newest version is not loaded. */
  readonly failure?: PluginFailure;
}

/** An event of a loader. */
export type PluginEvent =
  /** A plugin was loaded. */
  | { readonly type: 'loaded'; readonly plugin: PluginInfo }
  /** A new version replaced the current one. */
  | { readonly type: 'replaced'; readonly plugin: PluginInfo }
  /** A plugin was loaded without capabilities that it declares. `message` contains the grants to write. */
  | { readonly type: 'not-granted'; readonly id: string; readonly message: string }
  /** A plugin could not be loaded. `serving` says whether an older version is still loaded. */
  | { readonly type: 'failed'; readonly failure: PluginFailure; readonly serving: boolean }
  /** A plugin's process ended unexpectedly. After a delay, the next call restarts it. */
  | { readonly type: 'crashed'; readonly id: string; readonly reason: string; readonly retryAfterMs: number }
  /** The plugin's files are gone, and its tools were unregistered. */
  | { readonly type: 'removed'; readonly id: string }
  /** The last call of a replaced version has ended, and the version was disposed of. */
  | { readonly type: 'disposed'; readonly id: string; readonly revision: number }
  /** The folder does not exist. Its plugins are loaded as soon as it is created. */
  | { readonly type: 'directory-missing'; readonly directory: string; readonly message: string }
  /** The folder can't be watched. */
  | { readonly type: 'watch-failed'; readonly message: string };

/** A failure before its conversion to a {@link PluginFailure}, with an absolute path. */
export interface LoadProblem {
  readonly phase: PluginPhase;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}
