import type { CheckContext, Evaluated } from './check-context.ts';
import { indexOfKeys } from '../spelling/closest-key.ts';
import { describeExpected } from '../issues/describe-expected.ts';
import type { JsonSchema, JsonSchemaMap, JsonSchemaObject } from '../json-schema.ts';
import type { JsonRecord } from '../json-value.ts';
import { hasValue, isRecord, keysWithValues } from '../json-value.ts';
import { compilePattern } from '../patterns/pattern-matcher.ts';
import { clip, quote } from '../preview.ts';
import type { Place } from '../value-path.ts';

const noKeys = Object.freeze({});

/** Checks each key in document order, then missing keys, then the object as a whole. */
export function checkObject(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: JsonRecord,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): boolean {
  const keys = keysWithValues(value);
  let isValid = true;
  if (schema.properties !== undefined || schema.patternProperties !== undefined || 'additionalProperties' in schema) {
    for (const key of keys) {
      if (checkKey(context, schema, value, key, place, evaluated)) continue;
      if (!context.isCollecting) return false;
      isValid = false;
    }
  }
  if (schema.propertyNames !== undefined) isValid = checkNames(context, schema.propertyNames, keys, place) && isValid;
  if (!isValid && !context.isCollecting) return false;
  for (const key of schema.required ?? []) {
    if (!hasValue(value, key)) isValid = reportMissing(context, schema, key, place);
  }
  isValid = checkDependencies(context, schema, value, place, evaluated) && isValid;
  return checkSize(context, schema, keys, value, place) && isValid;
}

function checkKey(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: JsonRecord,
  key: string,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): boolean {
  const at: Place = { parent: place, key };
  let isKnown = false;
  let isValid = true;
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) {
    isKnown = true;
    isValid = context.check(schema.properties[key] as JsonSchema, value[key], at);
  }
  for (const pattern of Object.keys(schema.patternProperties ?? {})) {
    const isMatch = compilePattern(pattern).test(key, context.spend);
    if (isMatch === undefined) return context.giveUp(at, key);
    if (!isMatch) continue;
    isKnown = true;
    isValid = context.check(schema.patternProperties?.[pattern] as JsonSchema, value[key], at) && isValid;
  }
  if (!isKnown && schema.additionalProperties !== undefined) {
    isKnown = true;
    isValid =
      schema.additionalProperties === false
        ? reportUnknown(context, schema.properties, value, key, place)
        : context.check(schema.additionalProperties, value[key], at);
  }
  if (isKnown) evaluated?.keys.add(key);
  return isValid;
}

/** Reports a key that the schema refuses, with the key that was probably meant. */
export function reportUnknown(
  context: CheckContext,
  properties: JsonSchemaMap | undefined,
  value: JsonRecord,
  key: string,
  place: Place | undefined,
): false {
  if (!context.isCollecting) return false;
  const index = indexOfKeys(properties ?? noKeys);
  const suggestion = index.findClosest(key, (name) => !hasValue(value, name), context.effort);
  const expected = suggestion === undefined ? describeKeys(index.names) : `the key ${quote(suggestion, 60)}`;
  return context.report({
    place: { parent: place, key },
    code: 'unknown_key',
    expected,
    value: value[key],
    received: `key ${quote(key, 56)}`,
    say: (path) =>
      suggestion === undefined
        ? `${path} is not a known key; expected ${expected}.`
        : `${path} is not a known key; did you mean ${quote(suggestion, 60)}?`,
  });
}

function describeKeys(names: readonly string[]): string {
  if (names.length === 0) return 'no keys';
  // Further names would be cut off.
  const texts = names.slice(0, 100).map((name) => quote(name, 60));
  return clip(`${names.length === 1 ? 'only the key' : 'one of the keys'} ${texts.join(', ')}`, 200);
}

function reportMissing(context: CheckContext, schema: JsonSchemaObject, key: string, place: Place | undefined): false {
  if (!context.isCollecting) return false;
  const { properties } = schema;
  const member = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const expected = member === undefined ? 'a value' : describeExpected(context.document, member);
  return context.report({
    place: { parent: place, key },
    code: 'required',
    expected,
    value: undefined,
    say: (path) => `${path} is required: expected ${expected}.`,
    ...(member === undefined ? {} : { schema: member }),
  });
}

function checkNames(
  context: CheckContext,
  names: JsonSchema,
  keys: readonly string[],
  place: Place | undefined,
): boolean {
  let isValid = true;
  for (const key of keys) {
    if (context.test(names, key)) continue;
    isValid = context.report({
      place: { parent: place, key },
      code: 'key_name',
      expected: `a key that is ${describeNames(context, names)}`,
      value: key,
      received: `key ${quote(key, 56)}`,
    });
  }
  return isValid;
}

function describeNames(context: CheckContext, names: JsonSchema): string {
  if (isRecord(names) && typeof names['pattern'] === 'string')
    return `text matching ${clip(`/${names['pattern']}/`, 120)}`;
  return describeExpected(context.document, names);
}

function checkDependencies(
  context: CheckContext,
  schema: JsonSchemaObject,
  value: JsonRecord,
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): boolean {
  let isValid = true;
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependencies = schema[keyword];
    if (!isRecord(dependencies)) continue;
    for (const trigger of Object.keys(dependencies)) {
      if (!hasValue(value, trigger)) continue;
      const wanted = dependencies[trigger];
      if (!Array.isArray(wanted)) {
        isValid = context.check(wanted as JsonSchema, value, place, evaluated) && isValid;
        continue;
      }
      for (const key of wanted as readonly string[]) {
        if (hasValue(value, key)) continue;
        const expected = `a value, since ${quote(trigger, 60)} is given`;
        const say = (path: string): string => `${path} is required when ${quote(trigger, 60)} is given.`;
        isValid = context.report({
          place: { parent: place, key },
          code: 'dependent_required',
          expected,
          value: undefined,
          say,
        });
      }
    }
  }
  return isValid;
}

function checkSize(
  context: CheckContext,
  schema: JsonSchemaObject,
  keys: readonly string[],
  value: JsonRecord,
  place: Place | undefined,
): boolean {
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined && keys.length < minProperties) {
    return context.report({ place, code: 'min_properties', expected: `at least ${count(minProperties)}`, value });
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    return context.report({ place, code: 'max_properties', expected: `at most ${count(maxProperties)}`, value });
  }
  return true;
}

function count(keys: number): string {
  return keys === 1 ? '1 key' : `${keys} keys`;
}
