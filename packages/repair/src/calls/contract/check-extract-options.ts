import {
  findLimitFault,
  findSchemaFault,
  findStopFault,
  findStranger,
  mismatch,
} from '../../options/find-option-fault.ts';
import { invalidOption } from '../../options/invalid-option.ts';
import type { CallableTool, Envelope } from './envelope.ts';
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
const foreignSchemas = ['inputSchema', 'input_schema', 'input'] as const;

/**
 * Checks the options for reading calls. Returns the tools that can be called. A tool with an empty name is omitted and
 * reported.
 *
 * @throws TypeError with the code `INVALID_OPTION` that names the function and the expected value.
 */
export function checkExtractOptions(
  owner: 'extractToolCalls' | 'createToolCallStream',
  options: ExtractOptions,
): readonly CallableTool[] {
  const fault = findOptionFault(options);
  if (fault !== undefined) throw invalidOption(`${owner}: ${fault}`);
  return callable(owner, options);
}

function findOptionFault(options: ExtractOptions): string | undefined {
  const tools: unknown = (options as Partial<ExtractOptions> | undefined)?.tools;
  if (!Array.isArray(tools)) return 'options.tools must be an array of { name, parameters? }';
  const { envelopes, limits, stopped } = options;
  const fault =
    findStranger(options, names, 'options') ??
    findStopFault(stopped, 'options.stopped') ??
    (limits === undefined ? undefined : findLimitFault(limits)) ??
    findEnvelopeFault(envelopes);
  if (fault !== undefined) return fault;
  for (const [index, tool] of (tools as readonly unknown[]).entries()) {
    const wrong = findToolFault(tool, `options.tools[${index}]`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function findEnvelopeFault(envelopes: readonly unknown[] | undefined): string | undefined {
  const wrong = envelopes?.findIndex((one) => typeof (one as Envelope | undefined)?.read !== 'function') ?? -1;
  if (wrong === -1) return undefined;
  return mismatch(`options.envelopes[${wrong}]`, 'an envelope, such as one of allEnvelopes', envelopes?.[wrong]);
}

function findToolFault(tool: unknown, path: string): string | undefined {
  if (nameOf(tool) === undefined) {
    const inner = (tool as { readonly function?: unknown } | null | undefined)?.function;
    const remedy = nameOf(inner) === undefined ? '' : `; for an OpenAI tool, pass its \`function\``;
    return `${path} has no name; expected { name, parameters? }${remedy}`;
  }
  const members = tool as Readonly<Record<string, unknown>>;
  const { parameters } = members;
  if ((parameters ?? undefined) !== undefined) return findSchemaFault(parameters, `${path}.parameters`);
  const foreign = foreignSchemas.find((name) => members[name] !== undefined);
  if (foreign === undefined) return undefined;
  const remedy = isHaftTool(members)
    ? 'for tools of @haft/core, pass asCallableTools(dispatcher.snapshot())'
    : 'did you mean parameters?';
  return `${path}.${foreign} is not read (${remedy}); expected { name, parameters? } with a JSON Schema`;
}

/** Checks for a tool of `defineTool`, whose `input` is a compiled schema. */
function isHaftTool({ input }: Readonly<Record<string, unknown>>): boolean {
  return typeof input === 'object' && input !== null && 'jsonSchema' in input;
}

function callable(owner: string, { tools, onWarning }: ExtractOptions): readonly CallableTool[] {
  if (tools.every(({ name }) => name !== '')) return tools;
  return tools.filter(({ name }, index) => {
    if (name === '')
      onWarning?.(`${owner}: options.tools[${index}].name: the tool is omitted (expected a name, got an empty string)`);
    return name !== '';
  });
}

function nameOf(tool: unknown): string | undefined {
  const name = typeof tool === 'object' && tool !== null ? (tool as { readonly name?: unknown }).name : undefined;
  return typeof name === 'string' ? name : undefined;
}
