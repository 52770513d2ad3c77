/** A number that was written as a calculation, and where that ends. */
export interface Calculation {
  readonly value: number;
  readonly end: number;
}

const NUMBER = /\s{0,9}(\d{1,18}(?:\.\d{1,18})?)/y;
const SIGN = /\s{0,9}([-+])/y;
const FACTOR = /\s{0,9}(\*\*?|\/)/y;
const DATE = /^\d{4}-\d{1,2}-\d{1,2}$/;
const DEEPEST = 8;
const MOST_TERMS = 64;

interface Cursor {
  readonly text: string;
  at: number;
  terms: number;
}

/** Reads `3*4`, `(12 - 5) / 2` or `2**3` at an offset. Returns undefined for anything else, a single number and a date included. */
export function readCalculation(text: string, from: number): Calculation | undefined {
  const cursor: Cursor = { text, at: from, terms: 0 };
  const value = readSum(cursor, 0);
  if (value === undefined || !Number.isFinite(value) || cursor.terms < 2) return undefined;
  return DATE.test(text.slice(from, cursor.at).trim()) ? undefined : { value, end: cursor.at };
}

function readSum(cursor: Cursor, depth: number): number | undefined {
  let sum = readProduct(cursor, depth);
  for (let sign = take(cursor, SIGN); sum !== undefined && sign !== undefined; sign = take(cursor, SIGN)) {
    const next = readProduct(cursor, depth);
    sum = next === undefined ? undefined : sign === '+' ? sum + next : sum - next;
  }
  return sum;
}

function readProduct(cursor: Cursor, depth: number): number | undefined {
  let product = readFactor(cursor, depth);
  for (let sign = take(cursor, FACTOR); product !== undefined && sign !== undefined; sign = take(cursor, FACTOR)) {
    const next = readFactor(cursor, depth);
    if (next === undefined) return undefined;
    product = sign === '*' ? product * next : sign === '/' ? product / next : product ** next;
  }
  return product;
}

function readFactor(cursor: Cursor, depth: number): number | undefined {
  if (take(cursor, /\s{0,9}(\()/y) !== undefined) {
    const inner = depth < DEEPEST ? readSum(cursor, depth + 1) : undefined;
    return inner !== undefined && take(cursor, /\s{0,9}(\))/y) !== undefined ? inner : undefined;
  }
  const number = take(cursor, NUMBER);
  cursor.terms += 1;
  return number === undefined || cursor.terms > MOST_TERMS ? undefined : Number(number);
}

function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (match === null) return undefined;
  cursor.at = pattern.lastIndex;
  return match[1];
}

const AMOUNT =
  /[$€£¥]\s?(\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,18})?|\d{1,18}(?:\.\d{1,18})?)|(\d{1,18}(?:\.\d{1,18})?)\s?°\s?[CF]?/y;

/** Reads an amount with its sign at an offset: `$450`, `€1,200`, `230°C`. */
export function readAmount(text: string, from: number): Calculation | undefined {
  AMOUNT.lastIndex = from;
  const match = AMOUNT.exec(text);
  const digits = match?.[1] ?? match?.[2];
  return digits === undefined ? undefined : { value: Number(digits.replaceAll(',', '')), end: AMOUNT.lastIndex };
}
