import type { AnyTool } from '../contracts/tools/tool.ts';
import { matchesGlob } from '../names/matches-glob.ts';

/** Tells whether a tool may be shown to a model: no list means every model; globs match `vendor/name` or the name. */
export function supportsModel(tool: AnyTool, model: { readonly name: string; readonly vendor?: string }): boolean {
  if (tool.supportedModels === undefined) return true;
  const full = model.vendor === undefined ? model.name : `${model.vendor}/${model.name}`;
  return tool.supportedModels.some((glob) => matchesGlob(glob, full) || matchesGlob(glob, model.name));
}
