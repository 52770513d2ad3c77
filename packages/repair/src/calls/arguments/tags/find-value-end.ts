import { findFirst, matchAt, needleAt, passSpace, type GrowingText, type Reading } from '../../source/growing-text.ts';
import { closerOf, hasNamedClosers, type SectionLayout } from './tagged-layout.ts';

/** Where the value of an argument ends and where reading goes on; both -1 when the text ends before it. */
export interface ValueEnd {
  readonly end: number;
  readonly resume: number;
}

const CUT: ValueEnd = { end: -1, resume: -1 };

/**
 * Finds the end of the value that begins at an offset: the first closer after which another tag of the call comes, or the
 * end of the text, so that a closer inside a value is text. Where the closer is missing, the next argument's opener ends it
 * at the beginning of a line, and the call's closer where another call follows. `pass` sees what arrives meanwhile.
 */
export function* findValueEnd(
  source: GrowingText,
  layout: SectionLayout,
  key: string,
  from: number,
  pass?: (piece?: string) => void,
): Reading<ValueEnd> {
  const { argumentOpener, callCloser } = layout;
  const closer = closerOf(layout, key);
  const isNamed = hasNamedClosers(layout);
  const needles = isNamed ? [closer] : [closer, argumentOpener, callCloser];
  let callEnd = -1;
  for (let at = from; ;) {
    // What stands behind a closer of the call may turn out not to belong to the value.
    const found = yield* findFirst(source, needles, at, callEnd === -1 ? pass : undefined);
    if (found.at === -1) return callEnd === -1 ? CUT : { end: callEnd, resume: callEnd };
    at = found.at + found.needle.length;
    if (found.needle === closer) {
      const next = yield* passSpace(source, at);
      const following = yield* needleAt(source, [callCloser, argumentOpener, '</'], next);
      if (following !== undefined || next >= source.text.length) return { end: found.at, resume: at };
    } else if (found.needle === argumentOpener) {
      const isOwnLine = source.text[found.at - 1] === '\n';
      if (isOwnLine && (yield* matchAt(source, layout.argument, found.at)) !== null) {
        const end = callEnd === -1 ? found.at : callEnd;
        return { end, resume: end };
      }
    } else {
      if (callEnd === -1) callEnd = found.at;
      if (yield* anotherCallFollows(source, layout, at)) return { end: callEnd, resume: callEnd };
    }
  }
}

function* anotherCallFollows(source: GrowingText, layout: SectionLayout, from: number): Reading<boolean> {
  const tags = [...layout.sectionClosers, ...layout.sectionOpeners];
  let at = yield* passSpace(source, from);
  for (let passed = 0; passed < 2; passed += 1) {
    if ((yield* matchAt(source, layout.call, at)) !== null) return true;
    const tag = yield* needleAt(source, tags, at);
    if (tag === undefined) return false;
    at = yield* passSpace(source, at + tag.length);
  }
  return (yield* matchAt(source, layout.call, at)) !== null;
}
