import { consentCue, exampleCue, lastLine, subjectVerbs, transcriptCue } from '../queue/cues.ts';
import { exampleList, isShownLabel } from '../queue/shown-labels.ts';
import { stepNumber } from '../../source/agent-labels.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';

const maxIntroductionLength = 400;
const maxListLength = 1_000;

/** Matches a verb after an envelope that is the subject of a sentence. */
export const subjectAfter: RegExp = new RegExp(
  ` {1,4}(?:${subjectVerbs})(?![a-z])|\\r?\\n[ \\t]{0,9}(?:is|was|are|were|means)(?![a-z])`,
  'y',
);

const maxLine = 200;

/** Returns the text before an offset on its line, at most 200 characters. */
export function lineBefore(source: GrowingText, at: number): string {
  const before = source.before(at, maxLine);
  return before.slice(before.lastIndexOf('\n') + 1);
}

/** Matches the mark of a comment directly before something on its line. */
export const commentPattern: RegExp = /^\s*(?:\/\/|\/\*|#|--|<!--)\s*$/;

// The agent's question and thoughts, at the end of the text before its call.
const thoughtLines = new RegExp(
  `(?:(?:^|\\n)[*]{0,2}(?:Question|Thought${stepNumber}|思考)[*]{0,2}[:：][^\\n]*[\\r\\n]{0,9})+$`,
);

// A sentence may continue in the next line.
const sentenceGap = / {0,9}\n?/y;

/**
 * Introductions of an envelope that may be an example. The text after a sentence or an example decides. `line` is the
 * mark of a comment or of a diff, which introduces only what is on its line.
 */
export type Introduction = 'sentence' | 'example' | 'label' | 'line' | undefined;

/**
 * Judges the text before an envelope: the middle of a sentence, or words that introduce an example. `from` is the end
 * of the previous call, so that `and` between two calls does not count as a sentence. What an agent thinks before its
 * call introduces nothing: the text before the thought decides.
 */
export function introductionOf(source: GrowingText, start: number, from: number): Introduction {
  const nearby = source.before(start, Math.min(start - from, maxIntroductionLength)).replace(thoughtLines, '\n');
  const line = nearby.slice(nearby.lastIndexOf('\n') + 1);
  const before = line.trim();
  if (/^[-+]$/.test(line) && /^(?:diff --git |@@ -\d)/m.test(nearby)) return 'line';
  const introduction = lastLine(nearby).trim();
  if (isShownLabel(introduction) || transcriptCue.test(nearby)) return 'label';
  // The list may have calls before this one.
  if (introduction.endsWith(':') && exampleList.test(source.before(start, maxListLength))) return 'label';
  if (consentCue.test(introduction.split(/[.!?]\s/).at(-1) ?? '')) return 'label';
  if (/[:：]$/.test(introduction) && (exampleCue.test(introduction) || /\bwould be\b/i.test(introduction)))
    return 'example';
  if (commentPattern.test(line)) return 'line';
  if (/\b(?:for (?:example|instance)|e\.g\.|such as|like),?$/i.test(before)) return 'label';
  const isMidSentence = /\s|^(?:use|write|send|emit|type|put|try)$/i.test(before) && !/[.!?:]$/.test(before);
  return isMidSentence ? 'sentence' : undefined;
}

/** Returns whether an envelope in prose is only shown: the sentence continues, or prose follows an example. */
export function* isDocumentation(source: GrowingText, introduction: Introduction, end: number): Reading<boolean> {
  if (introduction === undefined) return false;
  if (introduction === 'label' || introduction === 'line') return true;
  if (introduction === 'sentence') {
    const at = yield* source.skipMatch(sentenceGap, end);
    const isBroken = source.text[at - 1] === '\n';
    return (yield* source.hasCharacter(at)) && (isBroken ? /[a-z]/ : /[a-z,;(]/).test(source.text[at] ?? '');
  }
  const at = yield* source.skipSpace(end);
  const next = source.text[at];
  return next !== undefined && next !== '<';
}
