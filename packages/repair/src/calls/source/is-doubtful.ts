import { isWhitespace } from '../../json/text/characters.ts';
import type { Machine } from '../../json/machine/machine.ts';
import type { Bound } from './bound-scanner.ts';
import { hasCharacter, matchAt, type GrowingText, type Reading } from './growing-text.ts';

/**
 * Whether the closer of a value may belong to a string in it that was cut. A closing tag or fence behind it shows that the
 * model had come to the end of the call. `kind`: the kind of the bound up to which the value was read.
 */
export function* isDoubtful(
  source: GrowingText,
  { hasDoubtfulEnd, rootEnd }: Pick<Machine, 'hasDoubtfulEnd' | 'rootEnd'>,
  kind: Bound['kind'] | undefined,
): Reading<boolean> {
  if (!hasDoubtfulEnd) return false;
  return kind === undefined || kind === 'balanced' ? !(yield* standsEndBehind(source, rootEnd)) : false;
}

// What ends a call, or the message around it: a closing tag, a special token, a fence.
const END = /<[/|]|\[\/|```|<[\w-]{1,64}>/y;
const PASSED = ',;}])';

function* standsEndBehind(source: GrowingText, from: number): Reading<boolean> {
  let at = from;
  while (yield* hasCharacter(source, at)) {
    const character = source.text[at] ?? '';
    if (character === '\\' && (yield* hasCharacter(source, at + 1)) && source.text[at + 1] === 'n') at += 2;
    else if (PASSED.includes(character) || isWhitespace(source.text.charCodeAt(at))) at += 1;
    else break;
  }
  return (yield* matchAt(source, END, at)) !== null;
}
