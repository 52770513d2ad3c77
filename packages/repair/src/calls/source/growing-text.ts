import type { Limits, RepairOptions } from '../../json/result/repair-options.ts';
import type { CallableTool, Source } from '../contract/envelope.ts';
import { namesWithSpaces } from '../contract/resolve-tool-name.ts';
import { execAt } from '../../json/text/characters.ts';
import { beginsMatch } from './begins-match.ts';
import type { Shown } from './call-watch.ts';
import { type EnvelopeIndex, noEnvelopes, type OpenedEnvelope, openersAt } from './envelope-index.ts';
import { type FoundNeedle, mayComeEarlier, watchNeedles } from './needles.ts';

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

interface Find {
  readonly from: number;
  readonly found: number;
  /** The length of the text when the needle was not found. */
  readonly searched: number;
}

const notFound: FoundNeedle = { at: -1, needle: '' };
const freeCost = 10_000;
const freeGuesses = 40_000;

/**
 * A text that may still grow. Its beginning may be dropped; offsets count from the first character that is kept. The
 * questions about it wait until no further text can change the answer.
 */
export class GrowingText implements Source {
  text: string;
  /** Whether `text` is complete. */
  ended = true;
  /** Number of characters that were dropped at the beginning. */
  base = 0;
  stopped?: 'stop' | 'length';
  readonly tools: readonly CallableTool[];
  readonly limits?: Limits;
  /** The declared names that contain a space, longest first. */
  readonly namesWithSpaces: readonly string[];
  /** The envelopes that are looked for. */
  index: EnvelopeIndex = noEnvelopes;
  /** Number of characters that were read up to the end of the text without a result. */
  guessed = 0;
  /** Offsets in the message of damaged values that begin a series without calls. */
  readonly barren: Set<number> = new Set();
  /** The last result of each search, so that a repeated search costs nothing. */
  readonly finds: Map<string, Find> = new Map();
  /** Number of characters that were read a second time. */
  private spent = 0;

  /** Creates a text that is complete. */
  constructor({ tools, stopped, limits }: Omit<Source, 'text'>, text: string) {
    this.text = text;
    this.tools = tools;
    this.namesWithSpaces = namesWithSpaces(tools);
    if (stopped !== undefined) this.stopped = stopped;
    if (limits !== undefined) this.limits = limits;
  }

  /** Returns the text before an offset, as far as it is kept, and at most a number of characters of it. */
  before(at: number, length: number): string {
    return this.text.slice(Math.max(0, at - length), at);
  }

  /** Returns whether reading this many characters again keeps the total cost linear, and if so adds it to the cost. */
  pay(cost: number, upTo: number): boolean {
    if (this.spent + cost > freeCost + 2 * (this.base + upTo)) return false;
    this.spent += cost;
    return true;
  }

  /** Returns whether one more reading that may reach the end of the text keeps the total cost linear. */
  mayGuess(at: number): boolean {
    return this.guessed <= freeGuesses + 16 * (this.base + at);
  }

  /** Waits for the character at an offset. Returns false if the text ends before it. */
  *hasCharacter(at: number): Reading<boolean> {
    while (at >= this.text.length) {
      if (this.ended) return false;
      yield undefined;
    }
    return true;
  }

  /** Waits for the end of the text. */
  *waitForEnd(): Reading<void> {
    while (!this.ended) yield () => false;
  }

  /** Returns the offset of the next character that is not white space, or the end of the text. */
  *skipSpace(from: number): Reading<number> {
    let at = from;
    for (;;) {
      const { text } = this;
      while (at < text.length && ' \n\t\r'.includes(text.charAt(at))) at += 1;
      if (at < text.length || this.ended) return at;
      yield (chunk) => /[^ \n\t\r]/.test(chunk);
    }
  }

  /** Returns the first of the needles, in their order, that begins at an offset. */
  *needleAt(needles: readonly string[], at: number): Reading<string | undefined> {
    for (;;) {
      const { text, ended } = this;
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

  /** Returns the envelopes with an opener at an offset, in the order in which they are tried. */
  *envelopesAt(at: number): Reading<readonly OpenedEnvelope[]> {
    for (;;) {
      const { opened, isOpen } = openersAt(this.index, this.text, at);
      if (this.ended || !isOpen) return opened;
      yield undefined;
    }
  }

  /** Returns the offset after a needle that follows white space, or the given offset if none does. */
  *skipNeedle(needles: readonly string[], from: number): Reading<number> {
    const at = yield* this.skipSpace(from);
    const needle = yield* this.needleAt(needles, at);
    return needle === undefined ? from : at + needle.length;
  }

  /** Matches a sticky pattern without unbounded repetition at an offset. */
  *matchAt(pattern: RegExp, at: number): Reading<RegExpExecArray | null> {
    while (!this.ended && beginsMatch(pattern, this.text, at)) yield undefined;
    return execAt(pattern, this.text, at);
  }

  /** Returns the offset after the match of such a pattern, or the given offset if it does not match there. */
  *skipMatch(pattern: RegExp, at: number): Reading<number> {
    const match = yield* this.matchAt(pattern, at);
    return match === null ? at : at + match[0].length;
  }

  /** Returns the offset after all matches of such a pattern in a row. */
  *skipMatches(pattern: RegExp, from: number): Reading<number> {
    for (let at = from; ;) {
      const next = yield* this.skipMatch(pattern, at);
      if (next === at) return at;
      at = next;
    }
  }

  /** Finds the first of several needles from an offset on in the text so far. */
  firstOf(needles: readonly string[], from: number): FoundNeedle {
    let first = notFound;
    for (const needle of needles) {
      const at = this.findNext(needle, from);
      if (at !== -1 && (first.at === -1 || at < first.at)) first = { at, needle };
    }
    return first;
  }

  /** Waits for the first of several needles. Shows the text meanwhile. */
  *findFirst(needles: readonly string[], from: number, shown?: Shown): Reading<FoundNeedle> {
    for (;;) {
      const first = this.firstOf(needles, from);
      if (this.ended || (first.at !== -1 && !mayComeEarlier(this.text, needles, from, first))) return first;
      if (first.at !== -1) yield undefined;
      else {
        shown?.catchUp(this.text.length);
        const look = watchNeedles(needles, 0, this.text);
        yield (chunk) => {
          if (look(chunk).length > 0) return true;
          shown?.add(chunk);
          return false;
        };
      }
    }
  }

  /** Returns the next offset of a needle in the text so far, or -1. Repeated searches together stay linear. */
  private findNext(needle: string, from: number): number {
    const known = this.finds.get(needle);
    let begin = from;
    if (known !== undefined && from >= known.from) {
      if (from <= known.found) return known.found;
      if (known.found === -1) begin = Math.max(from, known.searched - needle.length + 1);
    }
    const found = this.text.indexOf(needle, begin);
    this.finds.set(needle, { from, found, searched: this.text.length });
    return found;
  }
}

/** Runs a reader on a complete text. */
export function readToEnd<Answer>(reading: Reading<Answer>): Answer {
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

/** Returns the options for reading a value in a text that ended for a reason. */
export function optionsFor(
  { limits }: Pick<Source, 'limits'>,
  stopped: Source['stopped'],
): Pick<RepairOptions, 'stopped' | 'limits'> {
  return { ...(stopped === undefined ? {} : { stopped }), ...(limits === undefined ? {} : { limits }) };
}
