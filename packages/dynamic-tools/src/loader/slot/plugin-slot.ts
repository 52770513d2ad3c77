import type { PluginCapabilities } from '../../capabilities.ts';
import type { PluginFailure, PluginInfo } from '../../plugin-report.ts';
import type { PluginVersion } from './plugin-version.ts';

/** An entry of the watched folder that is, or recently was, a plugin. */
export interface PluginSlot {
  /** The name of the file or folder. */
  readonly segment: string;
  readonly path: string;
  readonly id: string;
  /** Provider path of its tools. */
  readonly provider: string;
  /** The current version. */
  current: PluginVersion | undefined;
  failure: PluginFailure | undefined;
  /**
   * The conflict that prevents the newest version from being registered. The version is tried again when the conflict
   * is gone.
   */
  blocked: Blocked | undefined;
  /** The capabilities that its manifest requests. */
  capabilities: PluginCapabilities;
  /** Number of versions that were loaded so far. */
  revision: number;
  /**
   * Whether its files have changed, or a load was requested, since the last load. The next outcome is then reported.
   */
  isTouched: boolean;
  /** Whether its stored description may be wrong, so that the next load asks its process. */
  isUncertain: boolean;
  /** Files that the newest version imports, now or later. A change of one of them triggers another load. */
  files: ReadonlySet<string>;
}

/** A name or id that another provider owns. */
export interface Blocked {
  /** The name, or an empty string if the id is taken. */
  readonly name: string;
  /** The provider path of the owner. For an id, the path of the other file or folder. */
  readonly holder: string;
  /** What the name belongs to. Absent if it is a tool's, or if the id is taken. */
  readonly part?: 'prompt' | 'resource';
}

/** Creates a slot without a loaded plugin. */
export function createSlot(segment: string, path: string, id: string): PluginSlot {
  return {
    segment,
    path,
    id,
    provider: `${pluginProvider}/${id}`,
    current: undefined,
    failure: undefined,
    blocked: undefined,
    capabilities: {},
    revision: 0,
    isTouched: true,
    isUncertain: false,
    files: new Set(),
  };
}

/** Provider path above all plugins. */
export const pluginProvider = 'dynamic/plugin';

/** Returns whether a slot has a state to report. */
export function isKnown(slot: PluginSlot): boolean {
  return slot.current !== undefined || slot.failure !== undefined;
}

/** Returns the public state of a plugin. */
export function infoOf(slot: PluginSlot): PluginInfo {
  const { current, failure } = slot;
  return {
    id: slot.id,
    name: current?.plugin.name ?? slot.id,
    version: current?.plugin.version ?? '',
    description: current?.plugin.description ?? '',
    state: current === undefined ? 'failed' : failure === undefined ? 'live' : 'outdated',
    tools: current?.tools.map((tool) => tool.name) ?? [],
    prompts: current?.prompts.map((prompt) => prompt.name) ?? [],
    resources: current?.resources.map((resource) => resource.uri) ?? [],
    hooks: current?.hooks?.names ?? [],
    revision: slot.revision,
    capabilities: current?.plugin.capabilities ?? slot.capabilities,
    ...(current === undefined ? {} : { isolation: current.plugin.isolation }),
    ...(failure === undefined ? {} : { failure }),
  };
}
