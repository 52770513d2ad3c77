import { defineTool, eraseTool, type AnyTool } from '@haft/core';
import type { PlainTool } from './define-plugin.ts';
import type { LoadProblem } from './plugin-report.ts';

/** A plugin whose default export holds what it must. */
export interface ReadPlugin {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly tools: readonly AnyTool[];
  readonly dispose: (() => unknown) | undefined;
}

/** Checks a plugin's default export, and makes tools of the plain objects among its tools. */
export function readPlugin(
  exported: unknown,
  fallback: { readonly name: string; readonly version?: string; readonly description?: string },
): ReadPlugin | LoadProblem {
  if (!isRecord(exported)) {
    return invalid(
      exported === undefined
        ? 'it has no default export; expected an object with name, version and tools'
        : 'its default export is no object with name, version and tools',
    );
  }
  const { name, version, description, tools, dispose } = exported;
  const texts: readonly (readonly [string, unknown])[] = [
    ['name', name],
    ['version', version],
    ['description', description],
  ];
  for (const [key, value] of texts)
    if (value !== undefined && typeof value !== 'string')
      return invalid(`${key} must be a string${key === 'version' ? ' such as 1.0.0' : ''}, not ${typeof value}`);
  if (dispose !== undefined && typeof dispose !== 'function') return invalid('its dispose is no function');
  if (!Array.isArray(tools) || tools.length === 0)
    return invalid('it brings no tools; expected "tools" to be a list with at least one');
  const made: AnyTool[] = [];
  for (const [index, candidate] of tools.entries()) {
    const tool = readTool(candidate);
    if (typeof tool === 'string') return invalid(`tools[${index}]: ${tool}`);
    if (made.some((other) => other.name === tool.name))
      return invalid(`tools[${index}]: a second tool named ${tool.name}`);
    made.push(tool);
  }
  return {
    name: typeof name === 'string' ? name : fallback.name,
    version: typeof version === 'string' ? version : (fallback.version ?? '0.0.0'),
    description: typeof description === 'string' ? description : (fallback.description ?? ''),
    tools: made,
    dispose: typeof dispose === 'function' ? () => dispose.call(exported) as unknown : undefined,
  };
}

/** The tool, or why it is none. A tool of another copy of core is told by its shape. */
function readTool(candidate: unknown): AnyTool | string {
  if (!isRecord(candidate)) return 'no tool; expected an object with name, description, input and execute';
  try {
    if (isCompiled(candidate['input'])) return checkMade(candidate as unknown as AnyTool);
    return eraseTool(defineTool({ ...(candidate as unknown as PlainTool), naming: 'authored' }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function checkMade(tool: AnyTool): AnyTool | string {
  if (typeof tool.name !== 'string' || !/^[a-z][a-z0-9_]{0,63}$/.test(tool.name))
    return `the tool name ${JSON.stringify(tool.name)} can't be used; expected one such as "get_weather"`;
  if (typeof tool.execute !== 'function') return `the tool ${tool.name} has no execute function`;
  if (typeof tool.description !== 'string' || !isRecord(tool.traits) || typeof tool.timeoutMs !== 'number')
    return `the tool ${tool.name} was not made by defineTool`;
  return tool;
}

function isCompiled(input: unknown): boolean {
  return isRecord(input) && typeof input['validate'] === 'function' && typeof input['ready'] === 'function';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(message: string): LoadProblem {
  return { phase: 'validate', message };
}
