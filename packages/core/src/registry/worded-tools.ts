import type { ToolSnapshot, AnyTool, DescriptionContext } from '../contracts/tools/tool.ts';
import { tryDescribe } from '../define/describe-to.ts';
import { mapSnapshot } from './snapshot.ts';

/** Most wordings of one snapshot that are remembered at a time. */
const maxPerSnapshot = 16;

/** The tools of a snapshot that describe themselves by the moment, and what they are asked beside. */
interface Speakers {
  readonly speaking: readonly AnyTool[];
  /** One function a snapshot, so that a tool which describes others can tell that nothing has changed. */
  readonly has: DescriptionContext['has'];
}

/**
 * Makes a function that words those tools of a snapshot that describe themselves by the moment, for one model. It gives
 * the same object again for the same words; tools whose words can't be had keep those they have.
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
