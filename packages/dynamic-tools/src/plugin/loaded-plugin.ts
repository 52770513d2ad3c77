import type { ReadPlugin } from './create-plugin-from-export.ts';

/** A plugin that can be served. */
export interface LoadedPlugin extends ReadPlugin {
  /** Where it runs: in this program, in a process of its own, or in one that is jailed besides. */
  readonly isolation: 'inline' | 'process' | 'jail';
  /** What its process said of it, where it has one. */
  readonly described?: unknown;
  /** Ends it and what it started; resolves to the reason when that failed. Never rejects. */
  dispose(timeoutMs: number): Promise<string | undefined>;
}
