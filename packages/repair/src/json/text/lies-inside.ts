import * as char from './char.ts';
import { isInReasoning } from './reasoning.ts';

// `…], "filter": ` before a container: it is a member of an object whose opener was not recognized.
const memberPattern = /["\]}]\s*,\s*["']?[\w$-]{1,64}["']?\s*[:=]\s*$/;
const reach = 200;

/**
 * Returns whether a container at an offset is inside something that began before it: an object or a string without an
 * end, or unfinished reasoning.
 */
export function liesInside(text: string, at: number): boolean {
  if (at === 0) return false;
  return isInReasoning(text, at) || memberPattern.test(text.slice(Math.max(0, at - reach), at)) || isEnclosed(text, at);
}

/**
 * Returns whether a brace or a quote before an offset is still open there. A quote directly before it encloses the
 * container.
 */
export function isEnclosed(text: string, at: number): boolean {
  const end = text[at - 1] === '"' ? at - 1 : at;
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === char.backslash) index += 1;
    else if (code === char.quote) isQuoted = !isQuoted;
    else if (code === char.openBrace) depth += 1;
    else if (code === char.closeBrace) depth -= 1;
  }
  return isQuoted || depth > 0;
}
