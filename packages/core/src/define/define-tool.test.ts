import { describe, expect, expectTypeOf, it } from 'vitest';
import * as v from 'valibot';
import { z } from 'zod';
import { defineTool, eraseTool, kindOf } from './define-tool.ts';
import { describeTool } from '../testing/tool-laws.ts';

describe('defineTool', () => {
  it('types the body by a zod schema or a JSON Schema', () => {
    const typed = defineTool({
      name: 'add',
      description: 'Adds two numbers.',
      input: z.object({ a: z.number(), b: z.number().optional() }),
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ a: number; b?: number | undefined }>();
        return String(args.a + (args.b ?? 0));
      },
    });
    expect(eraseTool(typed)).toBe(typed);
    expect(typed.input.jsonSchema).toMatchObject({ type: 'object', required: ['a'] });
  });

  it('applies the most restrictive traits to a tool without declared traits', () => {
    const silent = defineTool({ name: 't', description: 'd', input: { type: 'object' }, execute: () => undefined });
    expect(silent).toMatchObject({
      kind: 'other',
      parallelizable: false,
      timeoutMs: 120_000,
      traits: {
        readOnly: false,
        destructive: undefined,
        idempotent: false,
        openWorld: undefined,
        pure: false,
        sideEffects: 'external',
      },
    });
    expect(kindOf({})).toBe('other');
  });

  it('derives traits from the kind and the kind from traits', () => {
    const base = { name: 't', description: 'd', input: { type: 'object' }, execute: () => undefined } as const;
    expect(defineTool({ ...base, kind: 'read' })).toMatchObject({
      parallelizable: true,
      traits: { readOnly: true, destructive: false, idempotent: true },
    });
    expect(defineTool({ ...base, traits: { sideEffects: 'read' } })).toMatchObject({
      kind: 'read',
      traits: { readOnly: true },
    });
    expect(defineTool({ ...base, kind: 'edit' }).traits).toMatchObject({ readOnly: false, sideEffects: 'write' });
  });

  it('accepts no arguments if no input is defined', async () => {
    const tool = defineTool({ name: 'now', description: 'd', kind: 'read', execute: () => 'noon' });
    expect(tool.input.jsonSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
    expect(await tool.input.validate({})).toMatchObject({ ok: true });
    // Models send invented keys to tools without arguments. They are treated like undeclared keys of other tools.
    expect(await tool.input.validate({ zone: 'x' })).toMatchObject({ ok: true, value: {} });
    for (const [undeclaredKeys, expected] of [
      ['strip', { ok: true, value: {} }],
      ['keep', { ok: true, value: { zone: 'x' } }],
      ['refuse', { ok: false }],
    ] as const) {
      const other = defineTool({ name: 'now', description: 'd', kind: 'read', undeclaredKeys, execute: () => 'noon' });
      expect(other.input.jsonSchema).toEqual(tool.input.jsonSchema);
      expect(await other.input.validate({ zone: 'x' })).toMatchObject(expected);
    }
    expect(() =>
      defineTool({ name: 'now', description: 'd', input: undefined as never, execute: () => 'noon' }),
    ).toThrow(/omit it/);
  });

  it('says how to write a tool that is given as a function and options', () => {
    const written = defineTool as (...given: unknown[]) => unknown;
    expect(() => written(() => 'noon', { name: 'now' })).toThrow('(got a function; pass it as execute)');
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['now', '"now"'],
    [[], 'a list'],
  ])('rejects %j with a code and says what to pass', (given, shown) => {
    expect(() => defineTool(given as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_TOOL',
        message: `defineTool takes one object with name, description, input and execute (got ${shown})`,
      }),
    );
  });

  it('rejects names that vendors reject, empty descriptions and invalid schemas', () => {
    const base = { description: 'd', input: { type: 'object' }, execute: () => undefined } as const;
    for (const name of ['', 'Read', '1st', 'a-b', 'a b', 'x'.repeat(65), 'ü']) {
      expect(() => defineTool({ ...base, name }), name).toThrow(expect.objectContaining({ code: 'INVALID_TOOL' }));
    }
    expect(defineTool({ ...base, name: 'get-sum', naming: 'wire' }).name).toBe('get-sum');
    expect(() => defineTool({ ...base, name: 'a', description: ' ' })).toThrow(/description/);
    expect(() => defineTool({ ...base, name: 'a', input: 5 as never })).toThrow(/input schema of the tool a/);
  });

  it('rejects definitions that would silently create an unintended tool', () => {
    const base = { name: 't', description: 'd', input: { type: 'object' }, execute: () => undefined } as const;
    const message = (more: object): string => {
      try {
        defineTool({ ...base, ...more });
        return 'nothing was thrown';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message({ input: { city: z.string() } })).toMatch(/z\.object/);
    expect(message({ input: z.string() })).toMatch(/expected the type object, got string/);
    expect(message({ input: { city: { type: 'string' } } })).toMatch(
      /only properties: wrap them, as in \{ type: 'object'/,
    );
    expect(message({ input: { city: 'string', days: 'integer' } })).toMatch(/names of types instead of schemas: write/);
    const closed = { type: 'object', properties: { a: {} }, additionalProperties: false };
    expect(message({ input: { ...closed, required: ['b'] } })).toMatch(
      /required contains "b", but properties lacks it/,
    );
    expect(message({ input: { ...closed, required: ['a'] } })).toBe('nothing was thrown');
    expect(message({ input: { ...closed, required: ['b'], additionalProperties: {} } })).toBe('nothing was thrown');
    expect(message({ input: { additionalProperties: { type: 'string' } } })).toBe('nothing was thrown');
    expect(message({ name: 'getWeatherNow' })).toMatch(/such as "get_weather_now"/);
    expect(message({ name: '7-eleven!' })).toMatch(/such as "eleven"/);
    expect(message({ name: '' })).toMatch(/such as "read_file"/);
    expect(message({ kind: 'reading' })).toMatch(
      /kind is not valid \(expected "read", "edit", "delete", "move" or "other", got "reading"\)/,
    );
    expect(message({ kindd: 'read' })).toMatch(/did you mean kind/);
    expect(message({ timeoutMs: '5s' })).toMatch(/timeoutMs/);
    expect(message({ renderTitle: () => 't' })).toMatch(/use initialTitle/);
    expect(message({ availabilityTtlMs: -1 })).toMatch(/availabilityTtlMs/);
    expect(message({ description: () => '' })).toMatch(/needs a description/);
    expect(message({ description: () => Promise.resolve('d') })).toMatch(/needs a description/);
    expect(message({ description: ({ model }: { model: { name: string } }) => model.name })).toMatch(/throws without/);
    expect(message({ timeoutMs: Number.NaN })).toMatch(/timeoutMs/);
    expect(message({ input: z.object({ path: z.string() }), aliases: { file: ['f'] } })).toMatch(/file/);
    expect(message({ input: z.object({ path: z.string() }), aliases: { 'edits[].old': ['o'] } })).toMatch(/edits/);
  });

  describe('refuses a schema that can never work and says what to write', () => {
    const Level = { Low: 0, High: 'high' } as const;
    const reason = (input: unknown): string => {
      try {
        defineTool({ name: 't', description: 'd', input: input as never, execute: () => 'x' });
        return 'accepted';
      } catch (error) {
        expect(error).toMatchObject({ name: 'HaftError', code: 'INVALID_TOOL' });
        return (error as Error).message.replace("the input schema of the tool t can't be used: ", '');
      }
    };

    it.each([
      [z.object({ when: z.date() }), '$.when accepts only a Date, which JSON lacks: take a string, such as z.iso.dat'],
      [z.object({ when: z.date().optional() }), '$.when accepts only a Date'],
      [z.object({ days: z.array(z.object({ at: z.nullable(z.date()) })) }), '$.days[].at accepts only a Date'],
      [z.object({ rates: z.map(z.string(), z.number()) }), '$.rates accepts only a Map, which JSON lacks: take an obj'],
      [z.object({ tags: z.set(z.string()) }), '$.tags accepts only a Set, which JSON lacks: take an array'],
      [z.object({ n: z.bigint() }), '$.n accepts only a BigInt, which JSON lacks: take a string of digits'],
      [z.object({ r: z.record(z.string(), z.bigint()) }), '$.r.* accepts only a BigInt'],
      [z.object({ d: z.union([z.date(), z.bigint()]) }), '$.d accepts only a Date'],
      [z.object({ u: z.custom<string>() }), '$.u accepts only values that only its own function can check'],
      [z.object({ u: z.instanceof(URL) }), '$.u accepts only values that only its own function can check'],
      [z.custom(() => true), '$ accepts only values that only its own function can check'],
      [z.any(), 'it offers no JSON Schema, so no model can learn its arguments: use an object schema'],
      [
        v.object({ a: v.string() }),
        'it offers no JSON Schema, so no model can learn its arguments: wrap it in toStand',
      ],
      [v.object({ at: v.optional(v.date()) }), '$.at accepts only a Date'],
    ])('%#: %o', (input, expected) => {
      expect(reason(input)).toContain(expected);
    });

    it('accepts schemas that some JSON value satisfies', () => {
      const tree = z.object({
        name: z.string(),
        get children() {
          return z.array(tree);
        },
      });
      for (const input of [
        z.object({ when: z.coerce.date() }),
        z.object({ when: z.preprocess((text) => new Date(String(text)), z.date()) }),
        z.object({ when: z.codec(z.iso.datetime(), z.date(), { decode: (s) => new Date(s), encode: String }) }),
        z.object({ when: z.union([z.date(), z.iso.datetime()]) }),
        z.object({ url: z.custom<`https://${string}`>().meta({ type: 'string' }) }),
        z.object({ text: z.string().transform((text) => BigInt(text)), any: z.any(), unknown: z.unknown() }),
        z.object({ level: z.enum(Level), map: z.record(z.string(), z.json()) }),
        z.object({}),
        z.looseObject({}),
        z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
        tree,
        {},
        { type: 'object' },
      ])
        expect(reason(input)).toBe('accepted');
    });
  });

  it('suggests the keyword or the property that a JSON Schema misspells, but not in schemas of other programs', () => {
    const city = { city: { type: 'string' } };
    const define = (input: object, naming: 'authored' | 'wire' = 'authored') =>
      defineTool({ name: 't', naming, description: 'd', input: input as never, execute: () => 'x' });
    for (const [input, problem] of [
      [{ type: 'object', propertys: city }, '"propertys" is not a keyword of JSON Schema (did you mean "properties"?)'],
      [
        { type: 'object', properties: { n: { type: 'number', minimun: 1 } } },
        '"minimun" is not a keyword of JSON Schema (did you mean "minimum"?) (at #/properties/n)',
      ],
      [
        { type: 'object', properties: city, required: ['citty'] },
        'required contains "citty", but properties lacks it (did you mean "city"?)',
      ],
    ] as const) {
      expect(() => define(input)).toThrow(
        expect.objectContaining({
          code: 'INVALID_TOOL',
          message: `the input schema of the tool t is not usable: ${problem}`,
        }),
      );
      expect(define(input, 'wire').name).toBe('t');
    }
  });

  it('rejects a trait that is declared outside of traits', () => {
    const input = z.object({});
    const trait = { name: 'look', description: 'Looks.', input, execute: () => 'x', readOnly: true };
    expect(() => defineTool(trait as never)).toThrow('readOnly is a trait: write traits: { readOnly: … }');
    expect(() => defineTool({ ...trait, readOnly: undefined, destructive: false } as never)).toThrow('is a trait');
  });

  it('suggests the equivalent of members from other frameworks', () => {
    const base = { name: 't', description: 'd', execute: () => undefined } as const;
    for (const name of ['parameters', 'inputSchema', 'schema']) {
      expect(() => defineTool({ ...base, [name]: { type: 'object' } })).toThrow(`${name} is not a member; use input`);
    }
    for (const name of ['run', 'handler', 'invoke']) {
      const { execute, ...rest } = base;
      expect(() => defineTool({ ...rest, [name]: execute } as never)).toThrow(`${name} is not a member; use execute`);
    }
    expect(() => defineTool({ ...base, annotations: { readOnlyHint: true } } as never)).toThrow('use traits');
    expect(() => defineTool({ ...base, needsApproval: true } as never)).toThrow(
      'needsApproval is a trait: write traits: { needsApproval: … }',
    );
    expect(() => defineTool({ description: 'd', execute: () => 'x' } as never)).toThrow(
      'name: a tool needs one (expected a name such as "read_file", got undefined)',
    );
    const own = { ...base, input: { type: 'object' }, schema: 'its own affair' } as const;
    expect(defineTool(own).name).toBe('t');
  });

  it.each<[unknown, string]>([
    [{ readonly: true }, 'the tool t: traits.readonly is not an option (did you mean readOnly?)'],
    [{ readOnly: 'no' }, 'traits.readOnly is not valid (expected true or false, got "no")'],
    [{ destructive: 0 }, 'traits.destructive is not valid (expected true or false, got 0)'],
    [{ idempotent: null }, "traits.idempotent is not valid (expected true, false or 'by-key', got null)"],
    [
      { sideEffects: 'some' },
      'traits.sideEffects is not valid (expected "none", "read", "write" or "external", got "some")',
    ],
    [{ requires: 'network' }, 'traits.requires is not valid (expected an array of strings'],
    [{ zzzzzzzzzzz: 1 }, 'traits.zzzzzzzzzzz is not an option (expected one of readOnly, destructive'],
    [['readOnly'], 'traits is not valid (expected an object'],
    [true, 'traits is not valid (expected an object'],
  ])('rejects misspelled or invalid traits (%j)', (traits, reason) => {
    const make = () => defineTool({ name: 't', description: 'd', traits: traits as never, execute: () => 'x' });
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_TOOL' }));
    expect(make).toThrow(reason);
  });

  it('accepts complete and omitted traits', () => {
    const traits = { readOnly: true, destructive: undefined, sideEffects: 'read', requires: ['network'] } as const;
    expect(defineTool({ name: 't', description: 'd', traits, execute: () => 'x' }).traits).toMatchObject({
      readOnly: true,
      requires: ['network'],
    });
  });

  it('keeps `this` bound to the definition in its methods', async () => {
    const definition = {
      name: 'counting',
      description: 'Counts.',
      input: { type: 'object' } as const,
      count: 0,
      available(): true {
        this.count += 1;
        return true;
      },
      execute(): string {
        return String(this.count);
      },
    };
    const tool = defineTool(definition);
    await tool.available?.();
    expect(definition.count).toBe(1);
  });
});

describe('describeTool', () => {
  describeTool(
    { describe, it, expect },
    {
      create: () =>
        defineTool({
          name: 'shout',
          description: 'Says it louder.',
          kind: 'read',
          input: z.strictObject({ text: z.string() }),
          execute: ({ text }) => text.toUpperCase(),
        }),
      valid: [{ text: 'a' }, '{"text":"b"}'],
      invalid: [{}, { text: 'a', volume: {} }, 5, '[1]', '{"text":"cut of'],
    },
  );
});
