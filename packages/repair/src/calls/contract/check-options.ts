import type { CallableTool } from './envelope.ts';
import type { ExtractOptions } from './extraction.ts';

/**
 * Checks the options for reading calls. Throws a `TypeError` that names the expected value. Returns the tools that can
 * be called. A tool with an empty name is omitted and reported.
 */
export function checkExtractOptions(options: ExtractOptions): readonly CallableTool[] {
  const tools: unknown = (options as Partial<ExtractOptions> | undefined)?.tools;
  if (!Array.isArray(tools)) {
    throw new TypeError('options.tools must be an array of { name, parameters? }');
  }
  const nameless = (tools as readonly unknown[]).findIndex((tool) => nameOf(tool) === undefined);
  if (nameless === -1) return callable(options);
  const inner = (tools[nameless] as { readonly function?: unknown } | null | undefined)?.function;
  const remedy = nameOf(inner) === undefined ? '' : `; for an OpenAI tool, pass its \`function\``;
  throw new TypeError(`options.tools[${nameless}] has no name; expected { name, parameters? }${remedy}`);
}

function callable({ tools, onWarning }: ExtractOptions): readonly CallableTool[] {
  if (tools.every(({ name }) => name !== '')) return tools;
  return tools.filter(({ name }, index) => {
    if (name === '')
      onWarning?.(`options.tools[${index}].name: the tool is omitted (expected a name, got an empty string)`);
    return name !== '';
  });
}

function nameOf(tool: unknown): string | undefined {
  const name = typeof tool === 'object' && tool !== null ? (tool as { readonly name?: unknown }).name : undefined;
  return typeof name === 'string' ? name : undefined;
}
