import { type AnyTool } from '@haft/core';
import { describeCause } from '@haft/core/results';
import type { PluginCapabilities } from '../capabilities.ts';
import { createPluginTool } from './definition/create-plugin-tool.ts';
import { createParts, type PluginParts } from './parts/create-parts.ts';
import type { LoadProblem } from '../plugin-report.ts';
import type { TakenPlugin } from './take-plugin.ts';

/** A plugin whose default export is valid. */
export interface ReadPlugin extends PluginParts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The capabilities it requests, in its manifest or else in its export. */
  readonly capabilities: PluginCapabilities;
  readonly tools: readonly AnyTool[];
}

/** Defaults for members that the export omits, known without running the plugin. */
export interface PluginFallback {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly capabilities?: PluginCapabilities;
}

/** Creates a plugin from its default export, regardless of where that was read. */
export function createPluginFromExport(taken: TakenPlugin, fallback: PluginFallback): ReadPlugin | LoadProblem {
  const tools: AnyTool[] = [];
  for (const [index, candidate] of taken.tools.entries()) {
    const tool = createPluginTool(candidate);
    if (typeof tool === 'string') return invalid(`tools[${index}]: ${tool}`);
    if (tools.some((other) => other.name === tool.name))
      return invalid(`tools[${index}]: the name ${tool.name} exists twice`);
    tools.push(tool);
  }
  let parts: PluginParts;
  try {
    parts = createParts(taken);
  } catch (error) {
    return invalid(describeCause(error));
  }
  return {
    ...parts,
    name: cut(taken.name ?? fallback.name, 200),
    version: cut(taken.version ?? fallback.version ?? '0.0.0', 100),
    description: cut(taken.description ?? fallback.description ?? '', 2_000),
    capabilities: fallback.capabilities ?? taken.capabilities ?? {},
    tools,
  };
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

function invalid(message: string): LoadProblem {
  return { phase: 'validate', message };
}
