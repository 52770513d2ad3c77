import type { GrowingText, Reading } from '../../source/growing-text.ts';
import type { SectionLayout } from './tagged-layout.ts';

/** Returns how many calls with arguments a text opens, less the calls that it closes. */
const openCalls = (layout: SectionLayout, text: string): number =>
  countOpeners(layout, text) - (text.split(layout.callCloser).length - 1);

function countOpeners({ call, argument, argumentOpener }: SectionLayout, text: string): number {
  if (!text.includes(argumentOpener)) return 0;
  const opener = new RegExp(`(?:${call.source})\\s{0,9}(?=${argument.source})`, 'g');
  // Where models lose brackets, a word or the tag of an argument may name a call. In a value, these are text.
  const isOpener = (tag: string): boolean =>
    !/^[\w/]/.test(tag) && (argumentOpener === '<' || !tag.startsWith(argumentOpener));
  return text.match(opener)?.filter(isOpener).length ?? 0;
}

/**
 * `see <invoke name="ping"><parameter name="host">a</parameter></invoke></parameter>`: finds the closer of a value that
 * quotes whole calls in its own notation, after an offset. Returns undefined if no quoted call is open there, and -1 if
 * none of the closers ends the value.
 */
export function* closerAfterCalls(
  source: GrowingText,
  layout: SectionLayout,
  closer: string,
  from: number,
  after: number,
): Reading<number | undefined> {
  const following = [layout.callCloser, layout.argumentOpener, ...layout.sectionClosers];
  let depth = openCalls(layout, source.text.slice(from, after));
  if (depth <= 0 || closer === '' || !source.mayGuess(from)) return undefined;
  for (let passed = after; ;) {
    const { at } = yield* source.findFirst([closer], passed);
    if (at === -1) break;
    depth += openCalls(layout, source.text.slice(passed, at));
    if (depth < 0) break;
    passed = at + closer.length;
    const next = yield* source.skipSpace(passed);
    if (depth === 0 && (yield* source.needleAt(following, next)) !== undefined) return at;
  }
  source.guessed += source.text.length - from;
  return -1;
}
