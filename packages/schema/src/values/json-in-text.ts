const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;
const maxDigits = 15;

/** Returns the number of a JSON literal; `undefined` for any other text, and if a double cannot represent it. */
export function parseNumber(text: string): number | undefined {
  if (!jsonNumber.test(text)) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  if (Number.isInteger(number)) return Number.isSafeInteger(number) && isExact(text, number) ? number : undefined;
  return isExact(text, number) ? number : undefined;
}

/**
 * Up to 15 significant digits survive conversion to a double and back; more only if the double prints the same text.
 */
function isExact(text: string, number: number): boolean {
  const digits = text
    .replace(/[eE].*$/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '');
  return digits.length <= maxDigits || String(number) === text;
}

/**
 * Returns the array or object that a text contains as JSON; `undefined` for anything else, or if numbers would be
 * rounded.
 */
export function parseContainer(text: string, wantsArray: boolean, wantsObject: boolean): unknown {
  const first = text.trimStart()[0];
  if (!(first === '[' && wantsArray) && !(first === '{' && wantsObject)) return undefined;
  return parseExactly(text);
}

/** Returns what a text contains as JSON; `undefined` if it is not JSON or if numbers would be rounded. */
export function parseExactly(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return holdsRoundedNumber(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

function holdsRoundedNumber(text: string): boolean {
  for (const [token] of text.matchAll(stringOrNumber)) {
    if (!token.startsWith('"') && parseNumber(token) === undefined) return true;
  }
  return false;
}
