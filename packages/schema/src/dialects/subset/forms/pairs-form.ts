import type { JsonSchemaObject } from '../../../json-schema.ts';
import { isRecord, keysWithValues, setOwn } from '../../../json-value.ts';
import type { Conjunction } from '../facets/facets.ts';
import type { Effort, Form } from './form.ts';
import { sameForm, unfit } from './form.ts';
import type { Lowering } from './lowering.ts';

/** Converts a map into a list of `{ key, value }`, for providers that accept only declared keys. */
export function pairsForm(
  lowering: Lowering,
  values: Conjunction,
  words: JsonSchemaObject,
  level: number,
  path: string,
): Form {
  lowering.lose({ path, keyword: 'additionalProperties', effect: 'wider', meaning: 'a key can be given twice' });
  const form = lowering.emit(values, level + 2);
  const item: JsonSchemaObject = {
    type: 'object',
    properties: { key: { type: 'string' }, value: form.schema },
    required: ['key', 'value'],
    ...(lowering.rules.undeclared === 'closed' ? { additionalProperties: false } : {}),
  };
  // A map that accepts no values can still be empty.
  const isEmpty = form.kind === 'never';
  const schema: JsonSchemaObject = { type: 'array', items: isEmpty ? { type: 'string' } : item, ...words };
  return {
    ...sameForm('array', schema),
    isSame: false,
    raise: (answer) => raisePairs(form, answer),
    lower: (value, effort) => lowerPairs(form, value, effort),
    stands: isRecord,
  };
}

function raisePairs(form: Form, answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  const map: Record<string, unknown> = {};
  for (const pair of answer as readonly unknown[]) {
    if (!isRecord(pair) || typeof pair['key'] !== 'string' || !Object.hasOwn(pair, 'value')) return answer;
    // A key that occurs twice has no single value.
    if (Object.hasOwn(map, pair['key']) || Object.keys(pair).length > 2) return answer;
    setOwn(map, pair['key'], form.raise(pair['value']));
  }
  return map;
}

function lowerPairs(form: Form, value: unknown, effort: Effort): unknown {
  if (!isRecord(value)) return unfit;
  const pairs: unknown[] = [];
  for (const key of keysWithValues(value)) {
    const answer = form.lower(value[key], effort);
    if (answer === unfit) return unfit;
    pairs.push({ key, value: answer });
  }
  return pairs;
}
