import type { CommandReading } from './read-expansion.ts';
import { isProcessSubstitution, readWord } from './read-word.ts';
import type { ShellWord } from '../syntax/shell-word.ts';

const comparesNumbers: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const namesVariable: ReadonlySet<string> = new Set(['-v', '-R']);

/** Reads the operands after `[[` up to `]]` into `words`. Returns the index after `]]`. */
export function readCondition(
  reading: CommandReading,
  text: string,
  from: number,
  depth: number,
  words: ShellWord[],
): number {
  let at = from;
  let isClosed = false;
  while (at < text.length && !isClosed) {
    if (/[ \t\n&|()<>;]/.test(text[at]!) && !isProcessSubstitution(text, at)) {
      at += 1;
      continue;
    }
    if (text.startsWith('\\\n', at)) {
      at += 2;
      continue;
    }
    // Either a comment or a character of a regular expression.
    if (text[at] === '#') reading.spoil();
    const { word, end } = readWord(reading, text, at, depth);
    isClosed = text.slice(at, end).replaceAll('\\\n', '') === ']]';
    at = end;
    if (!isClosed) words.push(word);
  }
  if (!isClosed) reading.spoil();
  for (const [index, { text: operator }] of words.entries()) {
    const next = words[index + 1]?.parts ?? [];
    if (namesVariable.has(operator)) reading.evaluate('name', next);
    if (!comparesNumbers.has(operator)) continue;
    reading.evaluate('arithmetic', words[index - 1]?.parts ?? []);
    reading.evaluate('arithmetic', next);
  }
  return at;
}
