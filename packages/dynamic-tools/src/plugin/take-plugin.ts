import { readCapabilities, type PluginCapabilities } from '../capabilities.ts';
import { copyData } from '../copy-data.ts';
import { takeParts, type TakenParts } from './parts/take-parts.ts';
import { findMisspelled } from './definition/find-misspelled.ts';
import { takeTool, type Method, type TakenTool } from './definition/take-defined-tool.ts';
import { readThrown } from '../thrown-text.ts';

/** Snapshot of a plugin's default export. Each member was read once. */
export interface TakenPlugin extends TakenParts {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly capabilities: PluginCapabilities | undefined;
  readonly tools: readonly TakenTool[];
  readonly setup: Method | undefined;
  readonly dispose: Method | undefined;
}

const maxTools = 1_000;

/**
 * Reads a plugin's default export, or returns why it is not a plugin. Never throws, even if a getter does.
 *
 * @param named names of the module's exports.
 */
export function takePlugin(exported: unknown, named: readonly string[] = []): TakenPlugin | string {
  try {
    const taken = take(exported);
    // Without this check, the plugin would silently lack what its author has declared.
    if (typeof taken === 'object' && taken.capabilities === undefined && named.includes('capabilities'))
      return 'its named export capabilities has no effect; write it as a member of the default export, or in a manifest';
    return taken;
  } catch (error) {
    return `its default export is not readable: ${readThrown(error).message}`;
  }
}

function take(exported: unknown): TakenPlugin | string {
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported)) {
    return exported === undefined
      ? 'it has no default export; expected an object with name, version and tools'
      : 'its default export is not an object with name, version and tools';
  }
  const members = exported as Readonly<Record<string, unknown>>;
  const { name, version, description, capabilities, tools, prompts, resources, hooks, setup, dispose } = members;
  for (const [key, value] of Object.entries({ name, version, description }))
    if (value !== undefined && typeof value !== 'string')
      return `${key} must be a string${key === 'version' ? ' such as 1.0.0' : ''} (got ${typeof value})`;
  for (const [key, value] of Object.entries({ setup, dispose }))
    if (value !== undefined && typeof value !== 'function') return `its ${key} must be a function`;
  const needs = capabilities === undefined ? undefined : readCapabilities(copyData(capabilities));
  if (typeof needs === 'string') return needs;
  const misspelled = findMisspelled(exported, memberNames);
  if (misspelled) return `${misspelled.key} is not a member of a plugin; did you mean ${misspelled.meant}?`;
  const parts = takeParts({ prompts, resources, hooks });
  const count = Array.isArray(tools) ? tools.length : 0;
  const bringsMore = parts.prompts.length + parts.resources.length > 0 || parts.hooks !== undefined;
  if (count === 0 && (!bringsMore || (tools !== undefined && !Array.isArray(tools))))
    return 'it has no tools; "tools" must be an array with at least one';
  if (count > maxTools) return `it has ${count} tools; at most ${maxTools} are allowed`;
  const taken: TakenTool[] = [];
  for (let index = 0; index < count; index += 1) {
    const tool = tryToTake((tools as readonly unknown[])[index]);
    if (typeof tool === 'string') return `tools[${index}]: ${tool}`;
    taken.push(tool);
  }
  const bind = (method: unknown): Method | undefined =>
    typeof method === 'function' ? (...given) => Reflect.apply(method, exported, given) as unknown : undefined;
  return {
    name: asText(name),
    version: asText(version),
    description: asText(description),
    capabilities: needs,
    tools: taken,
    ...parts,
    setup: bind(setup),
    dispose: bind(dispose),
  };
}

const memberNames = [
  'name',
  'version',
  'description',
  'capabilities',
  'tools',
  'prompts',
  'resources',
  'hooks',
  'setup',
  'dispose',
];

function tryToTake(candidate: unknown): TakenTool | string {
  try {
    return takeTool(candidate);
  } catch (error) {
    return readThrown(error).message;
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
