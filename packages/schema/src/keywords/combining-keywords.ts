import type { CheckContext, Evaluated } from './check-context.ts';
import { createEvaluated, mergeEvaluated } from './check-context.ts';
import { describeExpected } from '../issues/describe-expected.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { isRecord } from '../json-value.ts';
import type { Place } from '../value-path.ts';
import { describeObjects, reportNoBranch } from './union-keywords.ts';

/** `allOf`, `anyOf`, `oneOf`, `not` and `if`/`then`/`else`. */
export function checkCombining(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: unknown,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): boolean {
  let isValid = true;
  for (const part of schema.allOf ?? []) isValid = context.check(part, value, place, evaluated) && isValid;
  if (schema.anyOf !== undefined && matchBranches(context, schema.anyOf, value, evaluated, 1) === 0) {
    isValid = reportNoBranch(context, schema, schema.anyOf, value, place);
  }
  if (schema.oneOf !== undefined)
    isValid = checkOneOf(context, schema, schema.oneOf, value, place, evaluated) && isValid;
  if (schema.not !== undefined && context.test(schema.not, value)) {
    if (!context.isCollecting) return false;
    const expected = `anything but ${describeExpected(context.document, schema.not)}`;
    isValid = context.report({
      place,
      code: 'not',
      expected,
      value,
      say: (path) => `${path} must be something else: ${expected}.`,
    });
  }
  return checkCondition(context, schema, value, place, evaluated) && isValid;
}

/** Counts the branches that accept the value. Stops at `enough` unless the findings of all branches are needed. */
function matchBranches(
  context: CheckContext,
  branches: readonly JsonSchema[],
  value: unknown,
  evaluated: Evaluated | undefined,
  enough: number,
): number {
  let matches = 0;
  for (const branch of branches) {
    const own = evaluated === undefined ? undefined : createEvaluated();
    if (!context.test(branch, value, own)) continue;
    matches += 1;
    if (own === undefined) {
      if (matches === enough) return matches;
    } else if (evaluated !== undefined) {
      mergeEvaluated(evaluated, own);
    }
  }
  return matches;
}

function checkOneOf(
  context: CheckContext,
  schema: JsonSchemaObject,
  branches: readonly JsonSchema[],
  value: unknown,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): boolean {
  const matches = matchBranches(context, branches, value, evaluated, 2);
  if (matches === 1) return true;
  if (matches === 0) return reportNoBranch(context, schema, branches, value, place);
  if (!context.isCollecting) return false;
  const objects = isRecord(value) ? describeObjects(branches) : undefined;
  const texts = objects ?? describeExpected(context.document, { oneOf: branches });
  return context.report({ place, code: 'union', expected: `exactly one of ${texts}`, value });
}

function checkCondition(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: unknown,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): boolean {
  if (schema['if'] === undefined) return true;
  const own = evaluated === undefined ? undefined : createEvaluated();
  const holds = context.test(schema['if'] as JsonSchema, value, own);
  if (holds && own !== undefined && evaluated !== undefined) mergeEvaluated(evaluated, own);
  const next = schema[holds ? 'then' : 'else'];
  return next === undefined || context.check(next as JsonSchema, value, place, evaluated);
}
