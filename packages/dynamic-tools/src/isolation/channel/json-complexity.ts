/** Maximum nesting depth of arrays and objects in a message. */
export const maxJsonDepth = 200;
/** Maximum number of values in a message: members of objects and items of arrays. */
export const maxJsonValues = 100_000;

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Returns whether JSON text is nested too deeply or contains too many values. Counts without parsing, because objects
 * take a hundred times the memory and time of their text. The result for invalid JSON is arbitrary.
 */
export function isTooComplex(text: string): boolean {
  // Shorter text can't exceed either limit.
  if (text.length <= maxJsonDepth * 2) return false;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at + 1);
    } else if (code === comma) {
      values += 1;
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      values += 1;
      if (depth > maxJsonDepth) return true;
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
    }
  }
  return values > maxJsonValues;
}

/** Returns the offset of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}
