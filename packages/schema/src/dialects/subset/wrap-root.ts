import type { JsonSchemaObject } from '../../json-schema.ts';
import { isRecord } from '../../json-value.ts';
import type { Form } from './forms/form.ts';
import { sameForm, unfit } from './forms/form.ts';
import type { Ledger } from './forms/lowering.ts';
import type { SubsetRules } from './facets/subset-rules.ts';

/** Wraps a root that is not an object in an object with a single key, `value`. */
export function wrappedRoot(inner: Form, rules: SubsetRules): Form {
  return {
    ...sameForm('object', rootSchema({ value: inner.schema }, rules)),
    isSame: false,
    raise: (answer) => (isWrapped(answer) ? inner.raise(answer.value) : answer),
    lower: (value, effort) => {
      const answer = inner.lower(value, effort);
      return answer === unfit ? unfit : { value: answer };
    },
    stands: (value) => inner.stands(value),
  };
}

/** No value fits the schema, but the provider needs a schema. */
export function emptyRoot(lose: Ledger['lose'], rules: SubsetRules): Form {
  lose({ path: '#', keyword: 'type', effect: 'wider', meaning: 'no value fits the schema, which cannot be expressed' });
  return sameForm('object', rootSchema({}, rules));
}

function rootSchema(properties: Readonly<Record<string, JsonSchemaObject>>, rules: SubsetRules): JsonSchemaObject {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    ...(rules.undeclared === 'unsaid' ? {} : { additionalProperties: false }),
  };
}

function isWrapped(answer: unknown): answer is { readonly value: unknown } {
  return isRecord(answer) && Object.hasOwn(answer, 'value') && Object.keys(answer).length === 1;
}
