import type { EditTexts } from './matching/edit-match.ts';
import {
  applySpans,
  locateEdit,
  type LocatedEdit,
  type LocateFailure,
  type UsableSpan,
} from './matching/locate-edit.ts';

/** A replacement located by its old text. */
interface TextEdit extends EditTexts {
  /** Replaces every occurrence instead of exactly one. */
  readonly all: boolean;
}

/** A replacement with a known range. */
interface SpanEdit {
  readonly span: UsableSpan;
}

/** One of several replacements in the same file. */
export type PlannedEdit = TextEdit | SpanEdit;

/** The new content of a file, and how each edit matched. */
export interface EditPlan {
  readonly ok: true;
  readonly after: string;
  readonly located: readonly LocatedEdit[];
}

/** An edit without a unique match. `text` is the file, or the file after the edits before it. */
export interface EditMiss {
  readonly ok: false;
  readonly reason: 'missed';
  readonly index: number;
  readonly missed: LocateFailure;
  readonly text: string;
}

/** Two edits that overlap, or whose result depends on their order. */
export interface EditClash {
  readonly ok: false;
  readonly reason: 'overlap' | 'order';
  readonly indices: readonly [number, number];
}

/**
 * Plans several edits of one text as one change. Each old text is searched in the original text or, if it is missing
 * there, in the result of the edits before it. Rejects edits that overlap, or that would produce another result one
 * after the other.
 */
export function planEdits(text: string, edits: readonly PlannedEdit[]): EditPlan | EditMiss | EditClash {
  const located: LocatedEdit[] = [];
  let miss: EditMiss | undefined;
  for (const [index, edit] of edits.entries()) {
    const place = 'span' in edit ? known(edit) : locateEdit(text, edit, edit.all);
    if (place.ok) located.push(place);
    else {
      miss = { ok: false, reason: 'missed', index, missed: place, text };
      break;
    }
  }
  const [only] = located;
  if (edits.length === 1 && only) return { ok: true, after: applySpans(text, only.spans), located };
  // Known ranges refer to the original text, so these edits are applied at once or not at all.
  const inTurn = edits.every(isTextEdit) ? planInTurn(text, edits) : undefined;
  if (miss && !inTurn) return miss;
  if (miss && inTurn)
    return inTurn.ok || (inTurn.index > miss.index && miss.missed.reason === 'not-found') ? inTurn : miss;

  const spans = located.flatMap(({ spans: own }, index) => own.map((span) => ({ ...span, index })));
  spans.sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index);
  const clash = findOverlap(spans);
  if (clash) return { ok: false, reason: 'overlap', indices: clash };
  const after = applySpans(text, spans);
  if (inTurn?.ok === true && inTurn.after !== after)
    return { ok: false, reason: 'order', indices: findOrderDependence(text, edits.filter(isTextEdit)) };
  return { ok: true, after, located };
}

function known({ span }: SpanEdit): LocatedEdit {
  return { ok: true, spans: [span], match: 'exact', needle: 'as written' };
}

function isTextEdit(edit: PlannedEdit): edit is TextEdit {
  return !('span' in edit);
}

function planInTurn(text: string, edits: readonly TextEdit[]): EditPlan | EditMiss {
  const located: LocatedEdit[] = [];
  let after = text;
  for (const [index, edit] of edits.entries()) {
    const place = locateEdit(after, edit, edit.all);
    if (!place.ok) return { ok: false, reason: 'missed', index, missed: place, text: after };
    located.push(place);
    after = applySpans(after, place.spans);
  }
  return { ok: true, after, located };
}

function findOverlap(spans: readonly (UsableSpan & { readonly index: number })[]): [number, number] | undefined {
  for (const [at, span] of spans.entries()) {
    const next = spans[at + 1];
    if (next && next.start < span.end) return inOrder(span.index, next.index);
  }
  return undefined;
}

/** Finds the first edit that earlier edits affect, and the last edit that affects it. */
function findOrderDependence(text: string, edits: readonly TextEdit[]): [number, number] {
  for (let second = 1; second < edits.length; second += 1) {
    for (let first = second - 1; first >= 0; first -= 1) {
      const later = edits[second]!;
      const apart = locateEdit(text, later, later.all);
      const inTurn = planInTurn(text, [edits[first]!, later]);
      if (!inTurn.ok || !apart.ok) continue;
      if (inTurn.located[1]!.spans.length !== apart.spans.length) return [first, second];
    }
  }
  return [0, edits.length - 1];
}

function inOrder(one: number, other: number): [number, number] {
  return one < other ? [one, other] : [other, one];
}
