import type { Machine } from '../machine/machine.ts';
import { correctionLabel } from '../text/correction-label.ts';

const finalPattern =
  /(?:^|[.!\n])\W{0,4}(?:the |my )?final(?: (?:version|JSON|answer|output|value|result|one))?\W{0,4}:\W{0,4}\s*(?:```\w*\s*)?$/i;
// The label of an answer, after a value with a label of what was given.
const answerPattern =
  /(?:^|[.!\n>])\W{0,4}(?:the |my )?(?:final )?(?:answer|result|output|response|solution|right|after|actual)\W{0,4}:\W{0,4}\s*(?:```\w*\s*)?$/i;
const givenPattern =
  /(?:^|\n)\W{0,4}(?:an? |the )?(?:examples?|input(?: was)?|schema|wrong|before|given|draft|incorrect)\W{0,4}\s*(?:```\w*\s*)?$/i;
const otherFencePattern = /```(?:python|py|javascript|js|typescript|ts|bash|sh|java|go|ruby)\n[^`]*$/i;
// Code in a sentence that does not say that it is the answer, and a value or a fence for JSON on its own lines.
const inlinePattern = /(?<!`|\b(?:result|answer|output|response)\b[^.\n]{0,20})`$/i;
const ownLinesPattern = /\n\s*(?:```(?:json)?\s*)?$/i;
const maxIntroduction = 400;

/**
 * Returns how much a value is preferred to the one before it: it corrects that one, is the answer after an example, is in a
 * fence after code in another language, or is on its own lines after code in a sentence.
 */
export function introductionScore({ start, text }: Machine, previous: Machine | undefined): number {
  if (previous === undefined) return 0;
  const before = text.slice(Math.max(previous.rootEnd, start - maxIntroduction), start);
  const earlier = text.slice(Math.max(0, previous.start - maxIntroduction), previous.start);
  const isAnswer = answerPattern.test(before) && givenPattern.test(earlier);
  const isJson = otherFencePattern.test(earlier) && /```json\s*$/i.test(before);
  const isInline = inlinePattern.test(earlier) && text[previous.rootEnd] === '`';
  // More than an object counts before a list.
  if (isInline && ownLinesPattern.test(before)) return 4;
  return Number(isAnswer || isJson || finalPattern.test(before) || correctionLabel.test(before));
}

/** Returns whether a label such as `Example:` or `Wrong:` precedes a value. */
export const isGiven = (text: string, start: number): boolean =>
  givenPattern.test(text.slice(Math.max(0, start - maxIntroduction), start));
