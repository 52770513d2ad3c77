import type { ModelTool } from '../contracts/model.ts';
import type { ToolSnapshot } from '../contracts/source.ts';
import type { AnyTool } from '../contracts/tool.ts';

/** What a model is told about a tool, with its schema as it is. */
export function asModelTool(tool: AnyTool): ModelTool {
  return { name: tool.name, description: tool.description, inputSchema: tool.input.jsonSchema };
}

/** What a model is told about the tools of a snapshot, in its order. */
export function asProviderTools(snapshot: ToolSnapshot): readonly ModelTool[] {
  return snapshot.tools.map(asModelTool);
}
