/**
 * Replacement descriptions for tools at run time, such as custom wording, optimized descriptions or translations. Reads
 * are synchronous and return what `load` and `set` stored.
 */
export interface DescriptionStore {
  /** Increases with every change. */
  readonly revision: number;
  /** Returns the replacement description of a tool, or `undefined` if the tool keeps its own. */
  description(name: string): string | undefined;
  /** Replaces all descriptions with the given ones, or with the persisted ones if none are given. */
  load(descriptions?: Iterable<readonly [name: string, description: string]>): Promise<void>;
  /** Replaces a description. Persists it before notifying listeners. */
  set(name: string, description: string): Promise<void>;
  /** Restores a tool's own description. Returns false if it was not replaced. */
  delete(name: string): Promise<boolean>;
  /**
   * Adds a function to call when descriptions change, for example to create a new snapshot. Returns a function that
   * removes it.
   */
  addBumper(bump: (names: readonly string[]) => void): () => void;
}
