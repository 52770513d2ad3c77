import type { DescriptionStore } from '../contracts/tools/description-store.ts';
import type { RegisteredTool } from './snapshot.ts';

/**
 * Creates a function that applies the description in a store to a registered tool. Returns the same object for the same
 * tool and description. A store that throws counts as empty.
 */
export function createDescriber(store: DescriptionStore | undefined): (entry: RegisteredTool) => RegisteredTool {
  if (!store) return (entry) => entry;
  const described = new WeakMap<RegisteredTool, RegisteredTool>();
  return (entry) => {
    const description = ask(store, entry.name);
    if (description === undefined || (description === entry.tool.description && !entry.tool.describe)) return entry;
    const known = described.get(entry);
    if (known?.tool.description === description) return known;
    const tool = { ...entry.tool, description };
    delete tool.describe;
    const changed = { ...entry, tool };
    described.set(entry, changed);
    return changed;
  };
}

function ask(store: DescriptionStore, name: string): string | undefined {
  try {
    return store.description(name);
  } catch {
    return undefined;
  }
}
