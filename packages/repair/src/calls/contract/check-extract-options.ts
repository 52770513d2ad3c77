import {
  checkArgument,
  type FindFault,
  findLimitFault,
  findMemberFault,
  findSchemaFault,
  findStopFault,
  mismatch,
} from '../../options/check-argument.ts';
import type { CallableTool, Envelope } from './envelope.ts';
import type { ExtractOptions } from './extraction.ts';

const noFault: FindFault = () => undefined;

const checks: Readonly<Record<keyof ExtractOptions, FindFault>> = {
  tools: findToolsFault,
  envelopes: findEnvelopeFault,
  stopped: findStopFault,
  startsInReasoning: noFault,
  limits: findLimitFault,
  onWarning: noFault,
};

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
  checkArgument(options, `${owner}: options`, findExtractFault);
  const { tools, onWarning } = options;
  if (tools.every(({ name }) => name !== '')) return tools;
  return tools.filter(({ name }, index) => {
    if (name === '')
      onWarning?.(`${owner}: options.tools[${index}].name: the tool is omitted (expected a name, got an empty string)`);
    return name !== '';
  });
}

const findExtractFault: FindFault = (options, path) =>
  Array.isArray((options as Partial<ExtractOptions> | undefined)?.tools)
    ? findMemberFault(options, path, checks)
    : `${path}.tools must be an array of { name, parameters? }`;

function findEnvelopeFault(envelopes: unknown, path: string): string | undefined {
  const list = envelopes as readonly (Partial<Envelope> | undefined)[];
  const wrong = list.findIndex((one) => typeof one?.read !== 'function');
  if (wrong === -1) return undefined;
  return mismatch(`${path}[${wrong}]`, 'an envelope, such as one of allEnvelopes', list[wrong]);
}

function findToolsFault(tools: unknown, path: string): string | undefined {
  for (const [index, tool] of (tools as readonly unknown[]).entries()) {
    const fault = findToolFault(tool, `${path}[${index}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
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

function nameOf(tool: unknown): string | undefined {
  const name = typeof tool === 'object' && tool !== null ? (tool as { readonly name?: unknown }).name : undefined;
  return typeof name === 'string' ? name : undefined;
}
