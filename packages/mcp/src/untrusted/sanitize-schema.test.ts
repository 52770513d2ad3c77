import fc from 'fast-check';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { cleanText } from '@haft/sandbox';
import { sanitizeSchema } from './sanitize-schema.ts';

const limits = { maxSchemaBytes: 32_768, maxDescriptionBytes: 4_096 };
const sanitize = (schema: unknown): ReturnType<typeof sanitizeSchema> => sanitizeSchema(schema, limits);
const property = (schema: object): object => ({ type: 'object', properties: { a: schema } });

describe('a sanitized schema', () => {
  it('equals a valid input', () => {
    const schema = {
      $defs: { point: { type: 'object', properties: { x: { type: 'number' }, description: { type: 'string' } } } },
      type: 'object',
      properties: {
        title: { type: 'string', title: 'Title', description: 'Two\n\tlines.', default: 'none', pattern: '^\\w+$' },
        default: { type: 'object', description: 'Not the keyword.', properties: { enum: { const: null } } },
        at: { $ref: '#/$defs/point' },
        kind: { enum: ['a', 'b', 1, null, { c: 'd' }] },
      },
      required: ['title'],
      additionalProperties: false,
    };
    expect(sanitize(schema)).toEqual({ ok: true, changed: false, schema });
  });

  it.each([
    [
      'names',
      { type: 'object', properties: { 'a\u202e': {} }, required: ['a\u202e'] },
      { type: 'object', properties: { a: {} }, required: ['a'] },
    ],
    ['values', property({ enum: ['\u001b[31mred'], const: '\u{e0041}x' }), property({ enum: ['red'], const: 'x' })],
    [
      'defaults and examples',
      property({ default: { 'b\u200b': ['\u0007c'] }, examples: ['\u2066d'] }),
      property({ default: { b: ['c'] }, examples: ['d'] }),
    ],
    ['titles, which are one line', property({ title: ' a\n\u001b]0;x\u0007b ' }), property({ title: 'a b' })],
    ['unknown keywords', property({ 'x-note': { 'y\u200b': '\u0000z' } }), property({ 'x-note': { y: 'z' } })],
    [
      'references and their targets',
      { $defs: { 'p\ufeff': {} }, type: 'object', $ref: '#/$defs/p\ufeff' },
      { $defs: { p: {} }, type: 'object', $ref: '#/$defs/p' },
    ],
  ])('has no hidden characters in %s', (_where, dirty, clean) => {
    expect(sanitize(dirty)).toEqual({ ok: true, changed: true, schema: clean });
  });

  it('has no pattern that was written with hidden characters', () => {
    expect(sanitize(property({ type: 'string', pattern: '[\u200b]' }))).toMatchObject({
      schema: property({ type: 'string' }),
    });
    expect(sanitize({ type: 'object', properties: { pattern: { type: 'string' } } })).toMatchObject({ changed: false });
  });

  it('has descriptions and titles cut, and no long default or example', () => {
    const long = 'é'.repeat(3_000);
    const sanitized = sanitize(
      property({ description: long, title: long.slice(0, 500), default: long, examples: [long] }),
    );
    expect(sanitized).toMatchObject({ ok: true, changed: true });
    const shown = (sanitized as unknown as { schema: { properties: { a: Record<string, string> } } }).schema.properties
      .a;
    expect(Object.keys(shown)).toEqual(['description', 'title']);
    expect(Buffer.byteLength(shown['description']!)).toBeLessThanOrEqual(4_096);
    expect(shown['title']!.length).toBeLessThanOrEqual(201);
  });

  it.each([
    [
      'nested too deeply',
      JSON.parse(`${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`) as unknown,
      'nested more than 128 levels',
    ],
    [
      'a list nested too deeply',
      JSON.parse(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`) as unknown,
      'nested more than 128 levels',
    ],
    ['too large', property({ 'x-a': Array.from({ length: 20_000 }, () => 1) }), 'larger than 32768 bytes'],
    [
      'too large when serialized',
      property({
        'x-a': Array.from({ length: 20 }, () => '\u0001"'.repeat(1)),
        enum: Array.from({ length: 30 }, (_, at) => `${at}`.repeat(300)),
        'x-b': '"'.repeat(1_000),
        'x-c': Array.from({ length: 18 }, () => '"'.repeat(1_000)),
      }),
      'larger than 32768 bytes',
    ],
    ['with a long name', { type: 'object', properties: { ['a'.repeat(300)]: {} } }, 'a name in its schema is longer'],
    ['with a long value', property({ enum: ['a'.repeat(2_000)] }), 'a text in its schema is longer'],
    [
      'with names that look the same',
      { type: 'object', properties: { a: {}, 'a\u200b': {} } },
      'differ only in hidden characters',
    ],
  ])('is refused for an invalid input: %s', (_what, schema, reason) => {
    const sanitized = sanitize(schema);
    expect(sanitized).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  it('is clean and small for any input', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '\u001b', '[2J', '\u202e', '\u{e0041}', '\u200b', '\n', '\ud800', '"'),
      maxLength: 12,
    });
    const key = fc.oneof(
      text,
      fc.constantFrom('properties', 'enum', 'default', 'title', 'description', 'pattern', 'type', '__proto__', 'items'),
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, tree, { maxKeys: 5 }), (schema) => {
        const sanitized = sanitize(schema);
        if (!sanitized.ok) return;
        const written = JSON.stringify(sanitized.schema);
        expect(Buffer.byteLength(written)).toBeLessThanOrEqual(limits.maxSchemaBytes);
        for (const part of stringsOf(sanitized.schema)) expect(cleanText(part)).toBe(part);
        expect(sanitize(sanitized.schema)).toEqual({ ok: true, changed: false, schema: sanitized.schema });
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      }),
    );
  });

  it('takes linear time', async () => {
    const make = (size: number): unknown =>
      property({ enum: Array.from({ length: size }, (_, at) => `\u200bvalue ${at}`) });
    const run = (schema: unknown): void => {
      expect(sanitizeSchema(schema, { maxSchemaBytes: 1e9, maxDescriptionBytes: 4_096 }).ok).toBe(true);
    };
    expect(await growthOf(make, run, 5_000)).toBeLessThan(linearGrowth);
  });
});

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsOf(member)]);
}
