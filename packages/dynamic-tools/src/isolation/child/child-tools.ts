import { hookNames } from '../../plugin/parts/plugin-hook-names.ts';
import type { TakenPlugin } from '../../plugin/take-plugin.ts';
import type { Method, TakenSchema, TakenTool } from '../../plugin/definition/take-defined-tool.ts';
import type { WirePlugin, WireTool } from '../channel/messages.ts';

/** A tool of the plugin in this process. */
export interface ChildTool extends TakenTool {
  /** The plugin's own schema, if it is not a JSON Schema. The host validates only against the JSON Schema. */
  readonly checks: { validate: Method; ready: Method } | undefined;
}

/**
 * Prepares the plugin's tools for calls and describes them for the host. Throws for a schema that JSON can't represent.
 */
export async function describePlugin(
  taken: TakenPlugin,
): Promise<{ readonly tools: readonly ChildTool[]; readonly plugin: WirePlugin }> {
  const tools: ChildTool[] = [];
  const wireTools: WireTool[] = [];
  for (const [index, tool] of taken.tools.entries()) {
    const input = await compile(tool.input, tool, index);
    const output = await compile(tool.output, tool, index);
    tools.push({ ...tool, checks: input?.kind === 'compiled' ? input : undefined });
    wireTools.push({
      data: tool.data,
      methods: Object.keys(tool.methods) as WireTool['methods'],
      input: input?.jsonSchema ?? null,
      output: output?.jsonSchema ?? null,
      unknown: tool.unknown,
    });
  }
  const { name, version, description, capabilities, prompts, resources, hooks } = taken;
  return {
    tools,
    plugin: {
      ...(name !== undefined && { name }),
      ...(version !== undefined && { version }),
      ...(description !== undefined && { description }),
      ...(capabilities !== undefined && { capabilities }),
      tools: wireTools,
      ...(prompts.length > 0 && { prompts: prompts.map(({ data }) => data) }),
      ...(resources.length > 0 && { resources: resources.map(({ data }) => data) }),
      ...(hooks && { hooks: { data: hooks.data, methods: hookNames.filter((hook) => hooks.methods[hook]) } }),
    },
  };
}

type WireSchema = Exclude<TakenSchema, { readonly kind: 'vendor' }>;

/** Loaded on demand, because only plugins with schemas of zod and the like need the schema compiler. */
async function compile(
  schema: TakenSchema | undefined,
  tool: TakenTool,
  index: number,
): Promise<WireSchema | undefined> {
  if (schema?.kind !== 'vendor') return schema;
  const { compileSchema } = await import('@haft/schema');
  try {
    const compiled = compileSchema(schema.schema as Parameters<typeof compileSchema>[0]);
    const { jsonSchema } = compiled;
    return {
      kind: 'compiled',
      jsonSchema: (jsonSchema === true ? {} : jsonSchema) as WireSchema['jsonSchema'],
      validate: (value) => compiled.validate(value),
      ready: () => compiled.ready(),
    };
  } catch (cause) {
    const name = typeof tool.data['name'] === 'string' ? tool.data['name'] : '';
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`tools[${index}]: a schema of the tool ${name} can't be used: ${reason}`, { cause });
  }
}
