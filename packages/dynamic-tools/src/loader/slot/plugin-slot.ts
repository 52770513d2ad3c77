import type { PluginCapabilities } from '../../capabilities.ts';
import type { PluginFailure, PluginInfo } from '../../plugin-report.ts';
import type { PluginVersion } from './plugin-version.ts';

/** An entry of the watched folder that is, or recently was, a plugin. */
export interface PluginSlot {
  /** Name of the file or folder. */
  readonly segment: string;
  readonly path: string;
  readonly id: string;
  /** Provider path of its tools. */
  readonly provider: string;
  /** The version that serves. */
  current: PluginVersion | undefined;
  failure: PluginFailure | undefined;
  /** What keeps the newest version from being registered; it is tried again when that changes. */
  blocked: Blocked | undefined;
  /** What its manifest says it needs. */
  capabilities: PluginCapabilities;
  /** Versions served so far. */
  revision: number;
  /** Whether its files have changed or a load was requested since the last load: the next outcome is reported. */
  isTouched: boolean;
  /** Whether what was remembered of it may be wrong, so that the next load asks its process. */
  isUncertain: boolean;
  /** Files that the newest load reached, or reaches later: a change of one of them calls for another load. */
  files: ReadonlySet<string>;
}

/** A name or id that another provider owns. */
export interface Blocked {
  /** Empty when the id is taken. */
  readonly name: string;
  /** Provider path of who has it; for an id the path of the other file or folder. */
  readonly holder: string;
  /** What it is the name of; absent for a tool, and when the id is taken. */
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

/** Tells whether there is anything to say of a slot. */
export function isKnown(slot: PluginSlot): boolean {
  return slot.current !== undefined || slot.failure !== undefined;
}

/** Public state of a plugin. */
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
