import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../result/repair-options.ts';
import { repairJson } from './repair-json.ts';

const text = { type: 'string' };
const schema = {
  type: 'object',
  properties: {
    path: text,
    body: text,
    count: { type: 'integer' },
    maybe: { type: ['string', 'null'] },
    filter: {
      type: 'object',
      properties: { safe: { type: 'boolean' }, tags: { type: 'array', items: text } },
      additionalProperties: false,
    },
  },
  required: ['path'],
  additionalProperties: false,
};

const read = (json: string, given: JsonSchema = schema): unknown => {
  const result = repairJson(json, { schema: given });
  return result.ok ? result.value : result;
};

describe('a declared list', () => {
  const list = { type: 'array', items: { type: 'object', properties: { id: text }, required: ['id'] } };

  it.each([
    ['{"id": "a"}\n{"id": "b"}', [{ id: 'a' }, { id: 'b' }]],
    ['1. {"id": "a"}\n2. {"id": "b"}', [{ id: 'a' }, { id: 'b' }]],
    ['{"id": "a"}, {"id": \'b\'}', [{ id: 'a' }, { id: 'b' }]],
  ])('is made of objects that follow each other: %s', (json, value) => {
    expect(read(json, list)).toEqual(value);
  });
});

describe('the text around arguments in a wrapper', () => {
  const declared = { type: 'object', properties: { path: text }, required: ['path'] };

  it.each([
    ['Here: {"arguments": {"path": 1.10}}', 'lossy', true, ['envelope', 'prose-before', 'declared-string']],
    ['{"arguments": {"path": 1.10}', 'truncated', false, ['envelope', 'unclosed', 'declared-string']],
    ['{"arguments": {"path": 1.10}}', 'safe', true, ['envelope', 'declared-string']],
  ])('counts for their risk: %s', (json, risk, complete, codes) => {
    const result = repairJson(json, { schema: declared });
    expect(result).toMatchObject({ value: { path: '1.10' }, risk, complete });
    expect(result.ok && result.repairs.map(({ code }) => code)).toEqual(codes);
  });
});

describe('a schema that disambiguates the text', () => {
  it.each([
    ['{"path": 1.10}', { path: '1.10' }],
    [String.raw`{"path": C:\new\table.txt,}`, { path: String.raw`C:\new\table.txt` }],
    ['{"body": one, two,\n}', { body: 'one, two' }],
    ['{"path": 007, "count": 007}', { path: '007', count: 7 }],
    ['{"path": None, "maybe": None}', { path: 'None', maybe: null }],
    ['{"path": yes, "filter": {"safe": yes}}', { path: 'yes', filter: { safe: true } }],
    ['{"path": "x", "filter": {"safe": No}}', { path: 'x', filter: { safe: false } }],
    ['{"path": true}', { path: true }],
    ['{"path": 5}', { path: 5 }],
    ['{"path": 5,}', { path: 5 }],
    ['{"path": null}', { path: null }],
    ['{"path": "x", "filter": {"tags": [1.0, "b"]}}', { path: 'x', filter: { tags: ['1.0', 'b'] } }],
    [String.raw`{"path": "C:\new\table"}`, { path: String.raw`C:\new\table` }],
    [String.raw`{"path": "C:\new"}`, { path: String.raw`C:\new` }],
    [String.raw`{"body": "A:\nB", "path": "x"}`, { body: 'A:\nB', path: 'x' }],
    [String.raw`{"body": "Q:\nWhat is it?\nA:\nThis", "path": "x"}`, { body: 'Q:\nWhat is it?\nA:\nThis', path: 'x' }],
    ['{"path": "x", "filter": {"safe": true, "count": 3}', { path: 'x', filter: { safe: true }, count: 3 }],
    ['{"path": "x", "filter": {"tags": ["a"], count: 3}', { path: 'x', filter: { tags: ['a'] }, count: 3 }],
    ['{"body": He said: "a", then "b", "path": "x"}', { body: 'He said: "a", then "b"', path: 'x' }],
    ['{"body": [ "$1" = "a" ] && echo "b", "path": "x"}', { body: '[ "$1" = "a" ] && echo "b"', path: 'x' }],
    ['{"path": "x", "body": f(1), g("a", "b")}', { path: 'x', body: 'f(1), g("a", "b")' }],
    ['{"name": "f", "arguments": {"path": "x"}}', { path: 'x' }],
    ['{"name": "f", "arguments": "{\\"path\\": \\"x\\"}"}', { path: 'x' }],
    ['{"function": {"name": "f", "arguments": "{\\"path\\": \\"x\\"}"}}', { path: 'x' }],
    ['{"write_file": {"path": "x"}}', { path: 'x' }],
    ['[{"path": "x"}]', { path: 'x' }],
    ['{"arguments": {"path": 1.10}}', { path: '1.10' }],
    ['"{\\"path\\": \\"x\\"}"', { path: 'x' }],
    ['I ran {"ok": true}. Now {"path": "x", "count": 1} it is', { path: 'x', count: 1 }],
  ])('%s', (json, value) => {
    expect(read(json)).toEqual(value);
  });

  const sizes: JsonSchema = {
    type: 'object',
    properties: { color: text, 'screen ("inch")': text, 'size 24"': text, note: text },
  };

  it.each([
    ['{"color": "red", "screen ("inch")": "24", "note": "x"}', { color: 'red', 'screen ("inch")': '24', note: 'x' }],
    ['{"size 24"": "matt", "color": "red"}', { 'size 24"': 'matt', color: 'red' }],
    ['{"color": "red", "size 24"": "matt"}', { color: 'red', 'size 24"': 'matt' }],
    ['{"color": "red", "size 24"" : "matt"}', { color: 'red', 'size 24"': 'matt' }],
    ['{"color": "red", "screen ("inch")"\n: "24"}', { color: 'red', 'screen ("inch")': '24' }],
  ])('declares a key with quotes in it: %s', (json, value) => {
    expect(repairJson(json, { schema: sizes })).toMatchObject({ value, complete: true });
    expect(repairJson(json)).toMatchObject({ complete: false });
  });

  it.each([
    ['{"note": "use "screen ("inch")": wide", "color": "red"}', 'use "screen ("inch")": wide'],
    ['{"note": "a "b", "screen ("inch")": c", "color": "red"}', 'a "b", "screen ("inch")": c'],
    ['{"note": "the keys "color" and "note"", "color": "red"}', 'the keys "color" and "note"'],
  ])('does not find a key in the quotations of a text: %s', (json, note) => {
    expect(read(json, sizes)).toEqual({ note, color: 'red' });
  });

  it('prefers an envelope around the arguments to a value without declared keys', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const text = 'State: {"n": 1}. Call: {"name": "f", "arguments": {"a": "x"}}';
    expect(repairJson(text, { schema })).toMatchObject({ ok: true, value: { a: 'x' } });
  });

  it('keeps an envelope that the schema requires', () => {
    const own = { type: 'object', properties: { name: text, arguments: { type: 'object' } } };
    expect(read('{"name": "f", "arguments": {"path": "x"}}', own)).toEqual({ name: 'f', arguments: { path: 'x' } });
    expect(read('{"arguments": {"other": 1}}')).toEqual({ arguments: { other: 1 } });
  });

  it('never turns one value into another', () => {
    const json = '{"path":"x","count":"3","filter":"{\\"safe\\":true}","extra":1}';
    expect(repairJson(json, { schema })).toEqual({
      ok: true,
      value: JSON.parse(json),
      risk: 'none',
      complete: true,
      repairs: [],
    });
  });

  it('reports that a path was preferred over line breaks, and a missing closer', () => {
    expect(repairJson(String.raw`{"path": "C:\new\table"}`, { schema })).toMatchObject({ risk: 'lossy' });
    expect(repairJson('{"path": "x", "filter": {"safe": true, "count": 3}', { schema })).toMatchObject({
      risk: 'lossy',
      complete: true,
    });
  });

  it('may use references, alternatives and types, within limits', () => {
    const tree: JsonSchema = {
      $defs: {
        node: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/full' }] },
        full: { allOf: [{ $ref: '#/$defs/named' }] },
        named: { type: 'object', properties: { name: text, next: { $ref: '#/$defs/node' } } },
      },
      $ref: '#/$defs/full',
    };
    expect(read('{"name": 1.0, "next": {"name": 2.0, "next": {"name": 3.0}}}', tree)).toEqual({
      name: '1.0',
      next: { name: '2.0', next: { name: '3.0' } },
    });
    const endless: JsonSchema = { allOf: [{ $ref: '#' }, { $ref: '#' }], anyOf: [{ $ref: '#' }, { $ref: '#' }] };
    expect(read('{"a": 1,}', endless)).toEqual({ a: 1 });
    expect(read('{"a": 1.0}', { properties: { a: { oneOf: [text, { type: 'number' }] } } })).toEqual({ a: 1 });
    expect(read('{"a": 1.0}', { properties: { a: { $ref: '#/nowhere/__proto__' } } })).toEqual({ a: 1 });
  });

  it('finds text in deeply nested lists and objects, and in every item', () => {
    const chain: JsonSchema = { properties: { next: { $ref: '#' }, row: { type: 'array', items: text } } };
    for (const depth of [1, 63, 64, 65, 66, 300]) {
      const json = `${'{"next": '.repeat(depth)}{"row": ["a", "b", 7.0, 1.10]}${'}'.repeat(depth)}`;
      expect(JSON.stringify(read(json, chain)), `${depth} levels`).toContain('["a","b","7.0","1.10"]');
    }
    const tuple: JsonSchema = { prefixItems: [{ type: 'number' }, text], items: text };
    expect(read('[1.0, 2.0, 3.0, "x"]', tuple)).toEqual([1, '2.0', '3.0', 'x']);
    expect(read('{"other": 1.0, "path": 1.0}', { properties: { path: text }, additionalProperties: text })).toEqual({
      other: '1.0',
      path: '1.0',
    });
  });
});
