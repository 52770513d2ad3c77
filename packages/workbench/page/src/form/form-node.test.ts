import { describe, expect, it } from 'vitest';
import { draftOf, valueOf, type Draft, type DraftGroup } from './draft.ts';
import { formOf, type FormNode } from './form-node.ts';

const schema = {
  type: 'object',
  $defs: { level: { enum: ['low', 'high'], description: 'How much.' } },
  properties: {
    name: { type: 'string' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    level: { $ref: '#/$defs/level' },
    kind: { oneOf: [{ const: 1 }, { const: 'two' }] },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
    filter: {
      type: 'object',
      properties: { deep: { type: 'boolean' }, limit: { type: ['integer', 'null'], minimum: 1, maximum: 9 } },
      required: ['deep'],
    },
    steps: {
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } }, required: ['a'] },
    },
    target: {
      anyOf: [
        {
          type: 'object',
          properties: { kind: { const: 'file' }, path: { type: 'string' } },
          required: ['kind', 'path'],
        },
        { title: 'address', type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
        { type: 'integer' },
        { type: 'null' },
      ],
    },
    anything: {},
  },
  required: ['name', 'filter'],
};

function describeNode(node: FormNode): unknown {
  if (node.kind === 'input') return node.input;
  if (node.kind === 'group')
    return Object.fromEntries(node.fields.map((field) => [field.key, describeNode(field.node)]));
  if (node.kind === 'list') return [describeNode(node.item)];
  return node.options.map(({ label, node: option }) => ({ [label]: describeNode(option) }));
}

function enter(draft: Draft, entries: Readonly<Record<string, Draft>>): Draft {
  return { entries: new Map([...(draft as DraftGroup).entries, ...Object.entries(entries)]) };
}

const form = formOf(schema);

describe('formOf', () => {
  it('makes a form of choices, lists, nested objects, unions, references and nullable types', () => {
    expect(describeNode(form)).toEqual({
      name: 'text',
      note: 'text',
      level: 'choice',
      kind: 'choice',
      tags: 'lines',
      sizes: 'lines',
      filter: { deep: 'choice', limit: 'number' },
      steps: [{ a: 'number', b: 'text' }],
      target: [{ 'kind: file': { kind: 'choice', path: 'text' } }, { address: { url: 'text' } }, { integer: 'number' }],
      anything: 'json',
    });
    expect(form.fields[2]).toMatchObject({ description: 'How much.', node: { choices: ['low', 'high'] } });
    expect(form.fields[5]?.limits).toBe('at most 3 items');
  });

  it('says which numbers are allowed, with and without the limits themselves', () => {
    const limits = (property: object): string | undefined =>
      formOf({ type: 'object', properties: { property } }).fields[0]?.limits;
    expect(limits({ type: 'number', minimum: 1, maximum: 9 })).toBe('1 to 9');
    expect(limits({ type: 'number', exclusiveMinimum: 0, maximum: 30 })).toBe('at most 30, more than 0');
    const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
    expect(limits({ type: 'integer', minimum: least, maximum: most })).toBe('');
    expect(limits({ type: 'integer', minimum: 1, maximum: most })).toBe('at least 1');
    expect(limits({ type: 'string', minLength: 1 })).toBe('at least 1 character');
    expect(limits({ type: 'number', minimum: 1, exclusiveMaximum: 2 })).toBe('at least 1, less than 2');
  });

  it('ends at a schema that contains itself', () => {
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } }, name: { type: 'string' } },
    };
    expect(JSON.stringify(describeNode(formOf(tree)))).toContain('"json"');
  });
});

describe('draftOf and valueOf', () => {
  it('return the value that the draft began with', () => {
    const value = {
      name: 'a',
      kind: 'two',
      tags: ['x', 'y'],
      sizes: [3, 4],
      filter: { deep: false, limit: 7 },
      steps: [{ a: 1 }, { a: 2, b: 'c' }],
      target: { url: 'x' },
    };
    expect(valueOf(form, draftOf(form, value), true)).toEqual(value);
    expect(valueOf(form, draftOf(form, { ...value, target: 5 }), true)).toEqual({ ...value, target: 5 });
  });

  it('begin with the defaults, constants and items of nested shapes', () => {
    const nested = formOf({
      type: 'object',
      properties: {
        kind: { const: 'file' },
        items: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer', default: 1 } } } },
        filter: { type: 'object', properties: { limit: { type: 'integer', default: 20 } } },
      },
      required: ['kind'],
    });
    expect(valueOf(nested, draftOf(nested, { items: [{}] }), true)).toEqual({ kind: 'file', items: [{ count: 1 }] });
    expect(valueOf(nested, draftOf(nested, { filter: {} }), true)).toEqual({ kind: 'file', filter: { limit: 20 } });
  });

  it('omit values that are empty and not required', () => {
    const draft = enter(draftOf(form, {}), { filter: { entries: new Map([['deep', 'true']]) } });
    expect(valueOf(form, draft, true)).toEqual({ name: '', filter: { deep: true } });
  });

  it('keep text that is not valid, so that the schema of the tool judges it', () => {
    const draft = enter(draftOf(form, {}), { sizes: 'many', anything: '[{' });
    expect(valueOf(form, draft, true)).toMatchObject({ sizes: ['many'], anything: '[{' });
  });

  it('treat a property called __proto__ as a property', () => {
    const hostile = formOf(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'));
    const value = valueOf(hostile, draftOf(hostile, JSON.parse('{"__proto__":"x"}')), true);
    expect(JSON.stringify(value)).toBe('{"__proto__":"x"}');
  });
});
