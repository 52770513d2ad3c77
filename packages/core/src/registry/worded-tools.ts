import type { ToolSnapshot, AnyTool, DescriptionContext } from '../contracts/tools/tool.ts';
import { tryDescribe } from '../define/tool-description.ts';
import { mapSnapshot } from './snapshot.ts';

/** Maximum number of cached description sets per snapshot. */
const maxPerSnapshot = 16;

/** The tools of a snapshot with dynamic descriptions, and the context that they receive. */
interface Speakers {
  readonly speaking: readonly AnyTool[];
  /** One function per snapshot, so that a tool that describes other tools can detect that nothing changed. */
  readonly has: DescriptionContext['has'];
}

/**
 * Creates a function that resolves the dynamic descriptions of a snapshot for one model. It returns the same object for
 * the same descriptions. A tool keeps its current description if its function fails.
 */
export function createWording(): (snapshot: ToolSnapshot, model: DescriptionContext['model']) => ToolSnapshot {
  const bySnapshot = new WeakMap<ToolSnapshot, Map<string, ToolSnapshot>>();
  const speakers = new WeakMap<ToolSnapshot, Speakers>();
  return (snapshot, model) => {
    let among = speakers.get(snapshot);
    if (among === undefined) {
      const speaking = snapshot.tools.filter((tool) => tool.describe !== undefined);
      among = { speaking, has: (name) => snapshot.has(name) };
      speakers.set(snapshot, among);
    }
    const { speaking, has } = among;
    if (speaking.length === 0) return snapshot;
    const context: DescriptionContext = { model, has };
    const words = new Map(speaking.map((tool) => [tool, tryDescribe(tool, context)]));
    let known = bySnapshot.get(snapshot);
    if (known === undefined) bySnapshot.set(snapshot, (known = new Map()));
    const key = JSON.stringify([...words.values()]);
    let worded = known.get(key);
    if (worded === undefined) {
      if (known.size >= maxPerSnapshot) known.clear();
      worded = mapSnapshot(snapshot, words.keys(), (tool) => {
        const description = words.get(tool) ?? tool.description;
        return description === tool.description ? tool : { ...tool, description };
      });
      known.set(key, worded);
    }
    return worded;
  };
}
