import { isDigit } from '../../../json/text/characters.ts';

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
  /** Number of fences with calls. */
  fences: number;
  /** Whether the model has written the turn of another speaker after its calls, or the tokens that begin such a turn anywhere. */
  isOtherTurn: boolean;
  /** Whether the message begins with the prompt of the conversation. */
  beginsWithPrompt: boolean;
  /** The end of the latest call, from the beginning of the message. */
  callsEnd: number;
  /** The end of the latest call that a label shows, from the beginning of the message. */
  shownEnd: number;
  /** Whether the message so far may be reasoning whose opening tag is missing. */
  mayBeReasoning: boolean;
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

/** The state at the beginning of a message. */
export const beginning: Readonly<ScanState> = {
  at: 0,
  isLineStart: true,
  isFresh: true,
  isHead: true,
  openDocuments: 0,
  quotation: undefined,
  attempts: 0,
  fences: 0,
  isOtherTurn: false,
  beginsWithPrompt: false,
  callsEnd: 0,
  shownEnd: Number.NEGATIVE_INFINITY,
  mayBeReasoning: true,
};
