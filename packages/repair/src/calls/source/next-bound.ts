import type { Bound, BoundScanner } from './bound-scanner.ts';
import { matchAt, type GrowingText, type Reading } from './growing-text.ts';

const FIRST_BLOCK = 64;
const LARGEST_BLOCK = 16_384;

/** The next bound; `undefined` when none comes before the end of the text. `pass` sees what arrives meanwhile. */
export function* nextBound(
  source: GrowingText,
  scanner: BoundScanner,
  pass?: (piece: string, offset: number) => void,
): Reading<Bound | undefined> {
  let length = FIRST_BLOCK;
  for (;;) {
    const bound = scanner.next();
    if (bound !== undefined) return bound;
    const { text } = source;
    if (scanner.at < text.length) {
      // What is there already is looked at little by little: the bound may be near and the text long.
      scanner.scan(text.slice(scanner.at, scanner.at + length));
      length = Math.min(LARGEST_BLOCK, length * 2);
      continue;
    }
    if (source.ended) return undefined;
    let found: Bound | undefined;
    yield (piece) => {
      const offset = scanner.at;
      scanner.scan(piece);
      pass?.(piece, offset);
      found = scanner.next();
      return found !== undefined;
    };
    if (found !== undefined) return found;
  }
}

const BEHIND_CLOSER = /(?:^|[>\]}])\s{0,99}$/;
const OWN_LINE = /(?:^|\n)[ \t]{0,99}$/;
const SURE = /<(?:[|｜]|function[= ]|invoke )/y;
const BODY =
  /\s{0,9}(?:[{[]\s{0,9}[{[]?\s{0,9}["']?(?:name|tool_name|function|function_name|arguments|parameters)["']?\s{0,9}:|<(?:function|invoke)[ =])/y;

/** Whether what stands at a bound is not only an opener but looks as if a call began there. */
export function* beginsCall(source: GrowingText, { kind, at, end }: Bound): Reading<boolean> {
  const before = source.text.slice(Math.max(0, at - 100), at);
  if (kind !== 'call' && !OWN_LINE.test(before) && !BEHIND_CLOSER.test(before)) return false;
  SURE.lastIndex = at;
  return SURE.test(source.text) || (yield* matchAt(source, BODY, end)) !== null;
}
