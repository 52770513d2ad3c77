import { isDigit } from '../../../json/text/characters.ts';
import type { CallWatch } from '../../source/call-watch.ts';
import type { EnvelopeIndex } from '../../source/envelope-index.ts';
import { firstOf, type GrowingText, type Reading } from '../../source/growing-text.ts';
import type { PlacedCalls } from '../body/read-body.ts';
import type { MessageQueue } from '../queue/message-queue.ts';
import type { LiveCall } from '../queue/message-sink.ts';
import type { Doubt } from './doubts.ts';

/** What is known at one place of a message. */
export interface ScanState {
  /** How far the message has been read. */
  at: number;
  isLineStart: boolean;
  /** Whether a sentence may begin here. */
  isFresh: boolean;
  /** Whether nothing but finished reasoning and what templates leave behind has come yet. */
  isHead: boolean;
  /** How much of the latter has come. */
  noise: number;
  isColonDue: boolean;
  /** How many documents have been begun and not ended. */
  quotations: number;
  /** The latest quotation with calls in it: the marks of which one ends it, and how far it is known to go on. */
  quotation: { readonly closers: string; readonly until: number } | undefined;
  /** How often a call with nothing around it has been looked for. */
  attempts: number;
  /** Whether the model has gone on with the turn of another speaker after its calls. */
  isOtherTurn: boolean;
  /** Where the latest call ended, from the beginning of the message. */
  madeEnd: number;
  /** Whether all so far may turn out to be reasoning whose opening tag is missing. */
  mayBeReasoning: boolean;
}

/** What reading a message works with. */
export interface Scan {
  readonly source: GrowingText;
  readonly index: EnvelopeIndex;
  readonly queue: MessageQueue;
  state: ScanState;
  /** Says that calls stand from the state's place on. */
  readonly addMade: (end: number, placed: readonly PlacedCalls[], live?: readonly LiveCall[]) => void;
  /** Says that what looks like calls is quoted there. */
  readonly addQuoted: (end: number, placed: readonly PlacedCalls[], live: readonly LiveCall[]) => void;
  /** Says that a text of strangers begins or has ended at the state's place. */
  readonly quote: (isBegin: boolean) => void;
  /** Reports the calls in a text of strangers that was passed, and that began at an offset of the message. */
  readonly reportCalls: (text: string, start: number) => void;
  /** Whether the message is itself such a text. */
  readonly isUntrusted: boolean;
  /** Says that a code fence with calls stands there. */
  readonly addFence: (
    end: number,
    placed: readonly PlacedCalls[],
    how: { readonly hasOwnLines: boolean; readonly isPrinted: boolean },
  ) => void;
  /** Says that calls with nothing around them stand there, one after the other. */
  readonly addSeries: (series: readonly PlacedCalls[], followsMade: boolean, hasOwnLines: boolean) => void;
  /** Says that the message may be nothing but what stands between quotes from here on. */
  readonly addQuote: () => void;
  /** Says that something begins at the state's place that may be talk. Answers whether it is closed and was left. */
  readonly doubt: (
    doubt: Pick<Doubt<ScanState>, 'isReasoning' | 'closers' | 'barrier'> & { readonly inside: number },
  ) => boolean;
  readonly isInReasoning: () => boolean;
  readonly isInDoubt: () => boolean;
  /** Says that all so far was reasoning, up to an offset. */
  readonly leaveReasoning: (end: number) => void;
  /** Whether anybody wants to see calls while they are written. */
  readonly isWatched: boolean;
  /** Who watches the calls that begin at the state's place. Those that are shown go to `live`. */
  readonly watch: (live: LiveCall[]) => CallWatch;
  /** Forgets what was read, but for what may still be looked back at. */
  readonly forget: () => void;
}

// What the items of a list begin with: dash, star, plus, bullet, digits; and a parenthesis around a named call.
export const itemMarkCodes: ReadonlySet<number> = new Set(
  Array.from('(-*+\u20220123456789', (mark) => mark.charCodeAt(0)),
);

export function pass(state: ScanState, code: number): void {
  state.isLineStart = false;
  state.isHead = false;
  const isEnd = code === 0x3a || code === 0x2e || code === 0x21 || code === 0x3f;
  state.isFresh = isEnd || (state.isFresh && itemMarkCodes.has(code) && !isDigit(code));
}

/** Goes on behind something. */
export function goTo(state: ScanState, at: number): void {
  state.at = at;
  state.isLineStart = false;
  state.isFresh = false;
  state.isHead = false;
}

const maxAttempts = 32;

export function areOver(state: ScanState, queue: MessageQueue): boolean {
  return state.isOtherTurn || state.attempts >= maxAttempts || queue.hasMade();
}

/** Passes everything up to one of the needles, and that but for its last characters. */
export function* passUntil(
  scan: Scan,
  needles: readonly string[],
  spared = 0,
  passed: (text: string) => void = () => {},
): Reading<string> {
  const { source } = scan;
  const longest = Math.max(...needles.map(({ length }) => length));
  for (;;) {
    const { at, needle } = firstOf(source, needles, scan.state.at);
    if (at !== -1) {
      passed(source.text.slice(scan.state.at, at));
      goTo(scan.state, at + needle.length - spared);
      return needle;
    }
    if (source.ended) {
      passed(source.text.slice(scan.state.at));
      goTo(scan.state, source.text.length);
      return '';
    }
    const next = Math.max(scan.state.at, source.text.length - longest + 1);
    passed(source.text.slice(scan.state.at, next));
    goTo(scan.state, next);
    scan.forget();
    yield undefined;
  }
}

export const beginning: Omit<ScanState, 'mayBeReasoning'> = {
  at: 0,
  isLineStart: true,
  isFresh: true,
  isHead: true,
  noise: 0,
  isColonDue: false,
  quotations: 0,
  quotation: undefined,
  attempts: 0,
  isOtherTurn: false,
  madeEnd: 0,
};
