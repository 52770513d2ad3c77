import type { PluginCapabilities } from '../../capabilities.ts';

/**
 * State of a generated tool.
 *
 * - `live`: it can be called.
 * - `shadowed`: another provider owns its name.
 * - `missing`: its files are gone.
 * - `changed`: its files differ from the approved version; it does not run until it is approved again.
 * - `failed`: it can't be read or loaded.
 */
export type GeneratedToolState = 'live' | 'shadowed' | 'missing' | 'changed' | 'failed';

/** State and metadata of a generated tool. */
export interface GeneratedToolInfo {
  readonly name: string;
  readonly state: GeneratedToolState;
  /** Why it, or its newest version, can't be called; empty when it can. */
  readonly reason: string;
  readonly description: string;
  /** The version that serves. */
  readonly version: number;
  /** All that can be gone back to. */
  readonly versions: readonly number[];
  readonly capabilities: PluginCapabilities;
  /** Whether a call of this version was allowed before. Until then the user is asked, whatever the tool claims. */
  readonly isTried: boolean;
}

/** Changes of generated tools. */
export type GeneratedToolEvent =
  /** A tool that was not served is served. */
  | { readonly type: 'tool-added'; readonly tool: GeneratedToolInfo }
  /** Another version replaced the served one. */
  | { readonly type: 'tool-replaced'; readonly tool: GeneratedToolInfo }
  /** It is no longer in the catalog. */
  | { readonly type: 'tool-removed'; readonly name: string }
  /** It, or its newest version, can't be served; `tool.state` and `tool.reason` say why. */
  | { readonly type: 'tool-blocked'; readonly tool: GeneratedToolInfo }
  /** What was written did not pass its trial. */
  | { readonly type: 'tool-quarantined'; readonly name: string; readonly report: string }
  /** Its process ended without having been asked to. */
  | { readonly type: 'tool-crashed'; readonly name: string; readonly reason: string }
  /** The catalog could not be read; what is served is what was known before. */
  | { readonly type: 'catalog-failed'; readonly message: string };
