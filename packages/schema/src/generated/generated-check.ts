import { indexOfChoices } from '../values/choice-index.ts';
import { typesOf } from '../issues/describe-expected.ts';
import { formats } from '../patterns/formats.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { areUnique } from '../keywords/array-keywords.ts';
import { isMultipleOf } from '../keywords/number-keywords.ts';
import { hasAtLeast } from '../keywords/string-keywords.ts';
import { compilePattern } from '../patterns/pattern-matcher.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import type { CodeWriter, Predicate } from './code-writer.ts';
import { createCodeWriter } from './code-writer.ts';

/** Keywords that the quick check does not support. A schema with one of them has no quick check. */
const unread = [
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'contains',
  'prefixItems',
  'additionalItems',
  'unevaluatedProperties',
  'unevaluatedItems',
];
const maxParts = 400;

/** Thrown internally for a schema without a quick check. */
const tooOdd = Symbol('too odd');

/**
 * Generates a check that returns true only for values that fit and have only declared keys, which is the usual case.
 * False means "unknown". Returns `undefined` for schemas with rare keywords, and if code generation is not allowed.
 */
export function createQuickCheck(document: SchemaDocument): Predicate | undefined {
  if (!document.isPlain || document.tracksEvaluated) return undefined;
  const writer = createCodeWriter();
  try {
    return writer.finish(createCheckWriter(document, writer)(document.root, 'v'));
  } catch (error) {
    if (error === tooOdd) return undefined;
    throw error;
  }
}

/** Writes the check of a schema as an expression over a variable. */
type WriteCheck = (schema: JsonSchema, name: string) => string;

function createCheckWriter(document: SchemaDocument, writer: CodeWriter): WriteCheck {
  let parts = 0;

  function writeCheck(schema: JsonSchema, name: string): string {
    if (typeof schema === 'boolean') return String(schema);
    parts += 1;
    if (parts > maxParts || unread.some((keyword) => schema[keyword] !== undefined)) throw tooOdd;
    if (!hasOneShape(schema)) throw tooOdd;
    const types = typesOf(schema);
    const tests = types.length === 0 ? [] : [either(types.map((type) => writeType(type, name)))];
    if (Object.hasOwn(schema, 'const')) tests.push(writeChoice([schema.const], name));
    if (schema.enum !== undefined) tests.push(writeChoice(schema.enum, name));
    tests.push(
      ...whereOf('string', types, name, writeString(schema, name)),
      ...whereOf('number', types, name, writeNumber(schema, name)),
      ...whereOf('array', types, name, writeArray(schema, name)),
      ...whereOf('object', types, name, writeObject(schema, name)),
    );
    if (schema.$ref !== undefined) tests.push(writeCheck(document.target(schema, '$ref'), name));
    if (schema.anyOf !== undefined) tests.push(either(schema.anyOf.map((branch) => writeCheck(branch, name))));
    return tests.length === 0 ? 'true' : tests.join(' && ');
  }

  function writeChoice(choices: readonly unknown[], name: string): string {
    if (choices.some((choice) => typeof choice === 'object' && choice !== null)) throw tooOdd;
    if (choices.length > 8) return `${writer.refer(indexOfChoices(choices))}.has(${name})`;
    return either(choices.map((choice) => `${name} === ${JSON.stringify(choice)}`));
  }

  function writeString({ minLength, maxLength, format, pattern }: JsonSchemaObject, name: string): readonly string[] {
    const has = minLength === undefined && maxLength === undefined ? '' : writer.refer(hasAtLeast);
    const known = format === undefined ? undefined : formats.get(format);
    return [
      ...(minLength === undefined ? [] : [`${has}(${name}, ${minLength})`]),
      ...(maxLength === undefined ? [] : [`!${has}(${name}, ${maxLength + 1})`]),
      ...(known === undefined ? [] : [`${writer.refer(known)}(${name})`]),
      ...(pattern === undefined ? [] : [`${writer.refer(compilePattern(pattern))}.test(${name}) === true`]),
    ];
  }

  function writeNumber(schema: JsonSchemaObject, name: string): readonly string[] {
    const tests: string[] = [];
    for (const [keyword, sign] of bounds) {
      const bound = schema[keyword];
      if (bound !== undefined) tests.push(`${name} ${sign} ${bound}`);
    }
    if (schema.multipleOf !== undefined) {
      tests.push(`${writer.refer(isMultipleOf)}(${name}, ${schema.multipleOf})`);
    }
    return tests;
  }

  function writeArray({ items, minItems, maxItems, uniqueItems }: JsonSchemaObject, name: string): readonly string[] {
    if (Array.isArray(items)) throw tooOdd;
    const tests: string[] = [];
    if (minItems !== undefined) tests.push(`${name}.length >= ${minItems}`);
    if (maxItems !== undefined) tests.push(`${name}.length <= ${maxItems}`);
    const test = items === undefined ? 'true' : writeCheck(items as JsonSchema, 'x');
    if (test !== 'true') {
      const write = (): string =>
        `for (let i = 0; i < v.length; i++) { const x = v[i]; if (!(${test})) return false; } return true;`;
      tests.push(`${writer.addFunction(write)}(${name})`);
    }
    if (uniqueItems === true) tests.push(`${writer.refer(areUnique)}(${name})`);
    return tests;
  }

  function writeObject(schema: JsonSchemaObject, name: string): readonly string[] {
    const { properties, additionalProperties, required = [] } = schema;
    const declared = Object.entries(properties ?? {});
    const isMap = declared.length === 0 && additionalProperties !== undefined;
    if (declared.length === 0 && required.length === 0 && !isMap) return [];
    // Counts every present declared key, then subtracts every present key.
    const members = declared.map(([key, part]) => {
      const absent = required.includes(key) ? 'return false;' : '';
      const test = writeCheck(part, 'x');
      const refusal = test === 'true' ? '' : `if (!(${test})) return false;`;
      return `x = v[${JSON.stringify(key)}]; if (x === undefined) { ${absent} } else { ${refusal} n++; }`;
    });
    const missing = required
      .filter((key) => !declared.some(([other]) => other === key))
      .map((key) => `if (v[${JSON.stringify(key)}] === undefined) return false;`);
    const rest = isMap ? writeCheck(additionalProperties, 'x') : 'true';
    const each = declared.length > 0 ? 'n--;' : rest === 'true' ? '' : `x = v[k]; if (!(${rest})) return false;`;
    const write = (): string =>
      `let n = 0, x; ${members.join(' ')} ${missing.join(' ')} ${each === '' ? '' : `for (const k in v) { ${each} }`} return n === 0;`;
    return [`${writer.addFunction(write)}(${name})`];
  }

  return writeCheck;
}

/**
 * Whether at most one schema, of a schema and its branches, describes the contents of a value, so that there is one set
 * of keys.
 */
function hasOneShape(schema: JsonSchemaObject): boolean {
  const others = [...(schema.$ref === undefined ? [] : [true]), ...(schema.anyOf ?? [])].filter(
    (part) => !isScalar(part),
  );
  const isOwn =
    schema.properties !== undefined || schema.items !== undefined || schema.additionalProperties !== undefined;
  return others.length + (isOwn ? 1 : 0) <= 1;
}

function isScalar(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return !schema;
  const types = typesOf(schema);
  const isTyped = types.length > 0 && types.every((type) => type !== 'object' && type !== 'array');
  // Enums of objects or lists have no quick check.
  return isTyped || schema.enum !== undefined || Object.hasOwn(schema, 'const');
}

const bounds = [
  ['minimum', '>='],
  ['maximum', '<='],
  ['exclusiveMinimum', '>'],
  ['exclusiveMaximum', '<'],
] as const;

function writeType(type: string, name: string): string {
  switch (type) {
    case 'null':
      return `(${name} === null)`;
    case 'integer':
      return `(typeof ${name} === "number" && ${name} % 1 === 0)`;
    case 'number':
      return `(typeof ${name} === "number" && ${name} - ${name} === 0)`;
    case 'array':
      return `Array.isArray(${name})`;
    case 'object':
      return `(typeof ${name} === "object" && ${name} !== null && !Array.isArray(${name}))`;
    default:
      return `(typeof ${name} === ${JSON.stringify(type)})`;
  }
}

/** Tests that apply to values of one type only. */
function whereOf(type: string, types: readonly string[], name: string, tests: readonly string[]): readonly string[] {
  if (tests.length === 0) return [];
  const kinds = types.map((one) => (one === 'integer' ? 'number' : one));
  if (kinds.length > 0 && !kinds.includes(type)) return [];
  const all = tests.join(' && ');
  return [kinds.length === 1 ? all : `(!${writeType(type, name)} || ${all})`];
}

function either(tests: readonly string[]): string {
  return tests.length === 0 ? 'false' : `(${tests.join(' || ')})`;
}
