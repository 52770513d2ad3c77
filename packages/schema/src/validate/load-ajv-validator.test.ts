import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChecker } from './check-value.ts';
import { coerceValue } from '../coerce/coerce-value.ts';
import { copySchema } from '../document/copy-schema.ts';
import type { FastValidator } from './load-ajv-validator.ts';
import { loadFastValidator } from './load-ajv-validator.ts';
import { readSchema } from '../document/read-schema.ts';

const read = (schema: unknown) => readSchema(copySchema(schema));
const key = fc.constantFrom('a', 'b', 'a_b', 'aB', 'constructor');

const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(true, false, {}),
    fc.record(
      {
        type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object', ['string', 'null']),
        minimum: fc.integer({ min: -2, max: 2 }),
        exclusiveMaximum: fc.integer({ min: -2, max: 2 }),
        multipleOf: fc.constantFrom(1, 2, 0.1, 0.5),
        minLength: fc.nat(2),
        maxLength: fc.nat(2),
        pattern: fc.constantFrom('^a', '[0-9]+', '^$'),
        format: fc.constantFrom('date', 'email', 'ipv4', 'unknown'),
      },
      { requiredKeys: [] },
    ),
    fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: fc.jsonValue({ maxDepth: 1 }) }),
    fc.record(
      {
        properties: fc.dictionary(key, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(key, { maxLength: 2 }),
        additionalProperties: tie('schema'),
        propertyNames: fc.record({ maxLength: fc.nat(3) }),
        minProperties: fc.nat(2),
        maxProperties: fc.nat(3),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
        minItems: fc.nat(2),
        maxItems: fc.nat(3),
        uniqueItems: fc.boolean(),
        contains: tie('schema'),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        not: tie('schema'),
        if: tie('schema'),
        then: tie('schema'),
        else: tie('schema'),
      },
      { requiredKeys: [] },
    ),
  ),
}));

// Converts to JSON and back, because arbitrary values include objects without a prototype, which JSON text cannot
// produce.
const values = fc
  .oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(key, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
    fc.array(fc.constantFrom<unknown>(0, 1, 1.5, '1', 'a', null, true), { maxLength: 4 }),
    fc.constantFrom<unknown>(0, -1, 0.3, '', '12', 'a', '2024-02-30', '10.0.0.1'),
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

/**
 * Returns the result of generated code. Returns undefined if the code throws, because ajv compares through `valueOf`.
 */
function answer(fast: FastValidator | undefined, value: unknown): boolean | undefined {
  try {
    return fast?.(value);
  } catch {
    return undefined;
  }
}

describe('generated code', () => {
  it('exists for both drafts', async () => {
    expect(await loadFastValidator(read({ type: 'object' }))).toBeTypeOf('function');
    const draft07 = await loadFastValidator(
      read({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'integer' }),
    );
    expect(draft07?.(1)).toBe(true);
    expect(draft07?.('b')).toBe(false);
  });

  it('does not exist where it could grow without limit: recursion, doubling, references by dynamic scope', async () => {
    expect(await loadFastValidator(read({ properties: { a: { $ref: '#' } } }))).toBeUndefined();
    const doubling = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `d${index}`,
        {
          anyOf: ['a', 'b'].map((name) => ({
            properties: { [name]: index < 29 ? { $ref: `#/$defs/d${index + 1}` } : {} },
          })),
        },
      ]),
    );
    expect(await loadFastValidator(read({ $ref: '#/$defs/d0', $defs: doubling }))).toBeUndefined();
  });

  it('agrees with walking the schema, for any schema and value', async () => {
    await fc.assert(
      fc.asyncProperty(schemas, fc.array(values, { minLength: 1, maxLength: 8 }), async (schema, given) => {
        const document = read(schema);
        const fast = await loadFastValidator(document);
        for (const value of given) {
          const walked = createChecker(document).check(document.root, value);
          expect(answer(fast, value) ?? walked).toBe(walked);
          let mistakes = 0;
          createChecker(document).check(document.root, value, () => {
            mistakes += 1;
          });
          expect(mistakes > 0).toBe(!walked);
          if (walked) expect(coerceValue(document, value)).toEqual({ value, coercions: [] });
        }
      }),
      { numRuns: process.env['HAFT_TEST_LONG'] === undefined ? 400 : 10_000 },
    );
  }, 300_000);
});
