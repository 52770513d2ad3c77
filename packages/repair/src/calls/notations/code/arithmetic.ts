import { execAt } from '../../../json/text/characters.ts';

/** A number that was written as a calculation or as an amount, and the offset after it. */
interface WrittenNumber {
  readonly value: number;
  readonly end: number;
  readonly code: 'calculation' | 'amount';
}

const operandPattern = /\s{0,9}(?:(\()|(\d{1,18}(?:\.\d{1,18})?))/y;
const operatorPattern = /\s{0,9}(\*\*|[-+*/])/y;
const closerPattern = /\s{0,9}\)/y;
const datePattern = /^\d{4}-\d{1,2}-\d{1,2}$/;
const maxDepth = 16;
const maxTerms = 64;

/** The operators, with how strongly they bind. */
const operators: Readonly<Record<string, readonly [number, (left: number, right: number) => number]>> = {
  '+': [1, (left, right) => left + right],
  '-': [1, (left, right) => left - right],
  '*': [2, (left, right) => left * right],
  '/': [2, (left, right) => left / right],
  '**': [3, (left, right) => left ** right],
};

/** Reads a number at an offset that was written as a calculation or as an amount. */
export function readWrittenNumber(text: string, from: number): WrittenNumber | undefined {
  return readCalculation(text, from) ?? readAmount(text, from);
}

/** Reads `3*4`, `(12 - 5) / 2` or `2**3` at an offset, but neither a single number nor a date. */
function readCalculation(text: string, from: number): WrittenNumber | undefined {
  let at = from;
  let terms = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = execAt(pattern, text, at);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  /** Reads a part whose operators bind at least so strongly. Returns NaN for anything else. */
  const read = (least: number, depth: number): number => {
    const operand = depth > maxDepth || terms > maxTerms ? null : take(operandPattern);
    if (operand === null) return Number.NaN;
    const [, opener, digits] = operand;
    if (opener === undefined) terms += 1;
    let value = opener === undefined ? Number(digits) : read(1, depth + 1);
    if (opener !== undefined && take(closerPattern) === null) return Number.NaN;
    for (;;) {
      const end = at;
      const [strength, apply] = operators[take(operatorPattern)?.[1] ?? ''] ?? [0];
      if (apply === undefined || strength < least) {
        at = end;
        return value;
      }
      // Powers are read from the right.
      value = apply(value, read(strength === 3 ? strength : strength + 1, depth + 1));
    }
  };
  const value = read(1, 0);
  if (!Number.isFinite(value) || terms < 2) return undefined;
  return datePattern.test(text.slice(from, at).trim()) ? undefined : { value, end: at, code: 'calculation' };
}

const amountPattern =
  /[$€£¥]\s?(\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,18})?|\d{1,18}(?:\.\d{1,18})?)|(\d{1,18}(?:\.\d{1,18})?)\s?°\s?[CF]?/y;

/** Reads an amount with its sign at an offset: `$450`, `€1,200`, `230°C`. */
function readAmount(text: string, from: number): WrittenNumber | undefined {
  const match = execAt(amountPattern, text, from);
  const digits = match?.[1] ?? match?.[2];
  if (digits === undefined) return undefined;
  return { value: Number(digits.replaceAll(',', '')), end: amountPattern.lastIndex, code: 'amount' };
}
