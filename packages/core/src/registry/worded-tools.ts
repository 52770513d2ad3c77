import type { ToolSnapshot } from '../contracts/source.ts';
import type { AnyTool, DescriptionContext } from '../contracts/tool.ts';
import { tryDescribe } from '../describe-to.ts';
import { mapSnapshot } from './snapshot.ts';

/** Most wordings of one snapshot that are remembered at a time. */
const mostPerSnapshot = 16;

/**
 * Makes a function that words those tools of a snapshot that describe themselves by the moment, for one model. It gives
 * the same object again for the same words; tools whose words can't be had keep those they have.
 */
export function createWording(): (snapshot: ToolSnapshot, model: DescriptionContext['model']) => ToolSnapshot {
  const bySnapshot = new WeakMap<ToolSnapshot, Map<string, ToolSnapshot>>();
  const speakers = new WeakMap<ToolSnapshot, readonly AnyTool[]>();
  return (snapshot, model) => {
    let speaking = speakers.get(snapshot);
    if (speaking === undefined) {
      speaking = snapshot.tools.filter((tool) => tool.describe !== undefined);
      speakers.set(snapshot, speaking);
    }
    if (speaking.length === 0) return snapshot;
    // The snapshot's own, so that whoever describes itself by it can tell that nothing has changed.
    const context: DescriptionContext = { model, has: snapshot.has };
    const words = new Map(speaking.map((tool) => [tool, tryDescribe(tool, context)]));
    let known = bySnapshot.get(snapshot);
    if (known === undefined) bySnapshot.set(snapshot, (known = new Map()));
    const key = JSON.stringify([...words.values()]);
    let worded = known.get(key);
    if (worded === undefined) {
      if (known.size >= mostPerSnapshot) known.clear();
      worded = mapSnapshot(snapshot, words.keys(), (tool) => {
        const description = words.get(tool) ?? tool.description;
        return description === tool.description ? tool : { ...tool, description };
      });
      known.set(key, worded);
    }
    return worded;
  };
}
