const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;
const mostDigits = 15;

/** The number a JSON literal stands for; `undefined` for any other text, and where a double cannot hold what is written. */
export function parseNumber(text: string): number | undefined {
  if (!jsonNumber.test(text)) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  if (Number.isInteger(number)) return Number.isSafeInteger(number) && isExact(text, number) ? number : undefined;
  return isExact(text, number) ? number : undefined;
}

/** Up to 15 significant digits survive the way into a double and back; more only when the double prints the same. */
function isExact(text: string, number: number): boolean {
  const digits = text
    .replace(/[eE].*$/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '');
  return digits.length <= mostDigits || String(number) === text;
}

/** The array or object that a text holds as JSON; `undefined` when it holds something else, or numbers that would be rounded. */
export function parseContainer(text: string, wantsArray: boolean, wantsObject: boolean): unknown {
  const first = text.trimStart()[0];
  if (!(first === '[' && wantsArray) && !(first === '{' && wantsObject)) return undefined;
  return parseExactly(text);
}

/** What a text holds as JSON; `undefined` when it is no JSON, or holds numbers that would be rounded. */
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
