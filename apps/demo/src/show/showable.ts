import { stripVTControlCharacters } from 'node:util';

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const directionOverrides = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes text safe for a terminal: without escape sequences, carriage returns and other control characters, which could
 * repaint a question. Newlines and tabs stay.
 */
export function showable(text: string): string {
  return stripVTControlCharacters(text).replace(controls, '').replace(directionOverrides, '');
}

/** The same on one line, cut to a width. */
export function showableLine(text: string, width = 100): string {
  const line = showable(text)
    .replace(/\s*\n\s*/g, ' ↵ ')
    .replaceAll('\t', ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** The same, but keeps both ends of a long text, because text that was cut or added is at the end. */
export function showableEnds(text: string, width = 78): string {
  const characters = Array.from(showableLine(text, Infinity));
  const half = Math.floor((width - 3) / 2);
  return characters.length <= width
    ? characters.join('')
    : `${characters.slice(0, half).join('')} … ${characters.slice(-half).join('')}`;
}
