/**
 * The resources that a call reads and writes, as keys. `file:/project/src/a.ts` is a file. `file:/project/src/` (with a
 * trailing slash) is everything below a directory. `*` is every resource. Any other text is a custom resource, such as
 * `db:users`. A path without `file:` is rejected. Calls whose footprints do not conflict run concurrently.
 */
export interface Footprint {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}
