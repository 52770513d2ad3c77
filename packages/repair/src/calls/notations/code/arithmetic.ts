/** A number that was written as a calculation, and the offset after it. */
export interface Calculation {
  readonly value: number;
  readonly end: number;
}

const numberPattern = /\s{0,9}(\d{1,18}(?:\.\d{1,18})?)/y;
const signPattern = /\s{0,9}([-+])/y;
const factorPattern = /\s{0,9}(\*\*?|\/)/y;
const datePattern = /^\d{4}-\d{1,2}-\d{1,2}$/;
const maxDepth = 8;
const maxTerms = 64;

interface Cursor {
  readonly text: string;
  at: number;
  terms: number;
}

/**
 * Reads `3*4`, `(12 - 5) / 2` or `2**3` at an offset. Returns undefined for anything else, including a single number
 * and a date.
 */
export function readCalculation(text: string, from: number): Calculation | undefined {
  const cursor: Cursor = { text, at: from, terms: 0 };
  const value = readSum(cursor, 0);
  if (value === undefined || !Number.isFinite(value) || cursor.terms < 2) return undefined;
  return datePattern.test(text.slice(from, cursor.at).trim()) ? undefined : { value, end: cursor.at };
}

function readSum(cursor: Cursor, depth: number): number | undefined {
  let sum = readProduct(cursor, depth);
  for (
    let sign = take(cursor, signPattern);
    sum !== undefined && sign !== undefined;
    sign = take(cursor, signPattern)
  ) {
    const next = readProduct(cursor, depth);
    sum = next === undefined ? undefined : sign === '+' ? sum + next : sum - next;
  }
  return sum;
}

function readProduct(cursor: Cursor, depth: number): number | undefined {
  let product = readFactor(cursor, depth);
  for (
    let sign = take(cursor, factorPattern);
    product !== undefined && sign !== undefined;
    sign = take(cursor, factorPattern)
  ) {
    const next = readFactor(cursor, depth);
    if (next === undefined) return undefined;
    product = sign === '*' ? product * next : sign === '/' ? product / next : product ** next;
  }
  return product;
}

function readFactor(cursor: Cursor, depth: number): number | undefined {
  if (take(cursor, /\s{0,9}(\()/y) !== undefined) {
    const inner = depth < maxDepth ? readSum(cursor, depth + 1) : undefined;
    return inner !== undefined && take(cursor, /\s{0,9}(\))/y) !== undefined ? inner : undefined;
  }
  const number = take(cursor, numberPattern);
  cursor.terms += 1;
  return number === undefined || cursor.terms > maxTerms ? undefined : Number(number);
}

function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (match === null) return undefined;
  cursor.at = pattern.lastIndex;
  return match[1];
}

const amountPattern =
  /[$€£¥]\s?(\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,18})?|\d{1,18}(?:\.\d{1,18})?)|(\d{1,18}(?:\.\d{1,18})?)\s?°\s?[CF]?/y;

/** Reads an amount with its sign at an offset: `$450`, `€1,200`, `230°C`. */
export function readAmount(text: string, from: number): Calculation | undefined {
  amountPattern.lastIndex = from;
  const match = amountPattern.exec(text);
  const digits = match?.[1] ?? match?.[2];
  return digits === undefined ? undefined : { value: Number(digits.replaceAll(',', '')), end: amountPattern.lastIndex };
}
