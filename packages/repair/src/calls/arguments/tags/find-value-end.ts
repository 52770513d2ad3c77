import { resolveName } from '../../contract/resolve-name.ts';
import type { ArgumentsWatch } from '../../source/call-watch.ts';
import { findFirst, type GrowingText, matchAt, needleAt, type Reading, skipSpace } from '../../source/growing-text.ts';
import { closerOf, hasNamedClosers, type SectionLayout, type TaggedLayout } from './tagged-layout.ts';

/** Where the value of an argument ends and where reading goes on; both -1 when the text ends before it. */
export interface ValueEnd {
  readonly end: number;
  readonly resume: number;
}

/** What is known of the argument whose value is looked through. */
interface ValueOwner {
  readonly key: string;
  /** Whether an argument of that name may come next: it is declared and has not been there. */
  readonly isDue: (key: string) => boolean;
}

const cutValue: ValueEnd = { end: -1, resume: -1 };

/**
 * Finds the end of the value that begins at an offset: the first closer after which another tag of the call or another call
 * comes, or the end of the text, so that a closer inside a value is text. Where the closer is missing, the next argument's
 * opener ends it at the beginning of a line, or wherever an argument begins that is due and closed in its turn; and the
 * call's closer does where another call follows. `pass` sees what arrives meanwhile.
 */
export function* findValueEnd(
  source: GrowingText,
  layout: SectionLayout,
  owner: ValueOwner,
  from: number,
  pass?: (piece?: string) => void,
): Reading<ValueEnd> {
  const { argumentOpener, callCloser } = layout;
  const closer = closerOf(layout, owner.key);
  const needles = hasNamedClosers(layout)
    ? [closer]
    : [closer, argumentOpener, callCloser].filter((needle) => needle !== '');
  let callEnd = -1;
  for (let at = from; ;) {
    // What stands behind a closer of the call may turn out not to belong to the value.
    const found = yield* findFirst(source, needles, at, callEnd === -1 ? pass : undefined);
    if (found.at === -1) return callEnd === -1 ? cutValue : { end: callEnd, resume: callEnd };
    at = found.at + found.needle.length;
    if (found.needle === closer) {
      const next = yield* skipSpace(source, at);
      const following = yield* needleAt(source, [callCloser, argumentOpener, '</'], next);
      const isEnd = following !== undefined || next >= source.text.length || (yield* callFollows(source, layout, next));
      if (isEnd) return { end: found.at, resume: at };
    } else if (found.needle === argumentOpener) {
      const isOwnLine = source.text[found.at - 1] === '\n';
      const opened = yield* matchAt(source, layout.argument, found.at);
      const isArgument =
        opened !== null &&
        (isOwnLine || (yield* isNext(source, layout, owner, found.at + opened[0].length, opened[1])));
      if (isArgument) {
        const end = callEnd === -1 ? found.at : callEnd;
        return { end, resume: end };
      }
    } else {
      if (callEnd === -1) callEnd = found.at;
      if (yield* anotherCallFollows(source, layout, at)) return { end: callEnd, resume: callEnd };
    }
  }
}

/** Whether an argument that opens within a line is the next one: it is due, and the call goes on behind its own closer. */
function* isNext(
  source: GrowingText,
  layout: SectionLayout,
  { isDue }: ValueOwner,
  from: number,
  key: string | undefined,
): Reading<boolean> {
  if (key === undefined || !isDue(key.trim())) return false;
  const closer = closerOf(layout, key.trim());
  const { at } = closer === '' ? { at: -1 } : yield* findFirst(source, [closer], from);
  if (at === -1) return false;
  const next = yield* skipSpace(source, at + closer.length);
  const following = yield* needleAt(source, [closer, layout.callCloser, layout.argumentOpener], next);
  return following === layout.callCloser || following === layout.argumentOpener;
}

/** Whether a call of a declared tool opens at an offset. */
function* callFollows(source: GrowingText, layout: SectionLayout, at: number): Reading<boolean> {
  const match = yield* matchAt(source, layout.call, at);
  return match !== null && resolveName(source.tools, match[1] ?? match[2] ?? '') !== undefined;
}

function* anotherCallFollows(source: GrowingText, layout: SectionLayout, from: number): Reading<boolean> {
  const tags = [...layout.sectionClosers, ...layout.sectionOpeners];
  let at = yield* skipSpace(source, from);
  for (let passed = 0; passed < 2; passed += 1) {
    if ((yield* matchAt(source, layout.call, at)) !== null) return true;
    const tag = yield* needleAt(source, tags, at);
    if (tag === undefined) return false;
    at = yield* skipSpace(source, at + tag.length);
  }
  return (yield* matchAt(source, layout.call, at)) !== null;
}

/** Shows the text of an argument while it is written. */
interface LiveText {
  /** A piece that has arrived, or with none what is in the text by now. */
  readonly add: (piece?: string) => void;
}

const cdataOpener = '<![cdataOpener[';

/**
 * Shows the value that begins at an offset as far as it is certain: without what may belong to the format, and without
 * what may turn out to be a tag, which is no longer than `tag`.
 */
export function createLiveText(
  source: GrowingText,
  begin: number,
  { trim }: TaggedLayout,
  tag: number,
  watch: ArgumentsWatch,
): LiveText {
  let seen = begin;
  let waiting = '';
  let isBegun = false;

  const start = (): boolean => {
    const inner = waiting.trimStart();
    if (inner.length < cdataOpener.length ? cdataOpener.startsWith(inner) : inner.startsWith(cdataOpener)) return false;
    if (trim === 'all') waiting = inner;
    else if (trim === 'line-breaks') waiting = waiting.replace(/^\r?\n/, '');
    return true;
  };
  return {
    add: (piece) => {
      const added = piece ?? source.text.slice(seen);
      seen += added.length;
      waiting += added;
      isBegun ||= start();
      if (!isBegun) return;
      // A tag that is not whole yet, and the line break before it.
      let end = waiting.length - tag - 2;
      if (trim === 'all') end = waiting.slice(0, Math.max(0, end)).trimEnd().length;
      if (end <= 0) return;
      watch.text(waiting.slice(0, end));
      waiting = waiting.slice(end);
    },
  };
}
