import type { CallableTool } from '../../contract/envelope.ts';
import { foldName, resolveName } from '../../contract/resolve-tool-name.ts';

/** Finds declared tools by the names in a text. */
export interface ToolFinder {
  /** Returns the tool with a name, in any spelling. */
  readonly named: (name: string | undefined) => CallableTool | undefined;
  /** Returns whether a tool has exactly this name. */
  readonly exact: (name: string | undefined) => boolean;
}

const maxCachedNames = 1_000;

/** Creates a finder of tools that remembers the names that it has looked up. */
export function createToolFinder(tools: readonly CallableTool[]): ToolFinder {
  let folded: ReadonlySet<string> | undefined;
  let names: ReadonlySet<string> | undefined;
  const known = new Map<string, CallableTool | undefined>();
  return {
    exact: (name) => name !== undefined && (names ??= new Set(tools.map((tool) => tool.name))).has(name),
    named: (name) => {
      if (name === undefined) return undefined;
      if (known.has(name)) return known.get(name);
      folded ??= new Set(tools.flatMap((tool) => [foldName(tool.name), foldName(tool.name.split('.').at(-1) ?? '')]));
      const isKnown = [name, ...name.split(/[.:/$]/)].some((part) => folded?.has(foldName(part)) === true);
      // `call:weather_at` and `$weather_at` too.
      const tool = isKnown
        ? (resolveName(tools, name) ?? resolveName(tools, name.split(/[:/$]/).at(-1) ?? ''))?.tool
        : undefined;
      if (known.size < maxCachedNames) known.set(name, tool);
      return tool;
    },
  };
}
