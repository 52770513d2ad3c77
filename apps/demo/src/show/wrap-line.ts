import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from './columns-of.ts';

/** Width of a text in columns, without colours. */
export function visibleWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += columnsOf(character);
  return width;
}

/**
 * Wraps a line at blanks; continuation lines begin with `hang`. A word wider than a line is broken, after a separator
 * such as `/` or `_` if it has one. Colours have no width and continue over breaks.
 */
export function wrapLine(text: string, width: number, hang = ''): readonly string[] {
  if (visibleWidth(text) <= width) return [text];
  const room = Math.max(width, hang.length + 8);
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = indent;
  let isEmpty = true;
  const breakLine = (): void => {
    lines.push(line);
    line = hang;
    isEmpty = true;
  };
  for (let word of text.slice(indent.length).split(' ')) {
    if (!isEmpty && visibleWidth(line) + 1 + visibleWidth(word) > room) breakLine();
    // A word is broken only if a whole line cannot hold it.
    let rest = isEmpty ? room - visibleWidth(line) : Infinity;
    while (visibleWidth(word) > rest) {
      const head = breakWord(word, rest);
      line += head;
      word = word.slice(head.length);
      breakLine();
      rest = room - hang.length;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** The beginning of a word that fits a width, up to its last separator. */
function breakWord(word: string, width: number): string {
  const head = cutToWidth(word, width);
  const end = Math.max(...[...head.matchAll(separators)].map(({ index }) => index + 1), 0);
  return end === 0 ? head : head.slice(0, end);
}

/** Characters after which a path, a name or an address may be broken. */
const separators = /[/\\_\-.,:;=&?@](?=.)/g;

/** Width of the widest unbreakable part of a text. */
export function widestPart(text: string): number {
  const parts = stripVTControlCharacters(text)
    .split(' ')
    .flatMap((word) => word.split(/(?<=[/\\_\-.,:;=&?@])/));
  return Math.max(0, ...parts.map(visibleWidth));
}

/** The beginning of a text that fits a width, with all its colours. */
export function cutToWidth(text: string, width: number): string {
  let kept = '';
  let used = 0;
  // eslint-disable-next-line no-control-regex
  for (const [piece] of text.matchAll(/\u001b\[[0-9;]*m|[^]/gu)) {
    const isColour = piece.length > 1 && piece.startsWith('\u001b');
    const columns = isColour ? 0 : columnsOf(piece);
    if (!isColour && used + columns > width) return kept;
    kept += piece;
    used += columns;
  }
  return kept;
}
