import type { ReadPlugin } from './create-plugin-from-export.ts';

/** A loaded plugin. */
export interface LoadedPlugin extends ReadPlugin {
  /** Where it runs: in this program, in its own process, or in its own jailed process. */
  readonly isolation: 'inline' | 'process' | 'jail';
  /** The description that its process returned. Absent for an inline plugin. */
  readonly described?: unknown;
  /** What it declares without having the grant, and the grants to write. Absent if it has all of them. */
  readonly missingGrants?: string;
  /** Disposes of the plugin and ends its process. Resolves to the reason if that failed. Never rejects. */
  dispose(timeoutMs: number): Promise<string | undefined>;
}
