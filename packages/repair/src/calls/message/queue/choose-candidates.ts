import { takenBackLabel } from '../../../json/text/correction-label.ts';
import { stepNumber } from '../../source/agent-labels.ts';
import type { WrittenCall } from '../../contract/envelope.ts';
import { isResidueAfter, mayBeResidueAfter } from './message-residue.ts';
import { announcement, continuedSentence, isShown, speaksAgainstCalls, subjectPattern } from './cues.ts';
import { type Candidate, isCandidate, type Part, textOf } from './queued-parts.ts';

const maxFollowingLength = 1_000;

/** Returns the text after a part, as far as it decides whether the message ends there. */
function textAfter(parts: readonly Part[], at: number): string {
  let text = '';
  for (let index = at + 1; index < parts.length && text.length <= maxFollowingLength; index += 1) {
    const part = parts[index];
    if (part !== undefined) text += textOf(part);
  }
  return text;
}

/** Returns whether a candidate may still count, if `rest` follows the parts. */
export function mayBeChosen(parts: readonly Part[], at: number, rest: string): boolean {
  const part = parts[at];
  if (!isCandidate(part) || isUnannounced(part)) return false;
  if (part.isHead || standsAlone(part)) return true;
  return mayBeResidueAfter(textAfter(parts, at) + rest);
}

/** Returns the candidates that count at the end of the message, if no other calls count. */
export function chooseCandidates(
  parts: readonly Part[],
  hasOtherCalls: boolean,
  fencesWithCalls: number,
): ReadonlySet<number> {
  if (hasOtherCalls) return new Set();
  const found = parts.flatMap((part, at) => {
    if (!isCandidate(part) || isUnannounced(part)) return [];
    const after = textAfter(parts, at);
    return resultPattern.test(after) ? [] : [{ part, at, after, isAtEnd: isResidueAfter(after) }];
  });
  const firstAt = found[0]?.at ?? 0;
  const resultAt = parts.findIndex((part, at) => at > firstAt && madeUpTurn.test(textOf(part)));
  if (resultAt !== -1) return chooseCandidates(parts.slice(0, resultAt), false, fencesWithCalls);
  const candidates = found.filter(({ part }, index) => !isReplaced(part, found[index + 1]?.part));
  const head = candidates.find(
    ({ part, after, isAtEnd }) => part.isHead && !(part.isPrinted && isAtEnd) && !subjectPattern.test(after),
  );
  if (head !== undefined) return new Set([head.at, ...adjoiningFences(parts, head.at)]);
  const alone = candidates.filter(
    ({ part, after }) => standsAlone(part) && !part.isPrinted && !continuedSentence.test(after),
  );
  const [first] = alone;
  const rest = parts.slice((first?.at ?? 0) + 1).map((part) => (isCandidate(part) ? '\n' : textOf(part)));
  if (first !== undefined && !speaksAgainstCalls(first.part.before, rest.join('')))
    return new Set(alone.map(({ at }) => at));
  const last = candidates
    .filter(
      ({ part, isAtEnd }) =>
        isAtEnd &&
        !part.isPrinted &&
        !(part.kind === 'bare' && comparison.test(part.before)) &&
        !isShown(part.before, part.hasOwnLines),
    )
    .at(-1);
  if (last === undefined || (last.part.kind === 'fence' && fencesWithCalls > 1)) return new Set();
  return new Set([last.at]);
}

// The result of a call, or a remark on it.
const resultPattern = /^\s*(?:→|[-=]>|th(?:is|at) (?:is (?:what|how)|was)\b)/i;

// A result or another turn that the model made up after a call.
const madeUpTurn = new RegExp(
  `(?:^|\\n)(?:(?:Observation${stepNumber}|观察)[:：][ \\t]*[^\\s\`]|\\[OBSERVATION\\]|(?:USER|HUMAN):\\s)`,
);

// `Compare [f()] with [g()]`: the sentence before a call contains another one.
const comparison = /\[\w[\w.]{0,99}\([^\n]{0,200}\)\] [^.!?:;\n]*$/;

function standsAlone({ kind, hasOwnLines, before }: Candidate): boolean {
  return hasOwnLines && !isShown(before, false) && !(kind === 'fence' && sectionPattern.test(before));
}

// The heading of a section, right before a fence in a document with several headings. A heading may announce a call.
const sectionPattern = /(?:^|\n)#{1,6} [^]*\n#{1,6} (?![^\n]*\b(?:actions?|calls?|steps?|next|execut|invo))[^\n]*\s*$/i;

// A call written as code, possibly in a fence. Lists, objects and tags are signs of a call by themselves.
const plainCall = /^(?:[`~]{3,}[^\n]*)?[^({[<:]*\(/;

const noProsePattern = /<think>[^]*<\/think>|<\|[^<>\n]{1,40}\|>|<\/?(?:s|\w{1,20}_\w{1,20})>|\[\/?[A-Z_]{2,20}\]/g;
// Four words, a label, other code, a heading or a tag of HTML.
const prosePattern = /(?:\p{L}+\P{L}+){3}\p{L}|[:：(]|^\s*(?:##|<\w+>\s*$)/u;

/**
 * Returns whether a sentence or a label before a call without brackets announces none, and shares no word with it. Tokens,
 * reasoning, short comments and the name of a language are neither.
 */
function isUnannounced(part: Candidate): boolean {
  const { before } = part;
  const [line = ''] = before
    .replaceAll(noProsePattern, '')
    .split('\n')
    .filter((one) => /\p{L}/u.test(one))
    .slice(-1);
  const sentence =
    line
      .trimEnd()
      .split(/[.!?] /)
      .at(-1) ?? '';
  if (!prosePattern.test(sentence) || announcement.test(sentence) || !plainCall.test(textOf(part))) return false;
  const words = new Set(wordsOf(sentence));
  return !callsOf(part).some((call) =>
    [
      ...wordsOf(call.name?.replaceAll(/[a-z](?=[A-Z])/g, '$& ') ?? '').slice(1),
      ...wordsOf(JSON.stringify([Object.values(call.arguments ?? {}), call.positional])),
    ].some((word) => words.has(word)),
  );
}

function callsOf({ segments }: Candidate): readonly WrittenCall[] {
  const found = segments.flatMap((segment) => (segment.kind === 'calls' ? segment.group.found : []));
  return found.flatMap(({ calls }) => calls);
}

/** Returns whether the next candidate corrects a call of the same tool. */
function isReplaced(part: Candidate, next: Candidate | undefined): boolean {
  if (next === undefined || !takenBackLabel.test(next.before)) return false;
  const names = new Set(callsOf(next).map(({ name }) => name));
  return callsOf(part).some(({ name }) => names.has(name));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{3,}|\d+/gu) ?? [];
}

/** Returns the fences that follow a fence without text between them. */
function adjoiningFences(parts: readonly Part[], head: number): readonly number[] {
  const found: number[] = [];
  for (let at = head + 1; at < parts.length; at += 1) {
    const part = parts[at];
    if (part?.kind === 'fence') found.push(at);
    else if (part === undefined || textOf(part).trim() !== '') break;
  }
  return found;
}
