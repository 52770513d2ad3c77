import { failure, toolError, type ToolContext, type ToolError, type ToolResult } from '@haft/core';
import { openForChange } from '../files/changes/open-for-change.ts';
import { saveChanges } from '../files/changes/save-changes.ts';
import { notRead } from '../files/changes/changed-on-disk.ts';
import type { FilePlace } from '../files/file-errors.ts';
import type { ReadTracker } from '../files/read-tracker.ts';
import { splitLines } from '../files/text-lines.ts';
import { adviseOnMatch, isCertain, noChange } from './advice/edit-advice.ts';
import type { EditRequest } from './edit-input.ts';
import { explainMiss } from './advice/explain-miss.ts';
import { planEdits, type EditClash, type EditPlan, type PlannedEdit } from './plan-edits.ts';
import { readRequests } from './read-edit-requests.ts';
import { showFreshAnchors } from './show-fresh-anchors.ts';

/** How a tool describes its edits. */
export interface EditWording {
  /** The path of the argument with the edit: `''`, `edits[2]`. */
  readonly nameOf: (index: number) => string;
  /** Text to add after the sentence about the file. */
  readonly describe: (plan: EditPlan) => string | undefined;
}

/** Applies all edits of a file, or none. Shared by the tools that replace text. */
export async function applyTextEdits(
  place: FilePlace,
  requests: readonly EditRequest[],
  context: ToolContext,
  readTracker: ReadTracker,
  { nameOf, describe }: EditWording,
): Promise<ToolResult> {
  const { callId } = context;
  const { shown } = place;
  const opened = await openForChange(place, context, readTracker);
  if (!opened.ok) return failure(callId, opened.error);
  const { file, seen } = opened;
  const { text } = file;
  const isAnchored = requests.some(({ start_anchor: anchor }) => anchor !== undefined);
  if (isAnchored && !seen) return failure(callId, notRead(shown, 'take the anchors from its result'));
  const read = readRequests(requests, nameOf, { text, lines: isAnchored ? splitLines(text) : [], seen, shown });
  if (!read.ok) return failure(callId, read.error);
  const plan = planEdits(text, read.edits);
  // Only an exact match proves that the model knows the file.
  const isKnown = plan.ok
    ? plan.located.every(isCertain)
    : plan.reason !== 'missed' || plan.missed.reason === 'ambiguous';
  if (!seen && !isKnown) return failure(callId, notRead(shown, 'repeat the edit with old_text copied from its result'));
  if (!plan.ok) {
    if (plan.reason !== 'missed') return failure(callId, explainClash(plan, nameOf, shown));
    const where = plan.text === text ? shown : `${shown} after the edits before it`;
    const oldText = oldTextOf(read.edits[plan.index]!);
    const argument = `${nameOf(plan.index)}old_text`;
    return explainMiss(callId, { missed: plan.missed, text: plan.text, oldText, argument, shown: where, path: shown });
  }
  if (plan.after === text) return failure(callId, noChange(shown));
  const details = [describe(plan), isAnchored ? showFreshAnchors(text, plan) : undefined].filter(
    (detail) => detail !== undefined,
  );
  const [first] = plan.located;
  return saveChanges([{ kind: 'modify', place, file, after: plan.after }], context, readTracker, {
    ...(details.length === 0 ? {} : { detail: details.join('\n') }),
    metadata: {
      replacements: plan.located.reduce((sum, { spans }) => sum + spans.length, 0),
      edits: requests.length,
      ...(requests.length === 1 ? { match: first?.match, reading: first?.needle } : {}),
    },
    advisories: plan.located.flatMap((located, index) => adviseOnMatch(located, `${nameOf(index)}old_text`)),
  });
}

function oldTextOf(edit: PlannedEdit): string {
  return 'span' in edit ? '' : edit.oldText;
}

function explainClash({ reason, indices }: EditClash, nameOf: EditWording['nameOf'], shown: string): ToolError {
  const [first, second] = indices.map((index) => nameOf(index).replace(/\.$/, ''));
  const details = { path: shown, edits: indices };
  if (reason === 'overlap') {
    return toolError('INVALID_ARGS', `${first} and ${second} overlap in ${shown}; nothing was changed`, {
      hint: `Join ${first} and ${second} into one edit that covers both.`,
      details,
    });
  }
  const message = `${first} and ${second} have different results one after the other and together in ${shown}; nothing was changed`;
  return toolError('INVALID_ARGS', message, {
    hint: `Send ${first} and ${second} in separate calls, one after the other.`,
    details,
  });
}
