import { findStopFault, findStranger } from '../../options/find-option-fault.ts';
import { invalidOption } from '../../options/invalid-option.ts';
import type { CallableTool } from './envelope.ts';
import type { ExtractOptions } from './extraction.ts';

const names: readonly (keyof ExtractOptions)[] = [
  'tools',
  'envelopes',
  'stopped',
  'startsInReasoning',
  'limits',
  'onWarning',
];

/** Names under which other libraries and protocols keep the schema of a tool. If ignored, the schema would not count. */
const foreignSchemas = ['inputSchema', 'input_schema'] as const;

/**
 * Checks the options for reading calls. Returns the tools that can be called. A tool with an empty name is omitted and
 * reported.
 *
 * @throws TypeError with the code `INVALID_OPTION` that names the expected value.
 */
export function checkExtractOptions(options: ExtractOptions): readonly CallableTool[] {
  const tools: unknown = (options as Partial<ExtractOptions> | undefined)?.tools;
  if (!Array.isArray(tools)) {
    throw invalidOption('options.tools must be an array of { name, parameters? }');
  }
  const fault = findStranger(options, names, 'options') ?? findStopFault(options.stopped, 'options.stopped');
  if (fault !== undefined) throw invalidOption(fault);
  for (const [index, tool] of (tools as readonly unknown[]).entries()) checkTool(tool, `options.tools[${index}]`);
  return callable(options);
}

function checkTool(tool: unknown, path: string): void {
  if (nameOf(tool) === undefined) {
    const inner = (tool as { readonly function?: unknown } | null | undefined)?.function;
    const remedy = nameOf(inner) === undefined ? '' : `; for an OpenAI tool, pass its \`function\``;
    throw invalidOption(`${path} has no name; expected { name, parameters? }${remedy}`);
  }
  const members = tool as Readonly<Record<string, unknown>>;
  const foreign = foreignSchemas.find((name) => members[name] !== undefined);
  if (foreign !== undefined && members['parameters'] === undefined)
    throw invalidOption(
      `${path}.${foreign} is not read (did you mean parameters?); expected { name, parameters? } with a JSON Schema`,
    );
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
