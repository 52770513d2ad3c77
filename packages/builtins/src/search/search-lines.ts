/** A line of an answer: one that matched, or one near it. */
export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** What was found in one file. */
export interface LineSearchResult {
  readonly lines: readonly FoundLine[];
  /** Every matching line, also those no longer kept. */
  readonly matches: number;
}

/** How lines are searched. */
export interface LineSearchOptions {
  /** Without the flags `g` and `y`. */
  readonly pattern: RegExp;
  /** Lines shown before and after a match. */
  readonly context: number;
  /** How many matching lines are kept. */
  readonly keep: number;
}

/** Searches a text that comes in pieces, line by line. */
export interface LineSearch {
  push(piece: string): void;
  finish(): LineSearchResult;
}

/** The longest line shown, in characters; a longer one is shown around its match. */
export const longestShownLine = 500;
/** Of a longer line only this much is searched. */
export const longestSearchedLine = 1_000_000;

/** Makes a search over the lines of one file. A carriage return before a line feed belongs to the break. */
export function createLineSearch({ pattern, context, keep }: LineSearchOptions): LineSearch {
  const lines: FoundLine[] = [];
  const before: FoundLine[] = [];
  let rest = '';
  let number = 0;
  let matches = 0;
  let afterLeft = 0;

  const take = (raw: string): void => {
    number += 1;
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const found = pattern.exec(text);
    if (found) {
      matches += 1;
      if (matches > keep) return;
      lines.push(...before.splice(0), { line: number, text: showAround(text, found.index), isMatch: true });
      afterLeft = context;
    } else if (context === 0 || matches > keep) {
      return;
    } else if (afterLeft > 0) {
      afterLeft -= 1;
      lines.push({ line: number, text: showAround(text, 0), isMatch: false });
    } else {
      before.push({ line: number, text: showAround(text, 0), isMatch: false });
      if (before.length > context) before.shift();
    }
  };

  return {
    push(piece) {
      let start = 0;
      for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
        take(rest === '' ? piece.slice(start, end) : (rest + piece.slice(start, end)).slice(0, longestSearchedLine));
        rest = '';
        start = end + 1;
      }
      if (rest.length < longestSearchedLine) rest += piece.slice(start, start + longestSearchedLine);
    },
    finish() {
      if (rest !== '') take(rest.slice(0, longestSearchedLine));
      return { lines, matches };
    },
  };
}

function showAround(text: string, index: number): string {
  if (text.length <= longestShownLine) return text;
  const wanted = Math.max(0, Math.min(index - 100, text.length - longestShownLine));
  const start = isLow(text, wanted) ? wanted - 1 : wanted;
  const wantedEnd = start + longestShownLine;
  const end = isLow(text, wantedEnd) ? wantedEnd - 1 : wantedEnd;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

function isLow(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
