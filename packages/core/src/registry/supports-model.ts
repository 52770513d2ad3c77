import type { AnyTool } from '../contracts/tool.ts';

/** Tells whether a tool may be shown to a model: no list means every model; globs match `vendor/name` or the name. */
export function supportsModel(tool: AnyTool, model: { readonly name: string; readonly vendor?: string }): boolean {
  if (tool.supportedModels === undefined) return true;
  const full = model.vendor === undefined ? model.name : `${model.vendor}/${model.name}`;
  return tool.supportedModels.some((glob) => matchesGlob(glob, full) || matchesGlob(glob, model.name));
}

/** `*` stands for any characters; two pointers, so that a hostile pattern costs length × length at most. */
function matchesGlob(glob: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (position < text.length) {
    if (at < glob.length && glob[at] === '*') {
      star = at;
      at += 1;
      resume = position;
    } else if (at < glob.length && glob[at] === text[position]) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      position = resume;
    } else {
      return false;
    }
  }
  while (glob[at] === '*') at += 1;
  return at === glob.length;
}
