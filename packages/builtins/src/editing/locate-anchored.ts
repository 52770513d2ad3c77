import { toolError, type ToolError } from '@haft/core';
import { toLf } from '@haft/sandbox';
import type { AnchorMode } from './edit-input.ts';
import { findAnchor, type AnchoredText } from './anchors/find-anchor.ts';
import { parseAnchor } from './anchors/line-anchor.ts';
import type { UsableSpan } from './matching/locate-edit.ts';
import { composeSpan } from './matching/match-characters.ts';
import { removeLines } from './remove-lines.ts';

/** An edit located by anchors. */
export interface AnchoredEdit {
  readonly start: string;
  readonly end: string | undefined;
  readonly mode: AnchorMode;
  /** The new lines. A final line break adds no empty line. */
  readonly newText: string;
}

/**
 * Locates an edit with anchors, or explains why it cannot. `argument` is the prefix of its anchor arguments: `''`,
 * `edits[2].`.
 */
export function locateAnchored(
  { start, end, mode, newText }: AnchoredEdit,
  argument: string,
  file: AnchoredText,
): { readonly ok: true; readonly span: UsableSpan } | { readonly ok: false; readonly error: ToolError } {
  const first = find(start, `${argument}start_anchor`, file);
  if (!first.ok) return first;
  const last = end === undefined ? first : find(end, `${argument}end_anchor`, file);
  if (!last.ok) return last;
  if (last.index < first.index) {
    const message = `${argument}end_anchor is above ${argument}start_anchor in ${file.shown}`;
    return { ok: false, error: toolError('INVALID_ARGS', message, { hint: 'Give the upper line as start_anchor.' }) };
  }
  const { text, lines } = file;
  if (mode === 'delete' || (mode === 'replace' && newText === ''))
    return { ok: true, span: { ...removeLines(text, lines, first.index, last.index + 1), replacement: '' } };
  const { start: from } = lines[first.index]!;
  const { end: to } = lines[last.index]!;
  const old = toLf(text.slice(from, to));
  const added = toLf(newText).replace(/\n$/, '');
  const whole = mode === 'insert_before' ? `${added}\n${old}` : mode === 'insert_after' ? `${old}\n${added}` : added;
  const replacement = composeSpan(text, from, to, { oldText: old, newText: whole });
  // An insertion does not cover any text, so another edit may still change the adjacent line.
  if (mode === 'insert_before')
    return {
      ok: true,
      span: { start: from, end: from, replacement: replacement.slice(0, replacement.length - (to - from)) },
    };
  if (mode === 'insert_after')
    return { ok: true, span: { start: to, end: to, replacement: replacement.slice(to - from) } };
  return { ok: true, span: { start: from, end: to, replacement } };
}

function find(given: string, argument: string, file: AnchoredText): ReturnType<typeof findAnchor> {
  const anchor = parseAnchor(given);
  if (anchor) return findAnchor(anchor, argument, file);
  const message = `${argument} ${JSON.stringify(given.slice(0, 60))} is not an anchor`;
  const hint = `Give the number and hash of a line, such as "12:a1b2", as read shows them with hash_len 4.`;
  return { ok: false, error: toolError('INVALID_ARGS', message, { hint, details: { path: file.shown } }) };
}
