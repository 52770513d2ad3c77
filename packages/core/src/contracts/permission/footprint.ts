/**
 * The resources a call reads and writes, as keys: `file:/project/src/a.ts` names one file, `file:/project/src/`
 * (with the slash at its end) everything below a folder, `*` everything there is; any other text names a resource of your
 * own, such as `db:users`, and a path without `file:` is refused.
 * Calls whose footprints do not conflict overlap in time.
 */
export interface Footprint {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}
