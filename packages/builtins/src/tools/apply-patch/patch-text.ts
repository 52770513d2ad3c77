import { dominantEol, hasFinalNewline } from '@haft/sandbox';
import { applySpans, type UsableSpan } from '../../editing/matching/locate-edit.ts';
import { lineBreakOf, splitLines } from '../../files/text-lines.ts';
import type { PatchHunk } from './file-patch.ts';
import { locateHunk, type HunkMiss } from './locate-patch-hunk.ts';

/** The result of applying hunks to a text. */
export interface PatchedResult {
  readonly ok: true;
  readonly after: string;
  /** Whether every hunk matched exactly. */
  readonly isCertain: boolean;
}

/** The first hunk that has no match or overlaps another hunk. */
export interface UnpatchedText {
  readonly ok: false;
  readonly index: number;
  readonly miss: HunkMiss | { readonly reason: 'overlap'; readonly starts: readonly number[] };
}

/**
 * Applies all hunks to a text, or none. Each hunk is searched in the original text. The final line break is kept or
 * stays missing, unless the patch changes it.
 */
export function patchText(text: string, hunks: readonly PatchHunk[]): PatchedResult | UnpatchedText {
  const isOpen = text !== '' && !hasFinalNewline(text);
  const eol = lineBreakOf(text) === '\r' ? '\r' : dominantEol(text);
  const whole = isOpen ? text + eol : text;
  const file = { text: whole, lines: splitLines(whole) };
  const spans: UsableSpan[] = [];
  let isCertain = true;
  let after = 0;
  for (const [index, hunk] of hunks.entries()) {
    const located = locateHunk(file, hunk, after);
    if (!located.ok) return { ok: false, index, miss: located };
    const { span } = located;
    if (spans.some((other) => span.start < other.end && other.start < span.end))
      return { ok: false, index, miss: { reason: 'overlap', starts: [span.start] } };
    spans.push(span);
    isCertain &&= located.isCertain;
    after = span.end;
  }
  const patched = applySpans(
    whole,
    spans.toSorted((a, b) => a.start - b.start || a.end - b.end),
  );
  const endsOpen = hunks.findLast(({ finalBreak }) => finalBreak !== undefined)?.finalBreak?.after;
  const isOpenAfter = endsOpen === undefined ? isOpen : !endsOpen;
  return { ok: true, after: isOpenAfter ? patched.replace(/(?:\r\n?|\n)$/, '') : patched, isCertain };
}
