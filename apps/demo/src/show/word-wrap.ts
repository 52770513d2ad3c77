import { columnsOf } from './columns-of.ts';
import { visibleWidth } from './wrap-line.ts';

/** Wraps streamed text between words. */
export interface WordWrap {
  push(text: string): void;
  /** Writes held text and ends the current line. */
  end(): void;
}

/** Options of {@link createWordWrap}. */
export interface WordWrapOptions {
  readonly width: () => number;
  /** Prefix of every line. */
  readonly indent: string;
  readonly write: (text: string) => void;
  /** Colours words; never receives a newline. */
  readonly dress: (words: string) => string;
}

/** Words that begin within this many columns of the edge are held until they are complete. */
const edge = 16;

/** Creates a word wrap at the beginning of a line. */
export function createWordWrap({ width, indent, write, dress }: WordWrapOptions): WordWrap {
  let column = 0;
  let blanks = '';
  let held = '';

  const put = (words: string): void => {
    if (column === 0) {
      write(indent);
      column = indent.length;
    }
    write(dress(words));
    column += visibleWidth(words);
  };
  const endLine = (): void => {
    write('\n');
    column = 0;
    blanks = '';
  };
  const putWord = (isBreakable = blanks !== ''): void => {
    if (held === '') return;
    const isFull = column > indent.length && column + blanks.length + visibleWidth(held) > width();
    if (isFull && isBreakable) endLine();
    put(blanks + held);
    blanks = '';
    held = '';
  };
  return {
    push(text) {
      for (const piece of piecesOf(text)) {
        if (columnsOf(piece) === 2) {
          // Scripts without blanks can break anywhere.
          putWord();
          held = piece;
          putWord(true);
        } else if (piece === '\n') {
          putWord();
          endLine();
        } else if (piece.trim() === '') {
          putWord();
          blanks += piece;
        } else {
          held += piece;
        }
      }
      if (column + blanks.length + visibleWidth(held) <= width() - edge) putWord();
    },
    end() {
      putWord();
      if (column > 0) endLine();
    },
  };
}

/** Splits text into newlines, blanks, words and single wide characters. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const [run] of text.matchAll(/\n|[^\S\n]+|\S+/g)) {
    let word = '';
    for (const character of run) {
      if (columnsOf(character) === 2) {
        if (word !== '') pieces.push(word);
        pieces.push(character);
        word = '';
      } else word += character;
    }
    if (word !== '') pieces.push(word);
  }
  return pieces;
}
