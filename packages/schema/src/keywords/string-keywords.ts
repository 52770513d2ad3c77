import type { CheckContext } from './check-context.ts';
import { formats } from '../patterns/formats.ts';
import type { JsonSchemaObject } from '../json-schema.ts';
import { compilePattern } from '../patterns/pattern-matcher.ts';
import { clip } from '../preview.ts';
import type { Place } from '../value-path.ts';

/** Checks `minLength`, `maxLength`, `format` and `pattern`. Length counts characters, not UTF-16 units. */
export function checkString(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: string,
  place: Place | undefined,
): boolean {
  let isValid = true;
  const { minLength, maxLength, format, pattern } = schema;
  if (minLength !== undefined && !hasAtLeast(value, minLength)) {
    isValid = context.report({
      place,
      code: 'min_length',
      expected: `at least ${characters(minLength)}`,
      value,
      schema,
    });
  }
  if (maxLength !== undefined && hasAtLeast(value, maxLength + 1)) {
    isValid = context.report({
      place,
      code: 'max_length',
      expected: `at most ${characters(maxLength)}`,
      value,
      schema,
    });
  }
  if (format !== undefined && formats.get(format)?.(value) === false) {
    return context.report({ place, code: 'format', expected: format, value, schema });
  }
  const isMatch = pattern === undefined ? true : compilePattern(pattern).test(value, context.spend);
  if (isMatch === undefined) return context.giveUp(place, value);
  if (!isMatch) {
    const expected = `text matching ${clip(`/${pattern}/`, 120)}`;
    isValid = context.report({ place, code: 'pattern', expected, value, schema });
  }
  return isValid;
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

/** Whether a text has at least this many characters. */
export function hasAtLeast(text: string, count: number): boolean {
  if (text.length < count) return false;
  if (text.length >= count * 2) return true;
  let seen = 0;
  for (let index = 0; index < text.length && seen < count; index += 1) {
    const isPair = isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1));
    if (isPair) index += 1;
    seen += 1;
  }
  return seen >= count;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
