import type { AnyTool } from '../contracts/tools/tool.ts';
import { matchesGlob } from '../names/matches-glob.ts';

/**
 * Checks whether a tool supports a model. Without a list, it supports every model. Globs match `vendor/name` or the
 * name.
 */
export function supportsModel(tool: AnyTool, model: { readonly name: string; readonly vendor?: string }): boolean {
  if (tool.supportedModels === undefined) return true;
  const full = model.vendor === undefined ? model.name : `${model.vendor}/${model.name}`;
  return tool.supportedModels.some((glob) => matchesGlob(glob, full) || matchesGlob(glob, model.name));
}
