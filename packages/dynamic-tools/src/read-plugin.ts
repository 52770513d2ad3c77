import type { AnyTool } from '@haft/core';
import type { LoadProblem } from './plugin-report.ts';
import { readTool } from './read-tool.ts';

/** A plugin whose default export holds what it must. */
export interface ReadPlugin {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly tools: readonly AnyTool[];
  readonly dispose: (() => unknown) | undefined;
}

const maxTools = 1_000;

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
  const count = Array.isArray(tools) ? tools.length : 0;
  if (count === 0) return invalid('it brings no tools; expected "tools" to be a list with at least one');
  if (count > maxTools) return invalid(`it brings ${count} tools; at most ${maxTools} are taken`);
  const made: AnyTool[] = [];
  for (let index = 0; index < count; index += 1) {
    const tool = readTool((tools as readonly unknown[])[index]);
    if (typeof tool === 'string') return invalid(`tools[${index}]: ${tool}`);
    if (made.some((other) => other.name === tool.name))
      return invalid(`tools[${index}]: a second tool named ${tool.name}`);
    made.push(tool);
  }
  return {
    name: cut(typeof name === 'string' ? name : fallback.name, 200),
    version: cut(typeof version === 'string' ? version : (fallback.version ?? '0.0.0'), 100),
    description: cut(typeof description === 'string' ? description : (fallback.description ?? ''), 2_000),
    tools: made,
    dispose: typeof dispose === 'function' ? () => dispose.call(exported) as unknown : undefined,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

function invalid(message: string): LoadProblem {
  return { phase: 'validate', message };
}
