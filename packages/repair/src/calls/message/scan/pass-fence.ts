import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { observationLabels } from '../../source/agent-labels.ts';
import { type EnvelopeCalls, readBody, spaceAndComments } from '../found-calls/read-found-calls.ts';
import { introductionOf, isDocumentation } from './is-documentation.ts';
import { endReasoning, lostReasoningClosers } from './pass-prose.ts';
import type { Scan } from './scan.ts';

/** Reads the run of backticks or tildes at the scan's offset, and the calls in it, if it may be a code fence. */
export function* passFence(scan: Scan): Reading<void> {
  const { source, state, queue } = scan;
  const { at, isHead, isLineStart } = state;
  const inside = yield* source.skipMatch(runPattern, at);
  const mark = source.text.slice(at, inside);
  if (mark.length < 3) {
    passInline(scan, mark, inside);
    return;
  }
  const wordEnd = yield* source.skipMatch(languagePattern, inside);
  const language = source.text.slice(inside, wordEnd).trim().toLowerCase();
  state.isOtherTurn ||= state.callsEnd > 0 && /^tool_(?:output|result|response)s?$/.test(language);
  const lineEnd = yield* source.skipMatch(blanks, wordEnd);
  const isAlone = lineEnd >= source.text.length || source.text[lineEnd] === '\n';
  const isNamed = callLanguages.test(language);
  const isAgents = codeLabel.test(source.before(at, maxThought));
  const isProgram = isAgents || (!isNamed && isHead && (yield* source.matchAt(programPattern, wordEnd)) !== null);
  const isChange = /^(?:suggestion|diff|patch)$/.test(language);
  const body = isChange ? [] : yield* readBody(source, wordEnd, isNamed || isProgram, [mark]);
  const last = body.at(-1);
  let end = last?.end ?? inside;
  let isClosed = last !== undefined;
  if (last !== undefined && last.isInterrupted !== true) {
    // The mark of the fence also closes a call with `BEGIN_ARG`.
    const contentEnd = source.text.endsWith(mark, last.end) ? last.end - mark.length : last.end;
    const close = yield* source.skipMatches(spaceAndComments, yield* source.skipMatch(strayClosers, contentEnd));
    // Waits until the text can be compared with the closing mark. The message may end before or within it.
    yield* source.needleAt([mark], close);
    isClosed = mark.startsWith(source.text.slice(close, close + mark.length));
    end = Math.min(close + mark.length, source.text.length);
  }
  if (last === undefined || !isClosed) {
    if (isAlone) yield* passFenced(scan, mark, inside);
    else passInline(scan, mark, inside);
    return;
  }
  const found = body.map((one) => ({ ...one, envelope: one.tier === 3 ? 'fenced' : one.envelope }));
  if (last.isInterrupted === true) addInterrupted(scan, end, found);
  else if (isNamed || actionLabel.test(source.before(at, 20)) || (isAgents && (yield* endsTurn(source, end)))) {
    const introduction = introductionOf(source, at, state.callsEnd - source.base);
    if (!(yield* isDocumentation(source, introduction, end))) scan.addCalls(end, found);
  } else if (
    !queue.hasCounted() &&
    body.some(({ calls }) => calls.some(({ isDefinition }) => isDefinition !== true)) &&
    (isAlone || (yield* source.matchAt(sentencePattern, end)) === null)
  ) {
    const isPrinted = isProgram && printPattern.test(source.text.slice(wordEnd, last.end));
    const how = { kind: 'fence', isHead, isPrinted, hasOwnLines: isLineStart && isAlone } as const;
    state.fences += 1;
    queue.addCandidate(how, [{ start: at, end, found }]);
  }
  scan.goTo(end);
}

const callLanguages = /^(?:tool|tool_calls?|tool_code|tool_use|function|function_call)$/;

// A sentence goes on after code within a line.
const sentencePattern = / {1,4}[a-z]/y;

// The program of an agent that writes a thought first.
const codeLabel = /(?:^|\n)Thoughts?:[^]{1,480}\nCode:\s{0,9}$/;
const maxThought = 480;

/** Returns whether an agent's program is all that follows, up to a result. */
function* endsTurn(source: GrowingText, end: number): Reading<boolean> {
  const next = yield* source.skipSpace(end);
  return (
    next >= source.text.length || (yield* source.needleAt(['<end_code>', ...observationLabels], next)) !== undefined
  );
}

// The label of a list of calls in the format of Command-R.
const actionLabel = /(?:^|\n)Action:\s{0,9}$/;

/** A call that another call cuts off is reported, whatever follows in the message. */
export function addInterrupted(scan: Scan, end: number, found: readonly EnvelopeCalls[]): void {
  const cut = found.map((one) => ({ ...one, calls: one.calls.filter(({ ending }) => ending !== 'closed') }));
  if (cut.some(({ calls }) => calls.length > 0)) scan.addCalls(end, cut);
}

function* passFenced(scan: Scan, mark: string, inside: number): Reading<void> {
  scan.goTo(inside);
  const close = `\n${mark}`;
  // Reasoning without an opening tag may end inside a fence without an end.
  const lost = scan.state.mayBeReasoning ? lostReasoningClosers.map((closer) => `\n${closer}`) : [];
  const found = yield* scan.passUntil([close, ...lost]);
  if (found !== '' && found !== close) yield* endReasoning(scan, scan.state.at);
}

/** `code` between backticks, within one paragraph. */
function passInline(scan: Scan, mark: string, inside: number): void {
  if (!mark.startsWith('`') || !scan.openRegion(false, inside, [mark.slice(0, 3)], '\n\n')) scan.goTo(inside);
}

const strayClosers = /(?:\s{0,9}[}\])]){0,4}/y;
// A program that begins with a call in a statement. It prints the results where it begins or where it ends.
const programPattern =
  /\s{0,9}(?:print\(|await [A-Za-z_][\w.]{0,127}\(|(?:const |let |var )?[A-Za-z_]\w{0,60}\s{0,4}=\s{0,4}(?!=)(?:await |\[\s{0,9})?[A-Za-z_][\w.]{0,127}\()/y;
const printPattern = /^\s*print\(|\n(?:print|console\.log)\([^\n]{0,200}\)[\s;]*$/;
const runPattern = /`{1,400}|~{1,400}/y;
const languagePattern = /[\w$.-]{1,64}|(?:[ \t]{1,4}[\w-]{1,20}|\r?\njson)(?=[ \t]{0,9}\r?\n)/y;
const blanks = /[ \t\r]{1,400}/y;
