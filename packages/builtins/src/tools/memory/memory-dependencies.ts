import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import type { MemoryPlaces } from '../../notes/memory-places.ts';

/** What the memory tools work with. */
export type MemoryDependencies = BuiltinDependencies & { readonly memory: MemoryPlaces };
