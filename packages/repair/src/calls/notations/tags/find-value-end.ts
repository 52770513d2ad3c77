import { isDigit, isIn } from '../../../json/text/characters.ts';
import { resolveName } from '../../contract/resolve-tool-name.ts';
import type { Shown } from '../../source/call-watch.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { closerAfterCalls, closesAgain } from './nested-calls.ts';
import { closerOf, closingTagPattern, type SectionLayout } from './tagged-layout.ts';

/** The end of an argument's value and the offset at which reading continues. Both are -1 if the text ends before. */
export interface ArgumentEnd {
  readonly end: number;
  readonly resume: number;
  /** Whether the value quotes whole calls, or the beginning of a call whose end may be that of the value. */
  readonly quotes?: 'calls' | 'part';
}

/** The name of an argument. `isDue` returns whether another one may come next: it is declared and was not given yet. */
interface ValueOwner {
  readonly key: string;
  readonly isDue: (key: string) => boolean;
}

const cutValue: ArgumentEnd = { end: -1, resume: -1 };

/**
 * Finds the end of the value that begins at an offset: the first closer that is followed by another tag of the call,
 * unless that closes a tag of the value, or by another call, or the end of the text. A closer inside a value is therefore text. Without such a closer, the value
 * ends at the first closer at the end of a line if prose follows, or at the next argument's opener, if it begins a line or opens an
 * expected argument with its own closer, or at the closer of the call or of its section if another call follows. Shows the
 * text meanwhile.
 */
export function* findValueEnd(
  source: GrowingText,
  layout: SectionLayout,
  owner: ValueOwner,
  from: number,
  shown?: Shown,
): Reading<ArgumentEnd> {
  const { argumentCloser, argumentOpener, callCloser } = layout;
  const closer = closerOf(layout, owner.key);
  const others = typeof argumentCloser === 'string' ? [argumentOpener, callCloser, ...layout.sectionClosers] : [];
  const needles = [closer, ...others].filter((needle) => needle !== '');
  let callEnd = -1;
  let lineEnd = -1;
  const endBefore = (resume: number): ArgumentEnd => {
    const isProse =
      lineEnd !== -1 &&
      !source.text
        .slice(lineEnd, resume)
        .split(/[^\w-]+/)
        .some(owner.isDue);
    return { end: isProse ? lineEnd : resume, resume };
  };
  /** Returns the end of a value that quotes calls: at the closer after them, or the first end if none of the closers ends it. */
  const endAround = (afterCalls: number | undefined, first: ArgumentEnd): ArgumentEnd => {
    if (afterCalls === undefined) return first;
    if (afterCalls === -1) return { ...first, quotes: 'part' };
    return { end: afterCalls, resume: afterCalls + closer.length, quotes: 'calls' };
  };
  for (let at = from; ;) {
    // The text after a closer of the call, or of the value, may still turn out to follow the value.
    const found = yield* source.findFirst(needles, at, callEnd === -1 && lineEnd === -1 ? shown : undefined);
    if (found.at === -1) return callEnd === -1 ? unclosedValue(source, layout, from) : endBefore(callEnd);
    at = found.at + found.needle.length;
    if (found.needle === closer) {
      const next = yield* source.skipSpace(at);
      const following = yield* source.needleAt([callCloser, argumentOpener, '</', ...layout.sectionClosers], next);
      // Only tags with the names of arguments may also be in a value.
      const isOfTag =
        following !== undefined &&
        following !== callCloser &&
        argumentOpener === '<' &&
        ((yield* closesTagOfValue(source, from, next)) ||
          (yield* closesSameTag(source, [closer, callCloser, `<${owner.key}>`], from, found.at)));
      const isEnd =
        (following !== undefined && !isOfTag) ||
        next >= source.text.length ||
        (yield* callFollows(source, layout, next));
      const isCall = following === callCloser && typeof argumentCloser === 'string';
      const goesOn = isCall ? yield* afterInnerClosers(source, layout, next + callCloser.length) : -1;
      if (goesOn !== -1) at = goesOn;
      else if (isEnd) {
        const mayGuess = source.mayGuess(from);
        const first = { end: found.at, resume: at };
        const end = endAround(yield* closerAfterCalls(source, layout, from, at), first);
        if (end.quotes !== 'part' || !mayGuess) return end;
        // The first closer after the opener of a quoted call may be that of an argument in it.
        const isInner = following === callCloser && (yield* closesAgain(source, layout, next + callCloser.length));
        return isInner ? end : first;
      }
      if (lineEnd === -1 && callEnd === -1 && source.text.slice(at, next).includes('\n')) lineEnd = found.at;
    } else if (found.needle === argumentOpener) {
      const isOwnLine = source.text[found.at - 1] === '\n';
      const opened = yield* source.matchAt(layout.argument, found.at);
      const isArgument =
        opened !== null &&
        (isOwnLine ||
          (!followsQuote(source.text, from, found.at) &&
            (yield* isNext(source, layout, owner, found.at + opened[0].length, opened[1]))));
      if (isArgument) {
        const last = yield* closerAfterCalls(source, layout, from, found.at + opened[0].length);
        return endAround(last, endBefore(callEnd === -1 ? found.at : callEnd));
      }
    } else {
      if (callEnd === -1 && found.needle === callCloser) {
        // It may be that of a quoted call without arguments.
        const end = endAround(yield* closerAfterCalls(source, layout, from, at, 0), cutValue);
        if (end.quotes === 'calls') return end;
      }
      if (callEnd === -1) callEnd = found.at;
      if (yield* anotherCallFollows(source, layout, at)) return endBefore(callEnd);
    }
  }
}

const maxLine = 1_000;

/**
 * `grep "<parameter=limit>"`: returns whether a quote that opens on the line, in a value from `from` on, is directly before an
 * offset. Only the last 1,000 characters count.
 */
function followsQuote(text: string, from: number, at: number): boolean {
  const quote = text.charAt(at - 1);
  if (!isIn('"\'`', quote.charCodeAt(0)) || isDigit(text.charCodeAt(at - 2))) return false;
  const line =
    text
      .slice(Math.max(from, at - maxLine), at)
      .split('\n')
      .at(-1) ?? '';
  return line.split(quote).length % 2 === 0;
}

const sectionEnd = /["'`]/y;

/**
 * `grep "</parameter></function>" src/`: text follows the closers of a call directly, and the argument is closed again
 * before another one begins. Returns the offset after these closers, or -1.
 */
function* afterInnerClosers(source: GrowingText, layout: SectionLayout, from: number): Reading<number> {
  const { argumentCloser, argumentOpener, sectionClosers } = layout;
  const section = yield* source.needleAt(sectionClosers, from);
  const end = from + (section?.length ?? 0);
  if (typeof argumentCloser !== 'string' || (yield* source.matchAt(sectionEnd, end)) === null) return -1;
  const { needle } = yield* source.findFirst([argumentCloser, argumentOpener], end);
  return needle === argumentCloser ? end : -1;
}

const maxReach = 4_000;

/** Returns whether the closing tag at an offset closes a tag that was opened in the last 4,000 characters of the value. */
function* closesTagOfValue(source: GrowingText, from: number, at: number): Reading<boolean> {
  const name = (yield* source.matchAt(closingTagPattern, at))?.[1];
  if (name === undefined) return false;
  const before = source.text.slice(Math.max(from, at - maxReach), at);
  return before.lastIndexOf(`<${name}`) > before.lastIndexOf(`</${name}`);
}

/** `<content><content>x</content></content>`: returns whether a closer closes a tag in the value that has the same name. */
function* closesSameTag(
  source: GrowingText,
  needles: readonly [string, string, string],
  from: number,
  at: number,
): Reading<boolean> {
  const [closer] = needles;
  const name = closer.slice(1, -1);
  const before = source.text.slice(Math.max(from, at - maxReach), at);
  if (before.split(`<${name.slice(1)}`).length <= before.split(`<${name}`).length) return false;
  return (yield* source.findFirst(needles, at + closer.length)).needle === closer;
}

/** `<city>Bled</weather_at>`: the closer of the call also ends a value without tags in it. */
function unclosedValue({ text }: GrowingText, { callCloser }: SectionLayout, from: number): ArgumentEnd {
  const end = text.indexOf('<', from);
  return end !== -1 && text.startsWith(callCloser, end) ? { end, resume: end } : cutValue;
}

/** Returns whether an argument within a line is the next one: it is expected, and the call continues after its closer. */
function* isNext(
  source: GrowingText,
  layout: SectionLayout,
  { isDue }: ValueOwner,
  from: number,
  key: string | undefined,
): Reading<boolean> {
  if (key === undefined || !isDue(key.trim())) return false;
  const closer = closerOf(layout, key.trim());
  const { at } = closer === '' ? { at: -1 } : yield* source.findFirst([closer], from);
  if (at === -1) return false;
  const next = yield* source.skipSpace(at + closer.length);
  const following = yield* source.needleAt([closer, layout.callCloser, layout.argumentOpener], next);
  return following === layout.callCloser || following === layout.argumentOpener;
}

function* callFollows(source: GrowingText, layout: SectionLayout, at: number): Reading<boolean> {
  const match = yield* source.matchAt(layout.call, at);
  return resolveName(source.tools, match?.[1] ?? match?.[2]) !== undefined;
}

function* anotherCallFollows(source: GrowingText, layout: SectionLayout, from: number): Reading<boolean> {
  const tags = [...layout.sectionClosers, ...layout.sectionOpeners];
  let at = from;
  for (let passed = 0; ; passed += 1) {
    at = yield* source.skipSpace(at);
    if ((yield* source.matchAt(layout.call, at)) !== null) return true;
    const tag = passed < 2 ? yield* source.needleAt(tags, at) : undefined;
    if (tag === undefined) return false;
    at += tag.length;
  }
}
