import { type GrowingText, hasCharacter, type Reading, skipSpace } from '../../source/growing-text.ts';

const maxIntroductionLength = 400;
const labelPattern = /\bexamples?\s{0,4}:$/i;
const examplePattern = /\b(?:example|format|syntax|for instance|e\.g\.|looks? like|would be|such as)\b[^\n]*$/i;

/** How an envelope is introduced, when it may be shown and not used; that depends on what follows it. */
export type Introduction = 'sentence' | 'example' | 'label' | undefined;

/**
 * Judges what stands before an envelope: the middle of a sentence, or words that introduce an example. `from`: where the call
 * before it ended, so that `and` between two calls is no sentence.
 */
export function introductionOf({ text }: GrowingText, start: number, from = 0): Introduction {
  const nearby = text.slice(Math.max(0, from, start - maxIntroductionLength), start);
  const before = nearby.slice(nearby.lastIndexOf('\n') + 1).trim();
  const introduction = before === '' ? lastLine(nearby.trimEnd()) : before;
  if (labelPattern.test(introduction)) return 'label';
  if (introduction.endsWith(':') && examplePattern.test(introduction)) return 'example';
  return isMidSentence(before) ? 'sentence' : undefined;
}

/**
 * Whether an envelope that prose can hold is being shown and not used: it stands in the middle of a sentence that goes on,
 * or is introduced as an example and followed by more prose. May only veto.
 */
export function* isDocumentation(source: GrowingText, introduction: Introduction, end: number): Reading<boolean> {
  if (introduction === undefined) return false;
  if (introduction === 'label') return true;
  if (introduction === 'sentence') {
    let at = end;
    while (at - end < 9 && (yield* hasCharacter(source, at)) && source.text[at] === ' ') at += 1;
    // A sentence may go on in the next line.
    const isBroken = (yield* hasCharacter(source, at)) && source.text[at] === '\n';
    if (isBroken) at += 1;
    return (yield* hasCharacter(source, at)) && (isBroken ? /[a-z]/ : /[a-z,(]/).test(source.text[at] ?? '');
  }
  const at = yield* skipSpace(source, end);
  const next = source.text[at];
  return next !== undefined && next !== '<';
}

function isMidSentence(before: string): boolean {
  return before.split(/\s+/).length >= 2 && !/[.!?:]$/.test(before);
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}
