import type { ToolSnapshot } from '../contracts/source.ts';
import type { AnyTool } from '../contracts/tool.ts';
import { asModelTool } from '../registry/as-model-tool.ts';

/** Decides which tools a model is shown from the beginning, where there are too many to show all. */
export type ToolSelector = (snapshot: ToolSnapshot, maxBytes: number) => readonly AnyTool[];

/** The bytes that a tool's definition takes in a request, as JSON in UTF-8. */
export function definitionBytes(tool: AnyTool): number {
  let bytes = sizes.get(tool);
  if (bytes === undefined) {
    bytes = measure(tool);
    sizes.set(tool, bytes);
  }
  return bytes;
}

/** What can't be sent takes more room than there is. */
function measure(tool: AnyTool): number {
  try {
    return new TextEncoder().encode(JSON.stringify(asModelTool(tool))).length;
  } catch {
    return Infinity;
  }
}

const sizes = new WeakMap<AnyTool, number>();

/**
 * Takes tools by the weight of their preference, the heaviest first and by name among equals, until the next one would
 * not fit; tools of weight 0 or less are left to be found. A tool without a weight has 1 when it is `kept`, else 0.
 */
export function selectByWeight(kept: (tool: AnyTool, provider: string) => boolean): ToolSelector {
  return (snapshot, maxBytes) => {
    const weighed = snapshot.tools
      .map((tool) => ({ tool, weight: weightOf(tool, kept(tool, snapshot.providerFor(tool.name) ?? '')) }))
      .filter(({ weight }) => weight > 0);
    weighed.sort((a, b) => b.weight - a.weight);
    const selected: AnyTool[] = [];
    let bytes = 0;
    for (const { tool } of weighed) {
      bytes += definitionBytes(tool);
      if (bytes > maxBytes) break;
      selected.push(tool);
    }
    return selected;
  };
}

function weightOf(tool: AnyTool, isKept: boolean): number {
  const { weight } = tool.preference;
  return weight !== undefined && Number.isFinite(weight) ? weight : isKept ? 1 : 0;
}
