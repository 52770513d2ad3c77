import type { EditSpan, EditTexts, MatchKind, NeedleKind } from './edit-match.ts';
import { matchExactly, matchLineEndings, matchTypography } from './match-characters.ts';
import { matchLines } from './match-lines.ts';
import { readNeedle } from './read-needle.ts';

/** A range with its replacement. */
export type UsableSpan = EditSpan & { readonly replacement: string };

/** A located edit: ranges in ascending order that do not overlap. */
export interface LocatedEdit {
  readonly ok: true;
  readonly spans: readonly UsableSpan[];
  readonly match: MatchKind;
  readonly needle: NeedleKind;
}

/** Why an edit has no unique match. */
export type LocateFailure =
  | { readonly ok: false; readonly reason: 'not-found' }
  | { readonly ok: false; readonly reason: 'ambiguous'; readonly starts: readonly number[]; readonly match: MatchKind };

interface Matcher {
  readonly match: MatchKind;
  readonly find: (text: string, texts: EditTexts) => EditSpan[];
}

/**
 * The matchers, from strict to lenient. Each ignores one more difference in formatting, never in content, and runs only
 * if all matchers before it found nothing, so that the strictest match wins.
 */
const matchers: readonly Matcher[] = [
  { match: 'exact', find: matchExactly },
  { match: 'line endings', find: matchLineEndings },
  {
    match: 'trailing blanks',
    find: (text, texts) => matchLines(text, texts, { indentation: 'same', content: 'same' }),
  },
  { match: 'indentation', find: (text, texts) => matchLines(text, texts, { indentation: 'related', content: 'same' }) },
  { match: 'typography', find: matchTypography },
  {
    match: 'typography',
    find: (text, texts) => matchLines(text, texts, { indentation: 'related', content: 'typography' }),
  },
  {
    match: 'inner blanks',
    find: (text, texts) => matchLines(text, texts, { indentation: 'related', content: 'inner blanks' }),
  },
];

const maxWords = 24;

/**
 * Finds the unique match of a model's old text or, with `all`, every match. Ignores more and more differences in
 * formatting until a reading matches; this reading must match exactly once.
 */
export function locateEdit(text: string, texts: EditTexts, all: boolean): LocatedEdit | LocateFailure {
  for (const reading of readNeedle(texts)) {
    for (const { match, find } of matchers) {
      const spans = find(text, reading);
      if (spans.length === 0) {
        if (match === 'exact' && !hasItsWords(text, reading.oldText)) break;
        continue;
      }
      if (spans.length > 1 && !all)
        return { ok: false, reason: 'ambiguous', starts: spans.map(({ start }) => start), match };
      const usable = spans.filter(isUsable);
      if (usable.length < spans.length) return { ok: false, reason: 'not-found' };
      return { ok: true, spans: withoutOverlaps(usable), match, needle: reading.needle };
    }
  }
  return { ok: false, reason: 'not-found' };
}

/**
 * Returns whether the file contains all words of the text. Formatting never changes a word, so without them only an
 * exact match is possible.
 */
function hasItsWords(text: string, oldText: string): boolean {
  const words = [...new Set(oldText.match(/[A-Za-z0-9_]{3,}/g))].toSorted((a, b) => b.length - a.length);
  return words.slice(0, maxWords).every((word) => text.includes(word));
}

/** Replaces every range. The rest stays unchanged. */
export function applySpans(text: string, spans: readonly UsableSpan[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, replacement } of spans) {
    pieces.push(text.slice(at, start), replacement);
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

function isUsable(span: EditSpan): span is UsableSpan {
  return span.replacement !== undefined;
}

function withoutOverlaps(spans: readonly UsableSpan[]): readonly UsableSpan[] {
  const kept: UsableSpan[] = [];
  for (const span of spans) if (kept.length === 0 || span.start >= kept.at(-1)!.end) kept.push(span);
  return kept;
}
