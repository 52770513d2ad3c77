import { columnsOf } from './columns-of.ts';
import { visibleWidth } from './wrap-line.ts';

/** Takes text in pieces as a model writes it, and hands it on broken between words. */
export interface WordWrap {
  push(text: string): void;
  /** Hands on what is held and ends the line, when one was begun. */
  end(): void;
}

/** What {@link createWordWrap} takes. */
export interface WordWrapOptions {
  readonly width: () => number;
  /** Stands before every line. */
  readonly indent: string;
  readonly write: (text: string) => void;
  /** Dresses words; never given a newline. */
  readonly dress: (words: string) => string;
}

/** A word that begins this near to the edge is held until it is whole; others are shown as they come. */
const edge = 16;

/** Makes a word wrap that stands at the beginning of a line. */
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
          // Scripts without blanks are broken anywhere.
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

/** Newlines, blanks, words, and each wide character by itself. */
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
