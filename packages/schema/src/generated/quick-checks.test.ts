import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAliases } from '../keys/alias-tree.ts';
import { createChecker } from '../validate/check-value.ts';
import { copySchema } from '../document/copy-schema.ts';
import { createKeyCheck } from '../compile/compile-key-check.ts';
import { readKeyTree } from '../keys/key-tree.ts';
import { readSchema } from '../document/read-schema.ts';
import { createQuickCheck } from './generated-check.ts';
import { createQuickKeyCheck } from './generated-key-check.ts';

const read = (schema: unknown) => readSchema(copySchema(schema));
const runs = { numRuns: process.env['HAFT_TEST_LONG'] === undefined ? 2000 : 50_000 };
const key = fc.constantFrom('a', 'b', 'c', 'a"b', '\u2028', 'toString');
const scalars = fc.constantFrom<unknown>('a', 'ab', '', '2024-01-01', 0, -1, 1.5, 3, true, null, 'x"y');

const { schema: schemas, value: values } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record(
      {
        type: fc.constantFrom(
          'string',
          'number',
          'integer',
          'boolean',
          'null',
          ['string', 'null'],
          ['integer', 'array'],
        ),
        minimum: fc.integer({ min: -2, max: 2 }),
        exclusiveMaximum: fc.integer({ min: 1, max: 4 }),
        multipleOf: fc.constantFrom(1, 0.5),
        minLength: fc.nat(1),
        maxLength: fc.integer({ min: 1, max: 3 }),
        pattern: fc.constantFrom('^a', '^[0-9-]+$'),
        format: fc.constantFrom('date', 'unknown'),
        nullable: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    fc.record({ enum: fc.array(scalars, { minLength: 1, maxLength: 10 }) }),
    fc.record({ const: scalars }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(key, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(key, { maxLength: 2 }),
        additionalProperties: tie('schema'),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      { items: tie('schema'), minItems: fc.nat(1), maxItems: fc.nat(3), uniqueItems: fc.boolean() },
      { requiredKeys: [] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.constantFrom<unknown>(true, false, { $ref: '#/$defs/word' }),
  ),
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.dictionary(key, tie('value'), { maxKeys: 3 }).map((record): unknown => ({ ...record })),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));
const roots = schemas.map((schema) => ({
  allOf: undefined,
  ...(typeof schema === 'object' ? schema : { anyOf: [schema] }),
  $defs: { word: { type: 'string' } },
}));

describe('a quick check', () => {
  it('returns true only for values that fit and have only declared keys, for any schema and value', () => {
    let trueOnes = 0;
    fc.assert(
      fc.property(roots, fc.array(values, { minLength: 1, maxLength: 6 }), (schema, given) => {
        const document = read(JSON.parse(JSON.stringify(schema)));
        const quick = createQuickCheck(document);
        const keys = createKeyCheck(document, readAliases(undefined, document.root));
        for (const value of given) {
          if (quick?.(value) !== true) continue;
          trueOnes += 1;
          expect([schema, value, createChecker(document).check(document.root, value)]).toEqual([schema, value, true]);
          expect([schema, value, keys.knowsAll(value)]).toEqual([schema, value, true]);
        }
      }),
      runs,
    );
    expect(trueOnes).toBeGreaterThan(100);
  });

  it('returns true for typical arguments', () => {
    const quick = createQuickCheck(
      read({
        type: 'object',
        properties: {
          path: { type: 'string', minLength: 1 },
          mode: { enum: ['a', 'b'] },
          lines: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 3 },
          env: { type: 'object', additionalProperties: { type: 'string' } },
          either: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/size' }] },
        },
        required: ['path'],
        $defs: { size: { type: 'object', properties: { width: { type: 'number' } } } },
      }),
    );
    const value = { path: 'a', mode: 'b', lines: [1, 2], env: { CI: '1' }, either: { width: 0.5 } };
    expect(quick?.(value)).toBe(true);
    for (const other of [{ path: '' }, { mode: 'c' }, { lines: [0] }, { env: { CI: 1 } }, { either: { wide: 1 } }]) {
      expect(quick?.({ ...value, ...other })).toBe(false);
    }
    expect(quick?.({ ...value, stray: 1 })).toBe(false);
    expect(quick?.({ mode: 'a' })).toBe(false);
  });

  it.each<[string, unknown]>([
    ['branches that exclude each other', { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }],
    ['what must not be', { not: { properties: { a: {} } } }],
    ['parts that hold together', { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }],
    ['recursion', { properties: { a: { $ref: '#' } } }],
    ['names that every object inherits', { properties: { constructor: { type: 'string' } } }],
    ['listed objects', { enum: [{ a: 1 }] }],
  ])('is not generated for %s', (_, schema) => {
    expect(createQuickCheck(read(schema))).toBeUndefined();
  });

  it('never uses a name or value of a schema as code', () => {
    const odd = '"]; throw new Error("run"); //\n\u2028`${1}`';
    const quick = createQuickCheck(
      read({
        type: 'object',
        properties: {
          [odd]: { const: odd },
          list: { enum: [odd, 'b'] },
          text: { type: 'string', pattern: '^\\/\\n"' },
        },
        required: [odd],
      }),
    );
    expect(quick?.({ [odd]: odd, list: odd, text: '/\n"' })).toBe(true);
    expect(quick?.({ [odd]: odd, list: 'c' })).toBe(false);
  });
});

describe('a quick check of keys', () => {
  it('returns true only if every key is declared, for any schema and value', () => {
    let trueOnes = 0;
    fc.assert(
      fc.property(roots, fc.array(values, { minLength: 1, maxLength: 6 }), (schema, given) => {
        const document = read(JSON.parse(JSON.stringify(schema)));
        const root = readKeyTree(document, undefined);
        const quick = root === undefined ? undefined : createQuickKeyCheck(root);
        for (const value of given) {
          if (quick?.(value) !== true) continue;
          trueOnes += 1;
          const keys = createKeyCheck(document, undefined);
          expect([schema, value, keys.knowsAll(value)]).toEqual([schema, value, true]);
        }
      }),
      runs,
    );
    expect(trueOnes).toBeGreaterThan(100);
  });

  it('is generated for recursive schemas only up to a limit', () => {
    const once = { properties: { next: { $ref: '#' }, list: { items: { $ref: '#' } } } };
    const root = readKeyTree(read(once), undefined);
    expect(root === undefined ? undefined : createQuickKeyCheck(root)).toBeUndefined();
  });
});
