import { readCapabilities } from '../capabilities.ts';
import { copyData, isRecord } from '../copy-data.ts';
import { mostParts, type TakenHooks, type TakenPart } from '../plugin/parts/take-parts.ts';
import { hookNames } from '../plugin/parts/hook-names.ts';
import type { TakenPlugin } from '../plugin/take-plugin.ts';
import type { WireTarget } from './channel/messages.ts';
import { toolData, toolMethods, type Method, type TakenTool, type ToolMethod } from '../plugin/definition/take-tool.ts';

/** How a method of a tool in a plugin's process is called; `undefined` for one that can't be. */
export type RemoteMethods = (tool: number, method: ToolMethod) => Method | undefined;

/** How a prompt, a resource or a hook in a plugin's process is run. */
export type RemoteParts = (target: WireTarget) => Method;

/**
 * Reads what a plugin's process told of the plugin, none of which is believed: whether its tools make sense is judged as
 * that of any other. A string says why it is no plugin.
 */
export function readWirePlugin(told: unknown, remote: RemoteMethods, remotePart: RemoteParts): TakenPlugin | string {
  try {
    const plugin = copyData(told);
    if (!isRecord(plugin) || !Array.isArray(plugin['tools'])) return 'its process told nothing of it';
    const { name, version, description, capabilities } = plugin;
    const needs = capabilities === undefined ? undefined : readCapabilities(capabilities);
    if (typeof needs === 'string') return needs;
    return {
      name: asText(name),
      version: asText(version),
      description: asText(description),
      capabilities: needs,
      tools: plugin['tools'].map((tool, index) => readWireTool(tool, index, remote)),
      prompts: readWireParts(plugin['prompts'], 'prompts', remotePart),
      resources: readWireParts(plugin['resources'], 'resources', remotePart),
      hooks: readWireHooks(plugin['hooks'], remotePart),
      setup: undefined,
      dispose: undefined,
    };
  } catch (error) {
    return error instanceof Error ? error.message : 'its process told nothing of it';
  }
}

function readWireTool(told: unknown, index: number, remote: RemoteMethods): TakenTool {
  if (!isRecord(told)) throw new Error(`tools[${index}]: no tool`);
  const data = isRecord(told['data']) ? told['data'] : {};
  const methods: Partial<Record<ToolMethod, Method>> = {};
  for (const name of toolMethods) {
    const method = Array.isArray(told['methods']) && told['methods'].includes(name) ? remote(index, name) : undefined;
    if (method) methods[name] = method;
  }
  const schemaOf = (given: unknown): TakenTool['input'] =>
    given === null || given === undefined ? undefined : { kind: 'plain', jsonSchema: given as never };
  return {
    data: Object.fromEntries(
      toolData.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]),
    ) as TakenTool['data'],
    methods,
    input: schemaOf(told['input']),
    output: schemaOf(told['output']),
    unknown: Array.isArray(told['unknown']) ? told['unknown'].filter((name) => typeof name === 'string') : [],
  };
}

function readWireParts(told: unknown, part: 'prompts' | 'resources', remote: RemoteParts): readonly TakenPart[] {
  if (!Array.isArray(told)) return [];
  if (told.length > mostParts[part])
    throw new Error(`it brings ${told.length} ${part}; at most ${mostParts[part]} are taken`);
  return told.map((data: unknown, index) => {
    if (!isRecord(data)) throw new Error(`${part}[${index}]: not told as an object`);
    return { data: data as TakenPart['data'], method: remote({ part, index }) };
  });
}

function readWireHooks(told: unknown, remote: RemoteParts): TakenHooks | undefined {
  if (!isRecord(told)) return undefined;
  const { data, methods } = told;
  const names = hookNames.filter((name) => Array.isArray(methods) && methods.includes(name));
  return {
    data: (isRecord(data) ? data : {}) as TakenHooks['data'],
    methods: Object.fromEntries(names.map((name) => [name, remote({ part: 'hooks', name })])),
  };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
