/**
 * Descriptions that replace those of tools while the program runs: a person's wording, an optimiser's, a translation.
 * Reading is synchronous, from what `load` brought and `set` changed.
 */
export interface DescriptionStore {
  /** Grows with every change. */
  readonly revision: number;
  /** What a tool is described by instead of its own words; `undefined` when by those. */
  description(name: string): string | undefined;
  /** Replaces all descriptions at once, by those given or else by those that were kept. */
  load(descriptions?: Iterable<readonly [name: string, description: string]>): Promise<void>;
  /** Replaces a description; kept before anybody is told. */
  set(name: string, description: string): Promise<void>;
  /** Brings a tool's own description back; false when it had no other. */
  delete(name: string): Promise<boolean>;
  /** Adds what is to be done when descriptions change, such as making a new snapshot; returns how to remove it. */
  addBumper(bump: (names: readonly string[]) => void): () => void;
}
