import { isNoiseAfter, mayBeNoiseAfter } from '../scan/message-bounds.ts';
import { isOffered, isShown, speaksAgainstCalls } from './cues.ts';
import { isCandidate, textOf, type Candidate, type Part } from './parts.ts';

const REACH = 1_000;

/** The text behind a part, as far as it can matter for where the message ends. */
function behind(parts: readonly Part[], at: number): string {
  let text = '';
  for (let index = at + 1; index < parts.length && text.length <= REACH; index += 1) {
    const part = parts[index];
    if (part !== undefined) text += textOf(part);
  }
  return text;
}

/** Whether a candidate may still turn out to be calls, if `rest` follows the parts. */
export function mayBeChosen(parts: readonly Part[], at: number, rest: string): boolean {
  const part = parts[at];
  if (!isCandidate(part)) return false;
  if ((part.kind === 'fence' && part.isHead) || standsAlone(part)) return true;
  return mayBeNoiseAfter(behind(parts, at) + rest);
}

/** The candidates that are calls, now that the message has ended. `areOver`: calls have been made already. `fences`: how many of them held calls. */
export function chooseCandidates(parts: readonly Part[], areOver: boolean, fences: number): ReadonlySet<number> {
  const candidates = parts.flatMap((part, at) => (isCandidate(part) ? [{ part, at }] : []));
  const isAtEnd = (at: number): boolean => isNoiseAfter(behind(parts, at));
  const next = candidates.find(({ part, at }) => part.kind === 'bare' && part.followsMade && isAtEnd(at));
  if (next !== undefined) return new Set([next.at]);
  if (areOver) return new Set();
  const head = candidates.find(({ part, at }) => part.kind === 'fence' && part.isHead && suits(parts, part, at));
  if (head !== undefined) return new Set([head.at, ...rightBehind(parts, head.at)]);
  const alone = candidates.filter(({ part }) => standsAlone(part) && !part.isPrinted);
  const [first] = alone;
  if (first !== undefined && !speaksAgainst(parts, first.part, first.at)) return new Set(alone.map(({ at }) => at));
  const last = candidates.filter(({ part, at }) => isAtEnd(at) && !part.isPrinted && !isOffered(part.before)).at(-1);
  if (last === undefined || (last.part.kind === 'fence' && fences > 1)) return new Set();
  return new Set([candidates.find(({ part, at }) => part.kind === last.part.kind && isAtEnd(at))?.at ?? last.at]);
}

/** Whether a candidate has its lines to itself and is not introduced as an example. */
function standsAlone(part: Candidate): boolean {
  return part.hasOwnLines && !isShown(part.before) && !isOffered(part.before);
}

/** What is printed is a call only where it is explained: a program without a word is a program. */
function suits(parts: readonly Part[], part: Candidate, at: number): boolean {
  return !part.isPrinted || !isNoiseAfter(behind(parts, at));
}

function speaksAgainst(parts: readonly Part[], part: Candidate, at: number): boolean {
  const after = parts
    .slice(at + 1)
    .map((one) => (isCandidate(one) ? '\n' : textOf(one)))
    .join('');
  return speaksAgainstCalls(part.before + after, after);
}

/** Fences that follow one another, with nothing between them, belong together. */
function rightBehind(parts: readonly Part[], head: number): readonly number[] {
  const found: number[] = [];
  for (let at = head + 1; at < parts.length; at += 1) {
    const part = parts[at];
    if (part?.kind === 'fence') found.push(at);
    else if (part === undefined || textOf(part).trim() !== '') break;
  }
  return found;
}
