import { isDigit, isNameStart } from '../../../json/text/characters.ts';
import { hasCharacter, type GrowingText, type Reading } from '../../source/growing-text.ts';

const LONGEST_NAME = 256;

/** Where a name with dots and dashes ends, or with underscores escaped for Markdown; `from` itself when none begins there. */
export function* endOfName(source: GrowingText, from: number): Reading<number> {
  if (!(yield* hasCharacter(source, from)) || !isNameStart(source.text.charCodeAt(from))) return from;
  let at = from + 1;
  while (yield* hasCharacter(source, at)) {
    const code = source.text.charCodeAt(at);
    if (source.text[at] === '\\') {
      if (!(yield* hasCharacter(source, at + 1)) || source.text[at + 1] !== '_') return at;
      at += 1;
    } else if (!isNameStart(code) && !isDigit(code)) {
      const isJoint = source.text[at] === '.' || source.text[at] === '-' || source.text[at] === '/';
      if (!isJoint || !(yield* hasCharacter(source, at + 1)) || !isNameStart(source.text.charCodeAt(at + 1))) return at;
    }
    at += 1;
    if (at - from > LONGEST_NAME) return from;
  }
  return at;
}
