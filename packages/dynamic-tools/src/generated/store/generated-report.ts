import type { PluginCapabilities } from '../../capabilities.ts';

/**
 * State of a generated tool.
 *
 * - `live`: it can be called.
 * - `shadowed`: another provider owns its name.
 * - `missing`: its files are gone.
 * - `changed`: its files differ from the approved version. It does not run until it is approved again.
 * - `failed`: it can't be read or loaded.
 */
export type GeneratedToolState = 'live' | 'shadowed' | 'missing' | 'changed' | 'failed';

/** State and metadata of a generated tool. */
export interface GeneratedToolInfo {
  readonly name: string;
  readonly state: GeneratedToolState;
  /** Why the tool or its newest version can't be called. Empty if it can. */
  readonly reason: string;
  readonly description: string;
  /** The current version. */
  readonly version: number;
  /** All versions that a rollback can restore. */
  readonly versions: readonly number[];
  readonly capabilities: PluginCapabilities;
  /**
   * Whether a call of this version has been allowed before. Until then, the user is asked regardless of the tool's
   * traits.
   */
  readonly isTried: boolean;
}

/** Changes of generated tools. */
export type GeneratedToolEvent =
  /** A tool became callable. */
  | { readonly type: 'tool-added'; readonly tool: GeneratedToolInfo }
  /** Another version replaced the current one. */
  | { readonly type: 'tool-replaced'; readonly tool: GeneratedToolInfo }
  /** The tool is no longer in the catalog. */
  | { readonly type: 'tool-removed'; readonly name: string }
  /** The tool or its newest version can't be called. `tool.state` and `tool.reason` say why. */
  | { readonly type: 'tool-blocked'; readonly tool: GeneratedToolInfo }
  /** A draft failed its trial. */
  | { readonly type: 'tool-quarantined'; readonly name: string; readonly report: string }
  /** The tool's process ended unexpectedly. */
  | { readonly type: 'tool-crashed'; readonly name: string; readonly reason: string }
  /** The catalog could not be read. The tools stay as they were. */
  | { readonly type: 'catalog-failed'; readonly message: string };
