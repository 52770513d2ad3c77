import type { GrowingText, Reading } from '../../source/growing-text.ts';
import type { SectionLayout } from './tagged-layout.ts';

/** Returns how many calls a text opens, outside of quotes, less the calls that it closes. */
function openCalls({ call, callCloser, argument, argumentOpener }: SectionLayout, text: string): number {
  const closed = text.split(callCloser).length - 1;
  if (closed === 0 && !text.includes(argumentOpener)) return 0;
  const ends = `\\s{0,9}(?:${argument.source}|${callCloser.replaceAll(/\W/g, '\\$&')})`;
  const opener = new RegExp(`(?<!["'\`])(?=[<\\]])(?:${call.source})(?=${ends})`, 'g');
  // Where models lose brackets, the tag of an argument or of a name may open a call. In a value, it is text.
  const isOpener = (tag: string): boolean => !tag.startsWith(argumentOpener) && !/^<(?:name|function)>/.test(tag);
  return (text.match(opener)?.filter(isOpener).length ?? 0) - closed;
}

/**
 * `see <invoke name="ping"><parameter name="host">a</parameter></invoke></parameter>`: finds the closer of a value that
 * quotes whole calls in its own notation, after an offset. `least`: the number of quoted calls that must be
 * open there; otherwise returns undefined. Returns -1 if none of the closers ends the value.
 */
export function* closerAfterCalls(
  source: GrowingText,
  layout: SectionLayout,
  from: number,
  after: number,
  least = 1,
): Reading<number | undefined> {
  const { argumentCloser } = layout;
  if (typeof argumentCloser !== 'string' || argumentCloser === '') return undefined;
  let depth = openCalls(layout, source.text.slice(from, after));
  if (depth < least) return undefined;
  if (!source.mayGuess(from)) return -1;
  const following = [layout.callCloser, layout.argumentOpener, ...layout.sectionClosers];
  for (let passed = after; ;) {
    const { at } = yield* source.findFirst([argumentCloser], passed);
    if (at === -1) break;
    depth += openCalls(layout, source.text.slice(passed, at));
    if (depth < 0) break;
    passed = at + argumentCloser.length;
    const next = yield* source.skipSpace(passed);
    if (depth === 0 && (yield* source.needleAt(following, next)) !== undefined) return at;
  }
  source.guessed += source.text.length - from;
  return -1;
}

/** Returns whether a call is closed after an offset before another one is opened. */
export function* closesAgain(source: GrowingText, layout: SectionLayout, from: number): Reading<boolean> {
  const { at, needle } = yield* source.findFirst([layout.callCloser], from);
  return at !== -1 && openCalls(layout, source.text.slice(from, at + needle.length)) < 0;
}
