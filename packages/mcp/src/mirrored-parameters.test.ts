import { describe, expect, it } from 'vitest';
import { findHeaderMismatch, findMirrored, mirrorArguments } from './mirrored-parameters.ts';

const one = (header: unknown, type: unknown = 'string'): object => ({ type, 'x-mcp-header': header });

describe('mirrored parameters', () => {
  it('are found in properties at any depth', () => {
    const schema = {
      type: 'object',
      default: { properties: { a: one('no') } },
      properties: {
        region: one('Region'),
        deep: { type: 'object', properties: { size: one('Size', 'integer') } },
        properties: one('P'),
      },
    };
    expect(findMirrored(schema)).toEqual({
      ok: true,
      parameters: [
        { path: ['region'], header: 'Region' },
        { path: ['deep', 'size'], header: 'Size' },
        { path: ['properties'], header: 'P' },
      ],
    });
  });

  it.each<[string, object]>([
    ['an empty name', { properties: { a: one('') } }],
    ['a name with a blank', { properties: { a: one('a b') } }],
    ['a name with a line break', { properties: { a: one('a\r\nHost: evil') } }],
    ['an invalid name', { properties: { a: one(1) } }],
    ['an object', { properties: { a: one('A', 'object') } }],
    ['a number', { properties: { a: one('A', 'number') } }],
    ['no type', { properties: { a: { 'x-mcp-header': 'A' } } }],
    ['the same name twice', { properties: { a: one('A'), b: one('a') } }],
    ['the root', one('A')],
    ['items', { properties: { a: { type: 'array', items: one('A') } } }],
    ['a branch', { anyOf: [{ properties: { a: one('A') } }] }],
    ['a definition', { $defs: { a: one('A') } }],
  ])('are refused with a schema that has %s', (_what, schema) => {
    expect(findMirrored({ type: 'object', ...schema })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('x-mcp-header'),
    });
  });

  it('are compared with the headers by value, and a mismatch is reported', () => {
    const parameters = [
      { path: ['text'], header: 'Text' },
      { path: ['deep', 'count'], header: 'Count' },
      { path: ['left'], header: 'Left' },
    ];
    const args = { text: 'é', deep: { count: 42 } };
    const find = (headers: Record<string, string>): string | undefined =>
      findHeaderMismatch(parameters, args, new Headers(headers));
    const text = { 'mcp-param-text': '=?base64?w6k=?=' };
    for (const count of ['42', '42.0', '=?base64?NDI=?='])
      expect(find({ ...text, 'mcp-param-count': count })).toBeUndefined();
    expect(find({ 'mcp-param-count': '42' })).toBe(
      'the header Mcp-Param-Text is missing; send the argument text in it as well',
    );
    for (const count of ['43', '42x', '=?base64?NDI=', '=?base64?!!?=', '=?base64?NDI?='])
      expect(find({ ...text, 'mcp-param-count': count })).toBe(
        'the header Mcp-Param-Count does not match the argument deep.count',
      );
  });

  it('become headers for any value, and are skipped when missing', () => {
    const parameters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '__proto__'].map((name) => ({
      path: [name],
      header: name,
    }));
    const args = { a: 'plain text', b: 7, c: false, d: '', e: 'é\r\nHost: x', f: ' x', g: null, h: 1.5 };
    expect(mirrorArguments(parameters, args)).toEqual({
      'Mcp-Param-a': 'plain text',
      'Mcp-Param-b': '7',
      'Mcp-Param-c': 'false',
      'Mcp-Param-d': '=?base64??=',
      'Mcp-Param-e': '=?base64?w6kNCkhvc3Q6IHg=?=',
      'Mcp-Param-f': '=?base64?IHg=?=',
    });
    const same = mirrorArguments([{ path: ['a'], header: 'a' }], { a: '=?base64?eA==?=' });
    expect(same).toEqual({ 'Mcp-Param-a': '=?base64?PT9iYXNlNjQ/ZUE9PT89?=' });
  });
});
