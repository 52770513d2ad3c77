import type { PluginFailure, PluginInfo } from './plugin-report.ts';
import type { PluginVersion } from './plugin-version.ts';

/** One place in the watched folder where a plugin is, or was a moment ago. */
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
  /** Provider, or id, that kept the newest version from being registered; it is tried again when that one goes. */
  blockedBy: string | undefined;
  /** Versions served so far. */
  revision: number;
  /** Files that the newest load reached: a change of one of them calls for another load. */
  files: ReadonlySet<string>;
  /** Whether something has happened that the loads so far have not seen. */
  due: boolean;
  lastEventAt: number;
  /** The work on this plugin, while there is some. */
  working: Promise<void> | undefined;
}

/** A place where nothing has been loaded yet. */
export function createSlot(segment: string, path: string, id: string, provider: string): PluginSlot {
  return {
    segment,
    path,
    id,
    provider,
    current: undefined,
    failure: undefined,
    blockedBy: undefined,
    revision: 0,
    files: new Set(),
    due: false,
    lastEventAt: 0,
    working: undefined,
  };
}

/** What the world is told of a plugin. */
export function infoOf(slot: PluginSlot): PluginInfo {
  const { current, failure } = slot;
  return {
    id: slot.id,
    name: current?.plugin.name ?? slot.id,
    version: current?.plugin.version ?? '',
    description: current?.plugin.description ?? '',
    status: current === undefined ? 'failed' : failure === undefined ? 'live' : 'outdated',
    tools: current?.tools.map((tool) => tool.name) ?? [],
    revision: slot.revision,
    ...(failure === undefined ? {} : { failure }),
  };
}
