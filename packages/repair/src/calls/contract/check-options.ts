import type { CallableTool } from './envelope.ts';
import type { ExtractOptions } from './extraction.ts';

/**
 * Refuses, with a `TypeError` that says what was expected, options that calls can't be read by. Returns the tools that can be
 * called: one with an empty name is left out, and reported.
 */
export function checkExtractOptions(options: ExtractOptions): readonly CallableTool[] {
  const tools: unknown = (options as Partial<ExtractOptions> | undefined)?.tools;
  if (!Array.isArray(tools)) {
    throw new TypeError('options.tools must be a list of tools that may be called, each { name, parameters? }');
  }
  const nameless = (tools as readonly unknown[]).findIndex((tool) => nameOf(tool) === undefined);
  if (nameless === -1) return callable(options);
  const inner = (tools[nameless] as { readonly function?: unknown } | null | undefined)?.function;
  const remedy = nameOf(inner) === undefined ? '' : `; of an OpenAI tool, give its \`function\``;
  throw new TypeError(`options.tools[${nameless}] has no name; expected { name, parameters? }${remedy}`);
}

function callable({ tools, onDiagnostic }: ExtractOptions): readonly CallableTool[] {
  if (tools.every(({ name }) => name !== '')) return tools;
  return tools.filter(({ name }, index) => {
    if (name === '')
      onDiagnostic?.(`options.tools[${index}].name: the tool is left out (expected a name, got an empty string)`);
    return name !== '';
  });
}

function nameOf(tool: unknown): string | undefined {
  const name = typeof tool === 'object' && tool !== null ? (tool as { readonly name?: unknown }).name : undefined;
  return typeof name === 'string' ? name : undefined;
}
