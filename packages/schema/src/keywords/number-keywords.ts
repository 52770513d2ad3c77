import type { CheckContext } from './check-context.ts';
import type { IssueCode } from '../issue.ts';
import type { JsonSchemaObject } from '../json-schema.ts';
import type { Place } from '../value-path.ts';

/** Checks `minimum`, `maximum`, their exclusive forms, and `multipleOf`. */
export function checkNumber(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: number,
  place: Place | undefined,
): boolean {
  let isValid = true;
  const refuse = (code: IssueCode, expected: string): void => {
    isValid = context.report({ place, code, expected, value, schema });
  };
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (minimum !== undefined && value < minimum) refuse('minimum', `at least ${minimum}`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    refuse('exclusive_minimum', `more than ${exclusiveMinimum}`);
  }
  if (maximum !== undefined && value > maximum) refuse('maximum', `at most ${maximum}`);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    refuse('exclusive_maximum', `less than ${exclusiveMaximum}`);
  }
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf)) {
    refuse('multiple_of', `a multiple of ${multipleOf}`);
  }
  return isValid;
}

/** Whether a number is a multiple of another, within rounding of binary fractions (0.3 is a multiple of 0.1). */
export function isMultipleOf(value: number, step: number): boolean {
  const quotient = value / step;
  if (!Number.isFinite(quotient)) return Number.isInteger(value) && Number.isInteger(1 / step);
  return Math.abs(Math.round(quotient) - quotient) <= Math.max(1e-9, Math.abs(quotient) * Number.EPSILON);
}
