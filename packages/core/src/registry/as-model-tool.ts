import { toDialect, type Dialect, type DialectName } from '@haft/schema';
import type { ModelTool } from '../contracts/conversation/model.ts';
import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
import { checkOption } from '../options/check-options.ts';
import { snapshotKind } from '../options/contract-kinds.ts';

/**
 * Returns the definition of a tool for models, with its original schema.
 *
 * @example
 * import { asModelTool, defineTool } from '@haft/core';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * asModelTool(ping).description; // => 'Answers.'
 */
export function asModelTool(tool: AnyTool): ModelTool {
  return { name: tool.name, description: tool.description, inputSchema: tool.input.jsonSchema };
}

/**
 * Returns the definitions of a snapshot's tools for models, in order. Each vendor expects them in a wrapper of its own.
 * With a dialect, schemas are lowered to it, and arguments from the model must be converted with the tool's `raise`
 * before dispatch.
 *
 * @throws HaftError `INVALID_OPTION` if the first argument is not a snapshot.
 * @throws SchemaError `DIALECT_UNKNOWN` if the dialect is unknown.
 * @example
 * import { asProviderTools, createDispatcher, defineTool } from '@haft/core';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * // For OpenAI and compatible servers.
 * const tools = asProviderTools(createDispatcher({ registry: [ping] }).snapshot()).map(
 *   ({ name, description, inputSchema }) => ({ type: 'function', function: { name, description, parameters: inputSchema } }),
 * );
 * tools[0]?.function.name; // => 'ping'
 */
export function asProviderTools(snapshot: ToolSnapshot, dialect?: DialectName | Dialect): readonly ModelTool[] {
  checkOption('asProviderTools', 'its first argument', snapshot, snapshotKind);
  // Returns the name of the tool in the snapshot, even if the tool's own name has changed.
  const nameOf = (tool: AnyTool, position: number): string => snapshot.names[position] ?? tool.name;
  if (dialect === undefined) {
    return snapshot.tools.map((tool, position) => ({ ...asModelTool(tool), name: nameOf(tool, position) }));
  }
  return snapshot.tools.map((tool, position) => {
    const { schema, raise, lower } = toDialect(tool.input.jsonSchema, dialect);
    return { name: nameOf(tool, position), description: tool.description, inputSchema: schema, raise, lower };
  });
}
