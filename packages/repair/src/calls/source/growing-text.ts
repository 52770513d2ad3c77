import type { RepairOptions } from '../../json/result/repair-options.ts';
import type { Source } from '../contract/envelope.ts';
import { namesWithSpaces } from '../contract/resolve-tool-name.ts';
import { execAt } from '../../json/text/characters.ts';
import { beginsMatch } from './begins-match.ts';
import type { OpenerTrie } from './opener-trie.ts';

/**
 * The condition for reading to continue: any more text, or a chunk for which the function returns `true`. The function
 * receives every chunk once. The end of the text ends every wait.
 */
export type Wait = ((chunk: string) => boolean) | undefined;

/**
 * A reader of a text that may still grow. It waits whenever more text could change its result, so that the result does
 * not depend on the chunks.
 */
export type Reading<Answer> = Generator<Wait, Answer, void>;

/** A text that may still grow. Its beginning may be dropped; offsets count from the first character that is kept. */
export interface GrowingText extends Source {
  text: string;
  /** Whether `text` is complete. */
  ended: boolean;
  /** Number of characters that were dropped at the beginning. */
  base: number;
  stopped?: 'stop' | 'length';
  /** The declared names that contain a space, longest first. */
  readonly namesWithSpaces: readonly string[];
  /** The openers that begin a call at the beginning of a line. */
  readonly calls?: OpenerTrie;
  /** Number of characters that were read a second time. */
  spent: number;
  /** Number of characters that were read up to the end of the text without a result. */
  guessed: number;
  /** Offsets in the message of damaged values that begin a series without calls. */
  readonly barren: Set<number>;
  /** The last result of each search, so that a repeated search costs nothing. */
  readonly finds: Map<string, Find>;
}

interface Find {
  readonly from: number;
  readonly found: number;
  /** The length of the text when the needle was not found. */
  readonly searched: number;
}

/** Creates a text that is complete. */
export function endedText(source: Source): GrowingText {
  const { text, tools, stopped } = source;
  return {
    text,
    tools,
    namesWithSpaces: namesWithSpaces(tools),
    ...optionsFor(source, stopped),
    ended: true,
    base: 0,
    spent: 0,
    guessed: 0,
    barren: new Set(),
    finds: new Map(),
  };
}

/** Returns the options for reading a value in a text that ended for a reason. */
export function optionsFor(
  { limits }: Pick<Source, 'limits'>,
  stopped: Source['stopped'],
): Pick<RepairOptions, 'stopped' | 'limits'> {
  return { ...(stopped === undefined ? {} : { stopped }), ...(limits === undefined ? {} : { limits }) };
}

/** Runs a reader on a complete text. */
export function readToEnd<Answer>(reading: Reading<Answer>): Answer {
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

const freeCost = 10_000;

/** Returns whether reading this many characters again keeps the total cost linear, and if so adds it to the cost. */
export function pay(source: GrowingText, cost: number, upTo: number): boolean {
  if (source.spent + cost > freeCost + 2 * (source.base + upTo)) return false;
  source.spent += cost;
  return true;
}

const freeGuesses = 40_000;

/** Returns whether one more reading that may reach the end of the text keeps the total cost linear. */
export function mayGuess({ guessed, base }: GrowingText, at: number): boolean {
  return guessed <= freeGuesses + 16 * (base + at);
}

/** Waits for the character at an offset. Returns false if the text ends before it. */
export function* hasCharacter(source: GrowingText, at: number): Reading<boolean> {
  while (at >= source.text.length) {
    if (source.ended) return false;
    yield undefined;
  }
  return true;
}

/** Waits for the end of the text. */
export function* waitForEnd(source: GrowingText): Reading<void> {
  while (!source.ended) yield () => false;
}

/** Returns the offset of the next character that is not white space, or the end of the text. */
export function* skipSpace(source: GrowingText, from: number): Reading<number> {
  let at = from;
  for (;;) {
    const { text } = source;
    while (at < text.length && ' \n\t\r'.includes(text.charAt(at))) at += 1;
    if (at < text.length || source.ended) return at;
    yield (chunk) => /[^ \n\t\r]/.test(chunk);
  }
}

/** Returns the first of the needles, in their order, that begins at an offset. */
export function* needleAt(source: GrowingText, needles: readonly string[], at: number): Reading<string | undefined> {
  for (;;) {
    const { text, ended } = source;
    let isOpen = false;
    for (const needle of needles) {
      if (text.startsWith(needle, at)) {
        if (isOpen) break;
        return needle;
      }
      isOpen ||= !ended && needle.startsWith(text.slice(at));
    }
    if (!isOpen) return undefined;
    yield undefined;
  }
}

/** Returns the offset after a needle that follows white space, or the given offset if none does. */
export function* skipNeedle(source: GrowingText, needles: readonly string[], from: number): Reading<number> {
  const at = yield* skipSpace(source, from);
  const needle = yield* needleAt(source, needles, at);
  return needle === undefined ? from : at + needle.length;
}

/** Matches a sticky pattern without unbounded repetition at an offset. */
export function* matchAt(source: GrowingText, pattern: RegExp, at: number): Reading<RegExpExecArray | null> {
  while (!source.ended && beginsMatch(pattern, source.text, at)) yield undefined;
  return execAt(pattern, source.text, at);
}

/** Returns the offset after the match of such a pattern, or the given offset if it does not match there. */
export function* skipMatch(source: GrowingText, pattern: RegExp, at: number): Reading<number> {
  const match = yield* matchAt(source, pattern, at);
  return match === null ? at : at + match[0].length;
}

/** Returns the offset after all matches of such a pattern in a row. */
export function* skipMatches(source: GrowingText, pattern: RegExp, from: number): Reading<number> {
  for (let at = from; ;) {
    const next = yield* skipMatch(source, pattern, at);
    if (next === at) return at;
    at = next;
  }
}

/** Returns the next offset of a needle in the text so far, or -1. Repeated searches together stay linear. */
function findNext(source: GrowingText, needle: string, from: number): number {
  const known = source.finds.get(needle);
  let begin = from;
  if (known !== undefined && from >= known.from) {
    if (from <= known.found) return known.found;
    if (known.found === -1) begin = Math.max(from, known.searched - needle.length + 1);
  }
  const found = source.text.indexOf(needle, begin);
  source.finds.set(needle, { from, found, searched: source.text.length });
  return found;
}

/** The first of several needles and its offset, which is -1 if the text holds no needle. */
interface FoundNeedle {
  readonly at: number;
  readonly needle: string;
}

const notFound: FoundNeedle = { at: -1, needle: '' };

/** Finds the first of several needles from an offset on in the text so far. */
export function firstOf(source: GrowingText, needles: readonly string[], from: number): FoundNeedle {
  let first = notFound;
  for (const needle of needles) {
    const at = findNext(source, needle, from);
    if (at !== -1 && (first.at === -1 || at < first.at)) first = { at, needle };
  }
  return first;
}

/** Waits for the first of several needles. `pass` receives each chunk before it is searched, or no chunk to catch up. */
export function* findFirst(
  source: GrowingText,
  needles: readonly string[],
  from: number,
  pass?: (chunk?: string) => void,
): Reading<FoundNeedle> {
  for (;;) {
    const first = firstOf(source, needles, from);
    if (source.ended || (first.at !== -1 && !mayComeEarlier(source.text, needles, from, first))) return first;
    if (first.at !== -1) yield undefined;
    else {
      pass?.();
      const look = watchNeedles(source.text, needles);
      yield (chunk) => {
        if (look(chunk) !== undefined) return true;
        pass?.(chunk);
        return false;
      };
    }
  }
}

/** Returns whether the text ends with the beginning of another needle, which would come before the one found. */
function mayComeEarlier(text: string, needles: readonly string[], from: number, first: FoundNeedle): boolean {
  for (const needle of needles) {
    for (let at = Math.max(from, text.length - needle.length + 1); at <= first.at; at += 1) {
      if (needle.startsWith(text.slice(at))) return true;
    }
  }
  return false;
}

/** Creates a function that takes the next chunks of a text and returns the first needle that a chunk completes. */
export function watchNeedles(
  text: string,
  needles: readonly string[],
): (chunk: string) => { readonly needle: string; readonly end: number } | undefined {
  const reach = Math.max(...needles.map((needle) => needle.length)) - 1;
  const lastOf = (sight: string): string => (reach === 0 ? '' : sight.slice(-reach));
  let tail = lastOf(text);
  let at = text.length;
  return (chunk) => {
    const sight = tail + chunk;
    const begin = at - tail.length;
    const found = needles.flatMap((needle) => {
      const index = sight.indexOf(needle);
      return index === -1 ? [] : [{ needle, end: begin + index + needle.length }];
    });
    tail = lastOf(sight);
    at += chunk.length;
    return found.sort((one, other) => one.end - other.end)[0];
  };
}
