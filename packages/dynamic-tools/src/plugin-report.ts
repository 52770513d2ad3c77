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
 * - `register`: another provider owns a name it claims.
 * - `dispose`: the old version's `dispose` threw or did not end; the new version serves all the same.
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

/** Why a plugin, or its newest version, is not served. */
export interface PluginFailure {
  readonly id: string;
  readonly phase: PluginPhase;
  readonly message: string;
  /** The file to look at, relative to the watched folder; empty when none is to blame. */
  readonly file: string;
  /** Line in that file, from 1; absent if unknown. */
  readonly line?: number;
}

/** What a loader knows of one plugin. */
export interface PluginInfo {
  /** Name of its folder, or of its file without extension. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** `live`: the newest version serves; `outdated`: an older one does, since the newest failed; `failed`: none does. */
  readonly state: 'live' | 'outdated' | 'failed';
  /** Names of the tools that are served. */
  readonly tools: readonly string[];
  /** Names of the prompts that are served. */
  readonly prompts: readonly string[];
  /** URIs of the resources that are served. */
  readonly resources: readonly string[];
  /** Names of its hooks around other tools' calls and turns, such as `beforeCall`. */
  readonly hooks: readonly string[];
  /** Capabilities that it requests; the loader's `grants` decide which it gets. */
  readonly capabilities: PluginCapabilities;
  /** Where it runs: in this program, in a process of its own, or in one that is jailed besides. Absent when it is not served. */
  readonly isolation?: 'inline' | 'process' | 'jail';
  /** How many versions of it have been served since the loader started. */
  readonly revision: number;
  /** Why the newest version is not served. */
  readonly failure?: PluginFailure;
}

/** What a loader reports, as it happens. */
export type PluginEvent =
  /** A plugin that was not served is served. */
  | { readonly type: 'loaded'; readonly plugin: PluginInfo }
  /** A new version replaced the served one. */
  | { readonly type: 'replaced'; readonly plugin: PluginInfo }
  /** Something went wrong; `serving` says whether an older version still answers. */
  | { readonly type: 'failed'; readonly failure: PluginFailure; readonly serving: boolean }
  /** Its process ended without having been asked to; it is started again after a while, when a call comes. */
  | { readonly type: 'crashed'; readonly id: string; readonly reason: string; readonly retryAfterMs: number }
  /** The plugin's files are gone, and so are its tools. */
  | { readonly type: 'removed'; readonly id: string }
  /** The last call of a version that is no longer served has ended, and the version was disposed of. */
  | { readonly type: 'disposed'; readonly id: string; readonly revision: number }
  /** There is no such folder; its plugins are loaded as soon as it comes into being. */
  | { readonly type: 'directory-missing'; readonly directory: string; readonly message: string }
  /** The folder itself can't be watched. */
  | { readonly type: 'watch-failed'; readonly message: string };

/** A failure on its way to becoming a {@link PluginFailure}, with the file as an absolute path. */
export interface LoadProblem {
  readonly phase: PluginPhase;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}
