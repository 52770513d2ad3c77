import { toDialect, type Dialect, type DialectName } from '@haft/schema';
import type { ModelTool } from '../contracts/conversation/model.ts';
import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';

/** What a model is told about a tool, with its schema as it is. */
export function asModelTool(tool: AnyTool): ModelTool {
  return { name: tool.name, description: tool.description, inputSchema: tool.input.jsonSchema };
}

/**
 * What a model is told about the tools of a snapshot, in its order. With a dialect, schemas are lowered to it: what the
 * model answers has to go through `raise` of its tool before it is dispatched.
 *
 * @throws SchemaError `DIALECT_UNKNOWN` for a name that no dialect has.
 */
export function asProviderTools(snapshot: ToolSnapshot, dialect?: DialectName | Dialect): readonly ModelTool[] {
  // The name that a tool is known by in the snapshot, whatever it says of itself by now.
  const nameOf = (tool: AnyTool, position: number): string => snapshot.names[position] ?? tool.name;
  if (dialect === undefined) {
    return snapshot.tools.map((tool, position) => ({ ...asModelTool(tool), name: nameOf(tool, position) }));
  }
  return snapshot.tools.map((tool, position) => {
    const { schema, raise, lower } = toDialect(tool.input.jsonSchema, dialect);
    return { name: nameOf(tool, position), description: tool.description, inputSchema: schema, raise, lower };
  });
}
