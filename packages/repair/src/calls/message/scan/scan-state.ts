import { isDigit } from '../../../json/text/characters.ts';
import type { CallWatch } from '../../source/call-watch.ts';
import type { EnvelopeIndex } from '../../source/envelope-index.ts';
import { firstOf, type GrowingText, type Reading } from '../../source/growing-text.ts';
import type { LiveCall } from '../queue/message-sink.ts';
import type { QueuedParts } from '../queue/queued-parts.ts';

/** The state of the scan at one offset of a message. */
export interface ScanState {
  at: number;
  isLineStart: boolean;
  /** Whether a sentence may begin here. */
  isFresh: boolean;
  /** Whether only finished reasoning and template residue have come so far. */
  isHead: boolean;
  /** Number of documents that are open. */
  openDocuments: number;
  /** The latest quotation with calls in it: the marks that may close it, and its end. */
  quotation: { readonly closers: string; readonly until: number } | undefined;
  /** Number of attempts to read a bare call. */
  attempts: number;
  /** Whether the model has written the turn of another speaker after its calls, or the tokens that begin such a turn anywhere. */
  isOtherTurn: boolean;
  /** Whether the message begins with the prompt of the conversation. */
  beginsWithPrompt: boolean;
  /** The end of the latest call, from the beginning of the message. */
  callsEnd: number;
  /** Whether the message so far may be reasoning whose opening tag is missing. */
  mayBeReasoning: boolean;
}

/** A region that has begun and contains only prose if it is closed. */
export interface OpenRegion {
  /** Its start, from the beginning of the message. */
  readonly start: number;
  /** The state at its start, from which reading continues after it. */
  readonly state: ScanState;
  /** Number of fences with calls before it. */
  readonly fences: number;
  readonly isReasoning: boolean;
  /** The texts that close it, and the text that shows that it will not be closed. */
  readonly closers: readonly string[];
  readonly barrier?: string;
}

/** The text, the queue and the actions of the scan. */
export interface Scan {
  readonly source: GrowingText;
  readonly index: EnvelopeIndex;
  readonly queue: QueuedParts;
  state: ScanState;
  /** Reports the calls in an untrusted text that began at an offset of the message. */
  readonly reportCalls: (text: string, start: number) => void;
  /** Whether the whole message is untrusted. */
  readonly isUntrusted: boolean;
  /** Opens a region that is prose if it is closed. Returns whether it is closed and was skipped. */
  readonly openRegion: (
    region: Pick<OpenRegion, 'isReasoning' | 'closers' | 'barrier'> & { readonly inside: number },
  ) => boolean;
  readonly isInReasoning: () => boolean;
  readonly hasOpenRegion: () => boolean;
  /** Treats the message up to an offset as reasoning. */
  readonly endReasoning: (end: number) => void;
  /** Returns the receiver of calls that begin at the current offset. Calls that are shown are added to `live`. */
  readonly watch: (live: LiveCall[]) => CallWatch;
  /** Drops text that is no longer needed. */
  readonly forget: () => void;
}

// Characters that may begin a list item (dash, star, plus, bullet, digits), or a named call (a parenthesis).
export const itemMarkCodes: ReadonlySet<number> = new Set(
  Array.from('(-*+\u20220123456789', (mark) => mark.charCodeAt(0)),
);

/** Updates what the state says about the line, before the scan moves past a character of prose. */
export function noteCharacter(state: ScanState, code: number): void {
  state.isLineStart = false;
  state.isHead = false;
  const isEnd = code === 0x3a || code === 0x2e || code === 0x21 || code === 0x3f;
  state.isFresh = isEnd || (state.isFresh && itemMarkCodes.has(code) && !isDigit(code));
}

/** Continues at an offset. */
export function goTo(state: ScanState, at: number): void {
  state.at = at;
  state.isLineStart = false;
  state.isFresh = false;
  state.isHead = false;
}

const maxAttempts = 32;

/** Returns whether bare calls are no longer looked for: after a found call, many attempts or another turn. */
export function areBareCallsOver({ state, queue }: Scan): boolean {
  return state.isOtherTurn || state.attempts >= maxAttempts || queue.hasCounted();
}

/** Skips the text up to and including one of the needles. `passed` receives the text before it. */
export function* passUntil(
  scan: Scan,
  needles: readonly string[],
  passed: (text: string) => void = () => {},
): Reading<string> {
  const { source } = scan;
  const longest = Math.max(...needles.map(({ length }) => length));
  for (;;) {
    const from = scan.state.at;
    const { at, needle } = firstOf(source, needles, from);
    const { length } = source.text;
    const end = at !== -1 ? at : source.ended ? length : Math.max(from, length - longest + 1);
    passed(source.text.slice(from, end));
    goTo(scan.state, end + needle.length);
    if (at !== -1 || source.ended) return needle;
    scan.forget();
    yield undefined;
  }
}

export const beginning: Omit<ScanState, 'mayBeReasoning'> = {
  at: 0,
  isLineStart: true,
  isFresh: true,
  isHead: true,
  openDocuments: 0,
  quotation: undefined,
  attempts: 0,
  isOtherTurn: false,
  beginsWithPrompt: false,
  callsEnd: 0,
};
