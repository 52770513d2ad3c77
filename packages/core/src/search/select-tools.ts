import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
import { asModelTool } from '../registry/as-model-tool.ts';

/** Selects the tools that a model is shown from the start when not all of them fit. */
export type ToolSelector = (snapshot: ToolSnapshot, maxBytes: number) => readonly AnyTool[];

/**
 * Returns the size of a tool's definition in a request, in bytes of UTF-8 JSON.
 *
 * @example
 * import { defineTool } from '@haft/core';
 * import { definitionBytes } from '@haft/core/search';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * definitionBytes(ping) < 200; // => true
 */
export function definitionBytes(tool: AnyTool): number {
  let bytes = sizes.get(tool);
  if (bytes === undefined) {
    bytes = measure(tool);
    sizes.set(tool, bytes);
  }
  return bytes;
}

/** A definition that can't be serialized never fits. */
function measure(tool: AnyTool): number {
  try {
    return new TextEncoder().encode(JSON.stringify(asModelTool(tool))).length;
  } catch {
    return Infinity;
  }
}

const sizes = new WeakMap<AnyTool, number>();

/**
 * Selects tools that fit, by descending weight. Among equal weights, the smallest definition comes first. Skips tools
 * of weight 0 or less, and tools that do not fit.
 *
 * @param weightOf returns the weight of a tool; default: the weight of its preference, or 0.
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

/** Returns the weight in a tool's preference if it is a number. */
export function preferredWeight({ preference: { weight } }: AnyTool): number | undefined {
  return weight !== undefined && Number.isFinite(weight) ? weight : undefined;
}
