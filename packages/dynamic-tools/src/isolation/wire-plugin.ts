import { readCapabilities } from '../capabilities.ts';
import { copyData, isRecord } from '../copy-data.ts';
import { maxParts, type TakenHooks, type TakenPart } from '../plugin/parts/take-parts.ts';
import { hookNames } from '../plugin/parts/plugin-hook-names.ts';
import type { TakenPlugin } from '../plugin/take-plugin.ts';
import type { WireTarget } from './channel/messages.ts';
import {
  toolData,
  toolMethods,
  type Method,
  type TakenTool,
  type ToolMethod,
} from '../plugin/definition/take-defined-tool.ts';

/**
 * Returns a function that calls a method of a tool in the plugin's process, or `undefined` if it can't be called there.
 */
export type RemoteMethods = (tool: number, method: ToolMethod) => Method | undefined;

/** Returns a function that runs a prompt, a resource or a hook in the plugin's process. */
export type RemoteParts = (target: WireTarget) => Method;

/**
 * Reads the description that a plugin's process sent. It is untrusted, so its tools are validated like those of any
 * plugin. Returns a string that says why it is not a valid plugin.
 */
export function readWirePlugin(wire: unknown, remote: RemoteMethods, remotePart: RemoteParts): TakenPlugin | string {
  try {
    const plugin = copyData(wire);
    if (!isRecord(plugin) || !Array.isArray(plugin['tools'])) return 'its process sent no valid description';
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
    return error instanceof Error ? error.message : 'its process sent no valid description';
  }
}

function readWireTool(wire: unknown, index: number, remote: RemoteMethods): TakenTool {
  if (!isRecord(wire)) throw new Error(`tools[${index}]: not a tool`);
  const data = isRecord(wire['data']) ? wire['data'] : {};
  const methods: Partial<Record<ToolMethod, Method>> = {};
  for (const name of toolMethods) {
    const method = Array.isArray(wire['methods']) && wire['methods'].includes(name) ? remote(index, name) : undefined;
    if (method) methods[name] = method;
  }
  const schemaOf = (given: unknown): TakenTool['input'] =>
    given === null || given === undefined ? undefined : { kind: 'plain', jsonSchema: given as never };
  return {
    data: Object.fromEntries(
      toolData.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]),
    ) as TakenTool['data'],
    methods,
    input: schemaOf(wire['input']),
    output: schemaOf(wire['output']),
    unknown: Array.isArray(wire['unknown']) ? wire['unknown'].filter((name) => typeof name === 'string') : [],
  };
}

function readWireParts(wire: unknown, part: 'prompts' | 'resources', remote: RemoteParts): readonly TakenPart[] {
  if (!Array.isArray(wire)) return [];
  if (wire.length > maxParts[part])
    throw new Error(`it provides ${wire.length} ${part}; at most ${maxParts[part]} are allowed`);
  return wire.map((data: unknown, index) => {
    if (!isRecord(data)) throw new Error(`${part}[${index}]: expected an object`);
    return { data: data as TakenPart['data'], method: remote({ part, index }) };
  });
}

function readWireHooks(wire: unknown, remote: RemoteParts): TakenHooks | undefined {
  if (!isRecord(wire)) return undefined;
  const { data, methods } = wire;
  const names = hookNames.filter((name) => Array.isArray(methods) && methods.includes(name));
  return {
    data: (isRecord(data) ? data : {}) as TakenHooks['data'],
    methods: Object.fromEntries(names.map((name) => [name, remote({ part: 'hooks', name })])),
  };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
