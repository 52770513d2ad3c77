import { describe, expect, it } from 'vitest';
import { argumentsOf, fieldsOf } from './fields-of.ts';

const schema = {
  type: 'object',
  $defs: { level: { enum: ['low', 'high'], description: 'How much.' } },
  properties: {
    name: { type: 'string' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    level: { $ref: '#/$defs/level' },
    kind: { oneOf: [{ const: 1 }, { const: 'two' }] },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' } },
    filter: {
      type: 'object',
      properties: { deep: { type: 'boolean' }, limit: { type: ['integer', 'null'] } },
      required: ['deep'],
    },
    steps: { type: 'array', items: { type: 'object' } },
  },
  required: ['name', 'filter'],
};

describe('fieldsOf', () => {
  it('makes a field for each property, with choices, lists, nested objects, references and nullable types', () => {
    const fields = fieldsOf(schema, { name: 'a', tags: ['x', 'y'] });
    expect(fields.map(({ name, input, isRequired }) => [name, input, isRequired])).toEqual([
      ['name', 'text', true],
      ['note', 'text', false],
      ['level', 'choice', false],
      ['kind', 'choice', false],
      ['tags', 'lines', false],
      ['sizes', 'lines', false],
      ['filter.deep', 'choice', true],
      ['filter.limit', 'number', false],
      ['steps', 'json', false],
    ]);
    expect(fields[2]).toMatchObject({ choices: ['low', 'high'], description: 'How much.' });
    expect(fields[4]!.initial).toBe('x\ny');
  });
});

describe('argumentsOf', () => {
  it('writes typed values at their place, and leaves out what is empty', () => {
    const fields = fieldsOf(schema, {});
    const values = {
      name: '',
      kind: '1',
      tags: '3\nfour\n',
      sizes: '3\n4',
      'filter.deep': 'true',
      'filter.limit': '7',
      steps: '[{"a":1}]',
    };
    expect(argumentsOf(fields, values)).toEqual({
      name: '',
      kind: 1,
      tags: ['3', 'four'],
      sizes: [3, 4],
      filter: { deep: true, limit: 7 },
      steps: [{ a: 1 }],
    });
  });

  it('keeps text that is not valid, so that the schema of the tool judges it', () => {
    const fields = fieldsOf(schema, {});
    expect(argumentsOf(fields, { 'filter.limit': 'many', steps: '[{' })).toMatchObject({
      filter: { limit: 'many' },
      steps: '[{',
    });
  });
});
