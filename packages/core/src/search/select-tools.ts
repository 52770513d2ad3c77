import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
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
 * Takes tools as far as they fit, the heaviest first and the smallest definition among equals; tools of weight 0 or less are
 * left to be found. One that does not fit hinders none of those after it.
 *
 * @param weightOf how much a tool weighs; default: what its preference says, else 0.
 */
export function selectByWeight(
  weightOf: (tool: AnyTool, provider: string) => number = (tool) => preferredWeight(tool) ?? 0,
): ToolSelector {
  return (snapshot, maxBytes) => {
    const weighed = snapshot.tools
      .map((tool) => ({
        tool,
        weight: weightOf(tool, snapshot.providerFor(tool.name) ?? ''),
        bytes: definitionBytes(tool),
      }))
      .filter(({ weight }) => weight > 0);
    weighed.sort((a, b) => b.weight - a.weight || a.bytes - b.bytes);
    let room = maxBytes;
    return weighed.flatMap(({ tool, bytes }) => {
      if (bytes > room) return [];
      room -= bytes;
      return [tool];
    });
  };
}

/** What a tool's preference says that it weighs, where that is a number. */
export function preferredWeight({ preference: { weight } }: AnyTool): number | undefined {
  return weight !== undefined && Number.isFinite(weight) ? weight : undefined;
}
