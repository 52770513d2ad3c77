import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import type { MemoryStores } from '../../notes/memory-stores.ts';

/** Dependencies of the memory tools. */
export type MemoryDependencies = BuiltinDependencies & { readonly memory: MemoryStores };
