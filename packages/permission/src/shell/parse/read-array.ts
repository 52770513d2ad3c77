import { lengthOfSubscript } from './read-assigned-name.ts';
import type { CommandReading } from './read-expansion.ts';
import { isProcessSubstitution, readWord } from './read-word.ts';
import type { ShellWord, WordPart } from '../syntax/shell-word.ts';

/** The array that elements are assigned to, and the list that receives these assignments. */
interface ArrayTarget {
  readonly name: string;
  readonly list: ShellWord[];
}

/** Reads `(a b [2]=c)` after `name=`, each element as an assignment to the name. Returns the index after it. */
export function readArray(
  reading: CommandReading,
  text: string,
  from: number,
  depth: number,
  { name, list }: ArrayTarget,
): number {
  list.push(assign(name, undefined));
  let at = from;
  while (at < text.length) {
    const character = text[at]!;
    if (character === ')') return at + 1;
    if (/[ \t\n]/.test(character)) at += 1;
    else if (text.startsWith('\\\n', at)) at += 2;
    else if (character === '#') {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else {
      const isWord = !/[;&|(<>]/.test(character) || isProcessSubstitution(text, at);
      if (!isWord) reading.spoil();
      const { word, end } = readWord(reading, text, at, depth, 'element');
      if (end > at) list.push(assign(name, word));
      at = Math.max(end, at + 1);
    }
  }
  reading.spoil();
  return at;
}

/** Placeholder for unknown text. */
const open: WordPart = { kind: 'output', commands: [], isQuoted: true };

function assign(name: string, element: ShellWord | undefined): ShellWord {
  const [first, ...rest] = element?.parts ?? [];
  const subscript = first?.kind === 'text' && !first.isQuoted ? lengthOfSubscript(first.text) : 0;
  const parts: readonly WordPart[] =
    first?.kind !== 'text' || subscript === 0
      ? (element?.parts ?? [])
      : [{ ...first, text: first.text.slice(subscript) }, ...rest];
  // Names that match a pattern can be anything.
  const isPattern = parts.some((part) => part.kind === 'text' && !part.isQuoted && /[*?[{~]/.test(part.text));
  return {
    text: `${name}=${element?.text.slice(subscript) ?? ''}`,
    isLiteral: element?.isLiteral ?? true,
    hasQuotedPattern: false,
    nested: element?.nested ?? [],
    parts: [{ kind: 'text', text: `${name}=`, isQuoted: false }, ...parts, ...(isPattern ? [open] : [])],
  };
}
