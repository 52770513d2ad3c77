import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CompileOptions, SchemaInput, ValidationResult } from '../index.ts';
import { compileSchema } from '../index.ts';

function validate(schema: SchemaInput, value: unknown, options?: CompileOptions): ValidationResult {
  const result = compileSchema(schema, options).validate(value);
  if (result instanceof Promise) throw new Error('expected an answer at once');
  return result;
}

const zodTool = z.object({
  path: z.string(),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  flags: z.array(z.string()),
  mode: z.enum(['Read', 'write']).optional(),
  deep: z.boolean().optional(),
  filter: z.object({ name: z.string(), size: z.number() }).optional(),
});
const arkTool = type({
  path: 'string',
  'startLine?': 'number.integer',
  'endLine?': 'number.integer',
  flags: 'string[]',
  'mode?': "'Read' | 'write'",
  'deep?': 'boolean',
  'filter?': { name: 'string', size: 'number' },
});
const jsonTool = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    startLine: { type: 'integer' },
    endLine: { type: 'integer' },
    flags: { type: 'array', items: { type: 'string' } },
    mode: { enum: ['Read', 'write'] },
    deep: { type: 'boolean' },
    filter: {
      type: 'object',
      properties: { name: { type: 'string' }, size: { type: 'number' } },
      required: ['name', 'size'],
    },
  },
  required: ['path', 'flags'],
};

const helped: readonly (readonly [given: unknown, meant: unknown, codes: readonly string[]])[] = [
  [{ startLine: null }, {}, ['null_dropped']],
  [{ startLine: null, endLine: null }, {}, ['null_dropped', 'null_dropped']],
  [{ startLine: '10' }, { startLine: 10 }, ['number_parsed']],
  [{ startLine: ' 10 ' }, { startLine: 10 }, ['number_parsed']],
  [{ startLine: '1e3' }, { startLine: 1000 }, ['number_parsed']],
  [{ startLine: '10.0' }, { startLine: 10 }, ['number_parsed']],
  [{ startLine: '9007199254740991' }, { startLine: 9007199254740991 }, ['number_parsed']],
  [{ flags: '["-n"]' }, { flags: ['-n'] }, ['json_parsed']],
  [{ flags: ' [] ' }, { flags: [] }, ['json_parsed']],
  [{ flags: '-n' }, { flags: ['-n'] }, ['wrapped']],
  [{ deep: 'true' }, { deep: true }, ['boolean_parsed']],
  [{ deep: 'False' }, { deep: false }, ['boolean_parsed']],
  [{ mode: 'READ' }, { mode: 'Read' }, ['enum_case']],
  [{ mode: ' write ' }, { mode: 'write' }, ['enum_case']],
  [{ filter: '{"name":"a","size":1.5}' }, { filter: { name: 'a', size: 1.5 } }, ['json_parsed']],
  [
    { filter: '{"Name":"a","size":"2"}' },
    { filter: { name: 'a', size: 2 } },
    ['json_parsed', 'key_renamed', 'number_parsed'],
  ],
  [{ filter: { name: 'a', size: '-0.5' } }, { filter: { name: 'a', size: -0.5 } }, ['number_parsed']],
  [{ start_line: '3', mode: 'WRITE' }, { startLine: 3, mode: 'write' }, ['key_renamed', 'number_parsed', 'enum_case']],
];

const refused: readonly (readonly [given: unknown, path: string, received: string])[] = [
  [{ startLine: 10.5 }, '$.startLine', 'number 10.5'],
  [{ startLine: '10.5' }, '$.startLine', 'string "10.5"'],
  [{ startLine: '1,000' }, '$.startLine', 'string "1,000"'],
  [{ startLine: '0x10' }, '$.startLine', 'string "0x10"'],
  [{ startLine: '007' }, '$.startLine', 'string "007"'],
  [{ startLine: '9007199254740993' }, '$.startLine', 'string "9007199254740993"'],
  [{ startLine: '' }, '$.startLine', 'string ""'],
  [{ startLine: ' ' }, '$.startLine', 'string " "'],
  [{ startLine: 'Infinity' }, '$.startLine', 'string "Infinity"'],
  [{ startLine: true }, '$.startLine', 'boolean true'],
  [{ startLine: [10] }, '$.startLine', 'array of 1'],
  [{ deep: 'yes' }, '$.deep', 'string "yes"'],
  [{ deep: 1 }, '$.deep', 'number 1'],
  [{ path: null }, '$.path', 'null'],
  [{ path: 5 }, '$.path', 'number 5'],
  [{ path: true }, '$.path', 'boolean true'],
  [{ flags: '-n, -i' }, '$.flags', 'string "-n, -i"'],
  [{ flags: '' }, '$.flags', 'string ""'],
  [{ flags: '["-n"' }, '$.flags', 'string "[\\"-n\\""'],
  [{ flags: null }, '$.flags', 'null'],
  [{ flags: 5 }, '$.flags', 'number 5'],
  [{ mode: 'append' }, '$.mode', 'string "append"'],
  [{ filter: '{name: a}' }, '$.filter', 'string "{name: a}"'],
  [{ filter: '[1]' }, '$.filter', 'string "[1]"'],
  [
    { filter: '{"name":"a","size":12345678901234567890}' },
    '$.filter',
    'string "{\\"name\\":\\"a\\",\\"size\\":12345678901234567890}"',
  ],
];

describe.each([
  ['zod', zodTool],
  ['ArkType', arkTool],
  ['JSON Schema', jsonTool],
] as const)('coercion over %s', (_, schema) => {
  it.each(helped)('coerces %j', (given, meant, codes) => {
    const args = Object.assign({ path: 'a', flags: ['x'] }, given);
    const untouched = structuredClone(args);
    const result = validate(schema as SchemaInput, args);
    expect(result.issues).toEqual([]);
    const { start_line: _, ...expected } = Object.assign({ ...args }, meant) as Record<string, unknown>;
    for (const key of Object.keys(given as object)) if (!Object.hasOwn(meant as object, key)) delete expected[key];
    expect(result.value).toEqual(expected);
    expect(result.coercions.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
    expect(args).toEqual(untouched);
  });

  it.each(refused)('leaves %j unchanged and reports it', (given, path, received) => {
    const result = validate(schema as SchemaInput, Object.assign({ path: 'a', flags: ['x'] }, given));
    expect(result.ok).toBe(false);
    expect(result.coercions).toEqual([]);
    expect(result.issues).toHaveLength(1);
    expect(result.issues[0]).toMatchObject({ path, received });
  });
});

describe('coercion', () => {
  it('reports each change with the original and the new value', () => {
    expect(validate(jsonTool, { Path: 'a', flags: '-n', startLine: '10', endLine: null }).coercions).toEqual([
      { path: '$.Path', code: 'key_renamed', from: 'Path', to: 'path' },
      { path: '$.flags', code: 'wrapped', from: '-n', to: ['-n'] },
      { path: '$.startLine', code: 'number_parsed', from: '10', to: 10 },
      { path: '$.endLine', code: 'null_dropped', from: null, to: undefined },
    ]);
  });

  it('keeps successful coercions when another key is wrong, and reports only the remaining issues', () => {
    const result = validate(jsonTool, { path: 5, flags: '-n' });
    expect(result.coercions).toHaveLength(1);
    expect(result.issues.map((issue) => issue.path)).toEqual(['$.path']);
  });

  it('keeps null where the schema allows it, and in maps', () => {
    const schema = { type: 'object', properties: { a: { type: ['integer', 'null'] }, b: { type: 'integer' } } };
    expect(validate(schema, { a: null, b: '5' })).toMatchObject({ ok: true, value: { a: null, b: 5 } });
    const map = { type: 'object', additionalProperties: { type: 'integer' } };
    expect(validate(map, { a: null })).toMatchObject({ ok: false, coercions: [] });
  });

  it('keeps a string if a union accepts strings', () => {
    const schema = { type: 'object', properties: { a: { type: ['string', 'integer'] }, b: { type: 'integer' } } };
    expect(validate(schema, { a: '5', b: '6' })).toMatchObject({ ok: true, value: { a: '5', b: 6 } });
  });

  it('coerces a string in a union of other types if exactly one reading fits', () => {
    const schema = { anyOf: [{ type: 'integer' }, { type: 'boolean' }, { type: 'array', items: { type: 'integer' } }] };
    expect(validate(schema, 'true')).toMatchObject({ ok: true, value: true });
    expect(validate(schema, '7')).toMatchObject({ ok: true, value: 7 });
    expect(validate(schema, '[7, 8]')).toMatchObject({ ok: true, value: [7, 8] });
    expect(validate(schema, 'seven')).toMatchObject({ ok: false, coercions: [] });
  });

  it('does not choose an enum value if two differ only in case', () => {
    expect(validate({ enum: ['ab', 'AB'] }, 'aB')).toMatchObject({ ok: false, coercions: [] });
    expect(validate({ anyOf: [{ const: 'ab' }, { const: 'AB' }] }, 'aB')).toMatchObject({ ok: false, coercions: [] });
  });

  it('does not rename a key if two declared or two given keys match', () => {
    const two = { type: 'object', properties: { fooBar: {}, foo_bar: {} }, additionalProperties: false };
    expect(validate(two, { FOOBAR: 1 })).toMatchObject({ ok: false, coercions: [] });
    const one = { type: 'object', properties: { fooBar: {} }, required: ['fooBar'], additionalProperties: false };
    expect(validate(one, { foo_bar: 1, FooBar: 2 })).toMatchObject({ ok: false, coercions: [] });
    expect(validate(one, { fooBar: 1, foo_bar: 2 })).toMatchObject({ ok: false, coercions: [] });
  });

  it('wraps a single value in a list if it is an item or can be coerced to one', () => {
    const list = { type: 'array', items: { type: 'integer' } };
    expect(validate(list, '5')).toMatchObject({ ok: true, value: [5] });
    expect(validate(list, 5.5)).toMatchObject({ ok: false, coercions: [] });
    const objects = { type: 'array', items: { type: 'object', required: ['a'] } };
    expect(validate(objects, { a: 1 })).toMatchObject({ ok: true, value: [{ a: 1 }] });
    expect(validate({ ...list, minItems: 2 }, 5)).toMatchObject({ ok: false, coercions: [] });
  });

  it('coerces items of a list, of a tuple and behind a reference', () => {
    const schema = {
      $defs: { count: { type: 'integer' } },
      type: 'object',
      properties: {
        list: { type: 'array', items: { $ref: '#/$defs/count' } },
        pair: { type: 'array', prefixItems: [{ type: 'boolean' }, { $ref: '#/$defs/count' }] },
        both: { allOf: [{ $ref: '#/$defs/count' }, { minimum: 3 }] },
      },
    };
    expect(validate(schema, { list: ['1', 2], pair: ['true', '2'], both: '5' })).toMatchObject({
      ok: true,
      value: { list: [1, 2], pair: [true, 2], both: 5 },
    });
    expect(validate(schema, { both: '2' })).toMatchObject({ ok: false });
  });

  it("coerces before zod's defaults and transforms run", () => {
    const schema = z.object({ n: z.int().default(3), s: z.string().transform((text) => text.length), m: z.int() });
    expect(validate(schema, { n: null, s: 'four', m: '5' })).toMatchObject({ ok: true, value: { n: 3, s: 4, m: 5 } });
  });
});

describe('aliases', () => {
  const aliases = { path: ['file', 'file_path'], startLine: ['from'] };

  it.each([
    ['zod', zodTool],
    ['JSON Schema', jsonTool],
  ] as const)('renames a key by its alias over %s', (_, schema) => {
    const result = validate(schema, { file_path: 'a', flags: [], from: 5 }, { aliases });
    expect(result).toMatchObject({ ok: true, value: { path: 'a', flags: [], startLine: 5 } });
    expect(result.coercions.map(({ code, from, to }) => [code, from, to])).toEqual([
      ['alias', 'file_path', 'path'],
      ['alias', 'from', 'startLine'],
    ]);
  });

  it('renames optional keys of a value that fits without them', () => {
    const result = validate(jsonTool, { path: 'a', flags: [], from: 5 }, { aliases });
    expect(result).toMatchObject({ ok: true, value: { path: 'a', flags: [], startLine: 5 } });
  });

  it('never overwrites the declared key and never guesses between two aliases', () => {
    const both = validate(jsonTool, { path: 'a', file: 'b', flags: [] }, { aliases });
    expect(both).toMatchObject({ ok: true, value: { path: 'a', file: 'b' }, coercions: [] });
    expect(validate(jsonTool, { file: 'a', file_path: 'b', flags: [] }, { aliases }).ok).toBe(false);
  });
});

describe('aliases of nested keys', () => {
  const edit = {
    type: 'object',
    properties: { old_text: { type: 'string' }, new_text: { type: 'string' } },
    required: ['old_text'],
  };
  const jsonSchema = {
    type: 'object',
    properties: {
      edits: { type: 'array', items: { $ref: '#/$defs/edit' } },
      byName: { type: 'object', additionalProperties: { $ref: '#/$defs/edit' } },
      'a.b': { type: 'string' },
    },
    $defs: { edit },
  };
  const zodEdit = z.object({ old_text: z.string(), new_text: z.string().optional() });
  const zodSchema = z.object({
    edits: z.array(zodEdit).optional(),
    byName: z.record(z.string(), zodEdit).optional(),
    'a.b': z.string().optional(),
  });
  const aliases = {
    'edits[].old_text': ['old_string'],
    'edits[].new_text': ['new_string'],
    'byName.*.old_text': ['from'],
    'a.b': ['ab'],
  };

  it.each([
    ['zod', zodSchema],
    ['JSON Schema', jsonSchema],
  ] as const)('apply in lists and maps over %s, whether or not the value fits without them', (_, schema) => {
    const args = {
      edits: [
        { old_string: 'a', new_string: 'b' },
        { old_text: 'c', new_string: 'd' },
      ],
      byName: { x: { from: 'e' } },
      ab: 'f',
    };
    const result = validate(schema as SchemaInput, args, { aliases });
    expect(result).toMatchObject({
      ok: true,
      value: {
        edits: [
          { old_text: 'a', new_text: 'b' },
          { old_text: 'c', new_text: 'd' },
        ],
        byName: { x: { old_text: 'e' } },
        'a.b': 'f',
      },
    });
    expect(result.coercions.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual([
      '$.ab alias',
      '$.byName.x.from alias',
      '$.edits[0].new_string alias',
      '$.edits[0].old_string alias',
      '$.edits[1].new_string alias',
    ]);
    const optional = validate(schema as SchemaInput, { edits: [{ old_text: 'c', new_string: 'd' }] }, { aliases });
    expect(optional).toMatchObject({ ok: true, value: { edits: [{ old_text: 'c', new_text: 'd' }] } });
  });

  it('do not apply at other paths, nor to keys that are declared or given', () => {
    const value = { edits: [{ old_text: 'a', old_string: 'b', from: 'c' }] };
    expect(validate(jsonSchema, value, { aliases })).toMatchObject({ ok: true, value, coercions: [] });
  });
});

describe('misspelt keys that an open schema accepts', () => {
  it('are renamed inside lists and objects, too, if the schema would strip them', () => {
    const schema = z.object({
      list: z.array(z.object({ maxSize: z.number().optional() })),
      open: z.looseObject({ maxSize: z.number().optional() }),
    });
    expect(validate(schema, { list: [{ max_size: 3 }], open: { max_size: 4 } })).toMatchObject({
      ok: true,
      value: { list: [{ maxSize: 3 }], open: { max_size: 4 } },
      coercions: [{ path: '$.list[0].max_size', code: 'key_renamed', from: 'max_size', to: 'maxSize' }],
    });
  });

  it('are reported at every path, at most twenty', () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: { properties: { label: {} } } } } };
    const result = validate(schema, { list: Array.from({ length: 50 }, () => ({ lable: 1 })) });
    expect(result).toMatchObject({
      ok: true,
      advisories: [{ path: '$.list[0].lable', expected: 'the key "label"' }, ...Array.from({ length: 19 }, () => ({}))],
    });
  });

  it.each([
    ['zod', zodTool],
    ['JSON Schema', jsonTool],
  ] as const)('are renamed and coerced if the schema has %s, which defines no further keys', (_, schema) => {
    const renamed = { path: '$.start_line', code: 'key_renamed', from: 'start_line', to: 'startLine' };
    expect(validate(schema as SchemaInput, { path: 'a', flags: [], start_line: 3 })).toMatchObject({
      ok: true,
      value: { path: 'a', flags: [], startLine: 3 },
      coercions: [renamed],
    });
    expect(validate(schema as SchemaInput, { path: 'a', flags: [], start_line: '3' })).toMatchObject({
      ok: true,
      value: { path: 'a', flags: [], startLine: 3 },
      coercions: [renamed, { path: '$.startLine', code: 'number_parsed' }],
    });
    // The value does not fit the declared key, so the key stays unknown and is reported.
    const other = { path: 'a', flags: [], start_line: 'the third' };
    expect(validate(schema as SchemaInput, other)).toMatchObject({ ok: true, coercions: [], advisories: [{}] });
  });

  it.each<[string, Record<string, unknown>]>([
    ['additionalProperties', { additionalProperties: true }],
    ['a schema of further keys', { additionalProperties: { type: 'integer' } }],
    ['patternProperties', { patternProperties: { '^x': {} } }],
    ['propertyNames', { propertyNames: { minLength: 1 } }],
    ['unevaluatedProperties', { unevaluatedProperties: {} }],
    ['keys that depend on others', { dependentSchemas: { path: { properties: { start_line: {} } } } }],
    ['keys of a condition', { if: { required: ['path'] }, then: { properties: { start_line: {} } } }],
  ])('stay unchanged if the schema has %s', (_, more) => {
    const schema = {
      type: 'object',
      properties: { path: { type: 'string' }, startLine: { type: 'integer' }, count: { type: 'integer' } },
      ...more,
    };
    expect(validate(schema, { start_line: 3 })).toMatchObject({ ok: true, value: { start_line: 3 }, coercions: [] });
    // Coercing another key does not change it.
    expect(validate(schema, { start_line: 3, count: '4' })).toMatchObject({
      ok: true,
      value: { start_line: 3, count: 4 },
    });
    expect(validate({ ...schema, required: ['startLine'] }, { start_line: 3 })).toMatchObject({
      ok: true,
      value: { startLine: 3 },
    });
  });

  it('stay unchanged if two keys match one, one key matches two, or the declared key is given', () => {
    const schema = { type: 'object', properties: { userId: {}, user_id: {}, maxSize: {} } };
    for (const value of [{ 'user-id': 1 }, { max_size: 1, 'max-size': 2 }, { maxSize: 1, max_size: 2 }]) {
      expect(validate(schema, value)).toMatchObject({ ok: true, value, coercions: [] });
    }
  });

  it('are not renamed inside declared keys by the rules for further keys', () => {
    const schema = { properties: { free: true }, additionalProperties: { properties: { label: {} } } };
    expect(validate(schema, { free: { lable: 1 } })).not.toHaveProperty('advisories');
    expect(validate(schema, { other: { lable: 1 } })).toMatchObject({ advisories: [{ path: '$.other.lable' }] });
  });

  it('are reported as advisories if they nearly match a declared key', () => {
    const advised = validate(jsonTool, { path: 'a', flags: [], startLin: 3 });
    expect(advised).toMatchObject({
      ok: true,
      advisories: [{ path: '$.startLin', code: 'unknown_key', expected: 'the key "startLine"' }],
    });
    expect(validate(jsonTool, { path: 'a', flags: [], colour: 3 })).not.toHaveProperty('advisories');
  });
});

describe('coercion never changes a meaning', () => {
  const of = (part: unknown) => ({ type: 'object', properties: { v: part } });
  const text = { type: 'string' };
  const long = { type: 'string', minLength: 40 };
  const list = (items: unknown, more = {}) => ({ type: 'array', items, ...more });

  it.each<[what: string, part: unknown, given: unknown]>([
    ['JSON text where a longer text or an object is taken', { anyOf: [long, { type: 'object' }] }, '{"a":1}'],
    ['JSON text where a longer text or an object is taken by type', { ...long, type: ['string', 'object'] }, '{"a":1}'],
    [
      'digits where a longer text or a number is taken',
      { anyOf: [{ $ref: '#/$defs/long' }, { type: 'integer' }] },
      '5',
    ],
    ['a word where a longer text or a truth is taken', { oneOf: [{ anyOf: [long] }, { type: 'boolean' }] }, 'true'],
    ['a short text where a longer one or a list is taken', { anyOf: [long, list(text)] }, 'a'],
    [
      'a short text where a longer one or a list is taken by type',
      { ...list(text), ...long, type: ['string', 'array'] },
      'a',
    ],
    ['a list that could be one item or several of a list of lists', list(list({ type: 'integer' })), [1, 2]],
    ['a word for nothing where a list of texts is taken', list(text), 'null'],
    ['another word for nothing', list(text), ' None '],
    ['two constants that differ in case', { anyOf: [{ const: 'Read' }, { const: 'READ' }] }, 'read'],
    ['an object of numbered keys where a list is taken', list(text), { 0: 'a' }],
    ['a truth for a number', { type: 'number' }, true],
    ['a number for a truth', { type: 'boolean' }, 1],
    ['a number that a double would round, inside JSON text', list({ type: 'integer' }), '[9007199254740993]'],
    ['a number in another notation', { type: 'integer' }, '0x10'],
    ['a number with separators', { type: 'integer' }, '1,000'],
  ])('refuses %s', (_, part, given) => {
    const schema = { ...of(part), $defs: { long } };
    const result = validate(schema, { v: given });
    expect({ ok: result.ok, coercions: result.coercions }).toEqual({ ok: false, coercions: [] });
  });

  it('wraps a list as the single item of a list of lists only if no other reading fits', () => {
    const pairs = list(list({ type: 'number' }, { minItems: 2 }));
    expect(validate(of(pairs), { v: [1, 2] })).toMatchObject({
      ok: true,
      value: { v: [[1, 2]] },
      coercions: [{ path: '$.v', code: 'wrapped' }],
    });
    expect(validate(of(pairs), { v: [['1', 2]] })).toMatchObject({ ok: true, value: { v: [[1, 2]] } });
  });

  it('replaces a null with the value of the same key in another spelling', () => {
    const schema = { type: 'object', properties: { maxSize: { type: 'integer' } } };
    expect(validate(schema, { maxSize: null, max_size: 2 })).toMatchObject({ ok: true, value: { maxSize: 2 } });
    const nullable = { type: 'object', properties: { maxSize: { type: ['integer', 'null'] } } };
    expect(validate(nullable, { maxSize: null, max_size: 2 })).toMatchObject({
      ok: true,
      value: { maxSize: null, max_size: 2 },
    });
  });

  it('never accepts NaN and Infinity as numbers, before and after ready()', async () => {
    const compiled = compileSchema(of({ type: 'number' }));
    expect([NaN, Infinity].map((v) => compiled.validate({ v }))).toMatchObject([{ ok: false }, { ok: false }]);
    await compiled.ready();
    expect([NaN, Infinity].map((v) => compiled.validate({ v }))).toMatchObject([{ ok: false }, { ok: false }]);
  });
});
