import type { ToolError } from '@haft/core';
import { findElision } from './find-edit-elision.ts';
import { elision } from '../files/changes/changed-on-disk.ts';
import { refuseTexts } from './advice/edit-advice.ts';
import type { EditRequest } from './edit-input.ts';
import type { AnchoredText } from './anchors/find-anchor.ts';
import { locateAnchored } from './locate-anchored.ts';
import type { PlannedEdit } from './plan-edits.ts';

/**
 * Converts edits of a model to requests for planning. `nameOf` returns the argument path of each: `''`, `edits[2].`.
 */
export function readRequests(
  requests: readonly EditRequest[],
  nameOf: (index: number) => string,
  file: AnchoredText,
): { readonly ok: true; readonly edits: readonly PlannedEdit[] } | { readonly ok: false; readonly error: ToolError } {
  const edits: PlannedEdit[] = [];
  for (const [index, request] of requests.entries()) {
    const name = nameOf(index);
    const newText = request.new_text ?? '';
    const elided = findElision(newText, file.text);
    if (elided !== undefined) return { ok: false, error: elision(`${name}new_text`, elided) };
    if (request.start_anchor === undefined) {
      const oldText = request.old_text ?? '';
      const unusable = refuseTexts(oldText, newText, { argument: `${name}old_text`, shown: file.shown });
      if (unusable) return { ok: false, error: unusable };
      edits.push({ oldText, newText, all: request.replace_all === true });
      continue;
    }
    const { start_anchor: start, end_anchor: end, mode = 'replace' } = request;
    const found = locateAnchored({ start, end, mode, newText }, name, file);
    if (!found.ok) return found;
    edits.push({ span: found.span });
  }
  return { ok: true, edits };
}
