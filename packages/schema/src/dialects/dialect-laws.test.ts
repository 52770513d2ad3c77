import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChecker } from '../validate/check-value.ts';
import { copySchema } from '../document/copy-schema.ts';
import type { DialectName, JsonSchema } from '../index.ts';
import { dialects, toDialect } from '../index.ts';
import { isDeepEqual } from '../json-value.ts';
import { readSchema } from '../document/read-schema.ts';
import { randomSchemas } from './fixtures/random-schemas.ts';
import { sampleValue, seededRandom } from './fixtures/sample-value.ts';
import { vendorChecks } from './fixtures/vendor-checks.ts';

const names = Object.keys(dialects) as DialectName[];
const runs = { numRuns: process.env['HAFT_TEST_LONG'] === undefined ? 120 : 5000 };
const seeds = fc.array(fc.integer(), { minLength: 6, maxLength: 6 });

/** Translates Gemini's own form to JSON Schema. In that form, null is a flag, and only declared keys exist. */
function spellOut(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(spellOut);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, keyword === 'enum' ? value : spellOut(value)]),
  );
  const plain = rest['type'] === 'object' ? { additionalProperties: false, ...rest } : rest;
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain;
}

const meaningOf = (name: DialectName, schema: JsonSchema): Record<string, unknown> =>
  (name === 'gemini-openapi' ? spellOut(schema) : schema) as Record<string, unknown>;

function checkerOf(schema: JsonSchema): (value: unknown) => boolean {
  const document = readSchema(copySchema(schema));
  return (value) => createChecker(document).check(document.root, value);
}

describe.each(names)('dialect %s, for any schema', (name) => {
  it('accepts its own converted schemas', () => {
    fc.assert(
      fc.property(randomSchemas, (schema) => {
        expect(vendorChecks[name]?.(toDialect(schema, name).schema as Record<string, unknown>)).toEqual([]);
      }),
      runs,
    );
  });

  it('returns the original value after lower and raise', () => {
    fc.assert(
      fc.property(randomSchemas, seeds, (schema, numbers) => {
        const lowered = toDialect(schema, name);
        const [fits, isTaken] = [checkerOf(schema), checkerOf(meaningOf(name, lowered.schema))];
        const isNarrower = lowered.lost.some(({ effect }) => effect === 'narrower');
        for (const seed of numbers) {
          const value = sampleValue(schema, seededRandom(seed));
          if (!fits(value)) continue;
          const answer = lowered.lower(value);
          // A value that can no longer be expressed may be refused, but the loss must be reported.
          if (!isTaken(answer) && isNarrower) continue;
          expect({ answer, isTaken: isTaken(answer) }).toEqual({ answer, isTaken: true });
          expect(isDeepEqual(lowered.raise(answer), value)).toBe(true);
        }
      }),
      runs,
    );
  });

  it('reports rules of the original that answers may violate', () => {
    fc.assert(
      fc.property(randomSchemas, seeds, (schema, numbers) => {
        const lowered = toDialect(schema, name);
        const [fits, isTaken] = [checkerOf(schema), checkerOf(meaningOf(name, lowered.schema))];
        if (lowered.lost.some(({ effect }) => effect === 'wider')) return;
        for (const seed of numbers) {
          const answer = sampleValue(meaningOf(name, lowered.schema), seededRandom(seed));
          if (!isTaken(answer)) continue;
          const value = lowered.raise(answer);
          expect({ answer, value, fits: fits(value) }).toEqual({ answer, value, fits: true });
        }
      }),
      runs,
    );
  });

  it('raises and lowers any value without throwing or changing it', () => {
    const values = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(randomSchemas, values, (schema, value) => {
        const lowered = toDialect(schema, name);
        const before = JSON.stringify(value);
        lowered.raise(value);
        lowered.lower(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
      runs,
    );
  });
});
