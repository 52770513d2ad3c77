import { describe, expect, test } from 'vitest';
import { readSchema, readTools } from './declarations.ts';
import { sampleTools } from './samples.ts';

describe('readTools', () => {
  test('accepts an empty field, one tool or a list', () => {
    expect(readTools(' \n')).toEqual({ ok: true, value: [] });
    expect(readTools('{"name": "a", "more": 1}')).toEqual({ ok: true, value: [{ name: 'a' }] });
    expect(readTools('[{"name": "a"}, {"name": "b", "parameters": {"type": "object"}}]')).toEqual({
      ok: true,
      value: [{ name: 'a' }, { name: 'b', parameters: { type: 'object' } }],
    });
    expect(readTools(sampleTools)).toMatchObject({ ok: true, value: { length: 4 } });
  });

  test.each([
    ['[{"name": "a"}', 'not JSON'],
    ['[{"name": "a"}, {"title": "b"}]', 'Tool 2 needs a name'],
    ['[null]', 'Tool 1 needs a name'],
    ['"a"', 'Tool 1 needs a name'],
    ['{"name": "a", "parameters": []}', 'The parameters of a'],
  ])('explains what is wrong with %s', (text, problem) => {
    expect(readTools(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});

describe('readSchema', () => {
  test('accepts an empty field or an object', () => {
    expect(readSchema('')).toEqual({ ok: true, value: undefined });
    expect(readSchema('{"type": "object"}')).toEqual({ ok: true, value: { type: 'object' } });
    for (const text of ['[]', 'null', '3', '{']) expect(readSchema(text).ok, text).toBe(false);
  });
});
