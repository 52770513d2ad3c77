import { findRequiredText } from '../patterns/find-required-text.ts';
import { compileLinePattern, type LinePattern } from '../patterns/line-pattern.ts';
import { showAround } from './show-around-match.ts';

/** A line of a result: a matching line, or a line near one. */
export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** The matches in one file. */
export interface TextSearchResult {
  readonly lines: readonly FoundLine[];
  /**
   * Number of all matches, including those whose lines are not stored: matching lines or, with `isMultiline`,
   * positions.
   */
  readonly matches: number;
}

/** The query of a search. Plain data, so that it can be sent to another thread. */
export interface TextQuery {
  /** A JavaScript regular expression, without the flags `g`, `m` and `y`. */
  readonly source: string;
  readonly flags: string;
  /** A match may span several lines, and `^` and `$` match at the ends of each line. */
  readonly isMultiline: boolean;
  /** Number of lines to show before and after a match. */
  readonly before: number;
  readonly after: number;
  /** Number of matches per file whose lines are stored. */
  readonly keep: number;
  /** Only the existence of a match matters, so the first match ends the search. */
  readonly isFirstEnough: boolean;
}

/** Searches a text that arrives in chunks. */
export interface TextSearch {
  /** Searches the next chunk. Every chunk except the last ends with a line feed. */
  push(text: string): void;
  /** Returns whether further chunks can't change the result. */
  isDone(): boolean;
  finish(): TextSearchResult;
}

/** Maximum number of lines to show per match. */
const maxLinesOfMatch = 100;

interface Found {
  readonly start: number;
  readonly end: number;
}

/** Finds the next match at or after an index. The index is the start of a line unless matches may span lines. */
type Finder = (text: string, from: number) => Found | undefined;

/**
 * Characters that JavaScript treats as line ends but this search does not. Searching for each of them is many times
 * faster than for a character class.
 */
const otherBreaks = ['\r', '\u2028', '\u2029'] as const;

/** Prepares a search. Call the returned function once per file. Throws the engine's error if it rejects the pattern. */
export function prepareTextSearch(query: TextQuery): () => TextSearch {
  const find = createFinder(query);
  return () => createTextSearch(query, find);
}

function createTextSearch(query: TextQuery, find: Finder): TextSearch {
  const lines: FoundLine[] = [];
  let matches = 0;
  let afterLeft = 0;
  /** The number of the first line that was neither shown nor skipped. */
  let number = 1;
  /** The last lines of the previous chunks, as many as may be shown before a match. */
  let carried: readonly string[] = [];
  /** Counts the remaining lines of the previous chunk. Needed only if another chunk follows. */
  let passRest = (): void => {};

  const show = (text: string, isMatch: boolean, around = 0): void => {
    lines.push({ line: number, text: showAround(text, around), isMatch });
    number += 1;
  };

  const searchPiece = (text: string): void => {
    const isOfLine = (index: number): boolean => index < text.length || (text !== '' && !text.endsWith('\n'));
    /** The offset of the first line that was neither shown nor skipped. */
    let cursor = 0;
    const showUntil = (end: number, isMatch: boolean, most: number, match = -1): void => {
      for (let shown = 0; shown < most && cursor < end; shown += 1) {
        const next = endOfLine(text, cursor);
        show(text.slice(cursor, next), isMatch, Math.max(0, match - cursor));
        cursor = next + 1;
      }
    };
    const passUntil = (end: number): void => {
      for (; cursor < end; cursor = endOfLine(text, cursor) + 1) number += 1;
    };

    let from = 0;
    for (let found = find(text, from); found && isOfLine(found.start); found = find(text, from)) {
      matches += 1;
      if (query.isFirstEnough) return;
      const first = startOfLine(text, found.start);
      const last = endOfLine(text, Math.max(found.start, found.end - 1));
      if (matches <= query.keep) {
        showUntil(first, false, afterLeft);
        const start = startOfLines(text, first, query.before, cursor);
        const lacking = query.before - countLines(text, start, first);
        if (start === 0 && cursor === 0 && lacking > 0) {
          const kept = carried.slice(-lacking);
          number -= kept.length;
          for (const line of kept) show(line, false);
        }
        passUntil(start);
        showUntil(first, false, query.before);
        showUntil(last + 1, true, maxLinesOfMatch, found.start);
        carried = [];
        afterLeft = query.after;
      } else if (afterLeft > 0) {
        // Context after the last shown match ends where the next match begins.
        showUntil(first, false, afterLeft);
        afterLeft = 0;
      }
      from = query.isMultiline ? Math.max(found.end, found.start + 1) : last + 1;
      if (from > text.length) break;
    }
    if (matches > query.keep || query.keep === 0) return;
    const shownBefore = lines.length;
    showUntil(text.length, false, afterLeft);
    afterLeft -= lines.length - shownBefore;
    passRest = () => {
      const start = startOfLines(text, text.length, query.before, cursor);
      passUntil(start);
      const rest: string[] = [];
      for (; cursor < text.length; cursor = endOfLine(text, cursor) + 1) {
        rest.push(text.slice(cursor, endOfLine(text, cursor)));
        number += 1;
      }
      carried = [...carried, ...rest].slice(-query.before || Number.MAX_SAFE_INTEGER);
    };
  };

  return {
    push: (text) => {
      if (query.isFirstEnough && matches > 0) return;
      passRest();
      passRest = () => {};
      searchPiece(text);
    },
    isDone: () => query.isFirstEnough && matches > 0,
    finish: () => ({ lines, matches }),
  };
}

function createFinder({ source, flags, isMultiline }: TextQuery): Finder {
  if (isMultiline) {
    const pattern = new RegExp(source, `gm${flags}`);
    return (text, from) => findNext(pattern, text, from);
  }
  const compiled = compileLinePattern(source, flags);
  if (compiled === undefined) return createLineFinder(new RegExp(source, flags));
  const find = createTextFinder(compiled);
  const mark = findMark(source, flags);
  return mark === undefined ? find : createMarkedFinder(mark, find);
}

function createTextFinder(compiled: LinePattern): Finder {
  let checked = '';
  let pattern = compiled.standard;
  return (text, from) => {
    if (text !== checked) {
      pattern = otherBreaks.some((ending) => text.includes(ending)) ? compiled.exact : compiled.standard;
      checked = text;
    }
    return findNext(pattern, text, from);
  };
}

function findNext(pattern: RegExp, text: string, from: number): Found | undefined {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/**
 * Returns a pattern for a text that every matching line contains and that the engine finds quickly. Returns undefined
 * if it would not help.
 */
function findMark(source: string, flags: string): RegExp | undefined {
  const isFast = !flags.includes('i') && /^[\w ]{3}/.test(source);
  const text = isFast ? undefined : findRequiredText(source, flags.replace('i', ''));
  return text === undefined ? undefined : new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), `g${flags}`);
}

/**
 * Searches only lines that contain the mark. Engines take many times as long if they have to try every position of a
 * text.
 */
function createMarkedFinder(mark: RegExp, find: Finder): Finder {
  return (text, from) => {
    for (let at = from; at < text.length;) {
      mark.lastIndex = at;
      const marked = mark.exec(text);
      if (marked === null) return undefined;
      const start = Math.max(at, startOfLine(text, marked.index));
      const end = endOfLine(text, marked.index);
      const found = find(text.slice(start, end), 0);
      if (found) return { start: start + found.start, end: start + found.end };
      at = end + 1;
    }
    return undefined;
  };
}

/** Searches line by line, for patterns that can't be converted. */
function createLineFinder(pattern: RegExp): Finder {
  return (text, from) => {
    for (let start = from; start < text.length;) {
      const end = endOfLine(text, start);
      const found = pattern.exec(text.slice(start, end));
      if (found !== null) return { start: start + found.index, end: start + found.index + found[0].length };
      start = end + 1;
    }
    return undefined;
  };
}

function startOfLine(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

function endOfLine(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end;
}

/**
 * Returns the start of the last `wanted` lines before `index`, which is the start of a line. Never returns less than
 * `least`.
 */
function startOfLines(text: string, index: number, wanted: number, least: number): number {
  let start = index;
  for (let line = 0; line < wanted && start > least; line += 1) start = startOfLine(text, start - 1);
  return Math.max(start, least);
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index = endOfLine(text, index) + 1) count += 1;
  return count;
}
