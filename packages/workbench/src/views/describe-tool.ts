import { asModelTool, type AnyTool, type ToolSnapshot } from '@haft/core';
import { dialects, toDialect, type DialectName } from '@haft/schema';
import { estimateTokens } from '../contract/estimate-tokens.ts';
import type { CallableToolView, DialectView, ToolDetails, ToolSummary } from '../contract/page-data.ts';
import { exampleArguments } from './example-arguments.ts';

/** Lists the tools of a snapshot. */
export function listTools(snapshot: ToolSnapshot): readonly ToolSummary[] {
  return snapshot.tools.map((tool, index) => summarizeTool(snapshot, tool, snapshot.names[index] ?? tool.name));
}

/** Lists what a reader of texts needs: the names, parameters and aliases of all tools. */
export function listCallableTools(snapshot: ToolSnapshot): readonly CallableToolView[] {
  return snapshot.tools.map((tool, index) => ({
    name: snapshot.names[index] ?? tool.name,
    parameters: tool.input.jsonSchema as CallableToolView['parameters'],
    aliases: tool.aliases,
  }));
}

/** Describes a tool with its schema in every dialect. Returns undefined if the snapshot has no such tool. */
export function describeTool(snapshot: ToolSnapshot, name: string): ToolDetails | undefined {
  const tool = snapshot.get(name);
  if (tool === undefined) return undefined;
  const schema = tool.input.jsonSchema;
  const names = Object.keys(dialects) as DialectName[];
  return {
    ...summarizeTool(snapshot, tool, name),
    schema,
    example: exampleArguments(schema),
    dialects: names.map((dialect) => describeDialect(tool, dialect)),
  };
}

function summarizeTool(snapshot: ToolSnapshot, tool: AnyTool, name: string): ToolSummary {
  return {
    name,
    title: tool.title,
    description: tool.description,
    provider: snapshot.providerFor(name) ?? tool.provider ?? 'local',
    kind: tool.kind,
    traits: traitsOf(tool),
    tokens: tokensOf(tool, tool.input.jsonSchema),
  };
}

function traitsOf({ traits }: AnyTool): readonly string[] {
  return [
    ...(traits.readOnly ? ['read-only'] : []),
    ...(!traits.readOnly && traits.destructive !== false ? ['destructive'] : []),
    ...(traits.idempotent && !traits.readOnly ? ['idempotent'] : []),
    ...(traits.openWorld === true ? ['open world'] : []),
    ...traits.requires,
  ];
}

function describeDialect(tool: AnyTool, dialect: DialectName): DialectView {
  try {
    const { schema, lost } = toDialect(tool.input.jsonSchema, dialect);
    const rules = lost.map(({ path, keyword, meaning }) => ({ path, keyword, meaning }));
    return { dialect, schema, lost: rules, tokens: tokensOf(tool, schema) };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    return { dialect, schema: {}, lost: [], tokens: 0, problem };
  }
}

function tokensOf(tool: AnyTool, schema: unknown): number {
  return estimateTokens(JSON.stringify({ ...asModelTool(tool), inputSchema: schema }));
}
