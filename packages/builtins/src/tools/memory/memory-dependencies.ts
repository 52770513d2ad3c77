import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import type { MemoryStores } from '../../notes/memory-stores.ts';

/** What the memory tools work with. */
export type MemoryDependencies = BuiltinDependencies & { readonly memory: MemoryStores };
