import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { JsonValue } from '../result/json-value.ts';
import { repairJson } from '../document/repair-json.ts';
import { createJsonStream, type JsonStreamOptions } from './json-stream.ts';
import type { StringDelta } from './live-machine.ts';

// Property tests are slow on a loaded machine.
vi.setConfig({ testTimeout: 120_000 });

const runs = process.env['HAFT_TEST_LONG'] === undefined ? 300 : 5_000;

const piece = fc.constantFrom(
  '"',
  '\\"',
  '\\n',
  '\\u00e9',
  '\\ud83d\\ude00',
  '😀',
  ', ',
  ' }',
  ']',
  '{',
  'a',
  'word ',
  '\n',
  'C:',
  '1',
  "'",
);
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('').replaceAll(/\\(?!["nu])/g, ''));
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.dictionary(fc.constantFrom('a', 'path', 'body', '__proto__'), tie('value'), { maxKeys: 4 }),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}));
const document = fc
  .tuple(fc.dictionary(fc.constantFrom('a', 'path', 'b'), anyValue, { minKeys: 1 }), fc.constantFrom(0, 2))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const wrapped = fc
  .tuple(fc.constantFrom('', '  ', '```json\n', 'Here you are: ', '<think>{"a": 0}</think>\n', 'x = '), document)
  .map(([before, json]) => before + json);
const damaged = fc
  .tuple(wrapped, fc.nat(), fc.nat(3), fc.constantFrom('', '"', ',', '}', '\\', "'", '//'))
  .map(([json, from, length, put]) => {
    const at = from % (json.length + 1);
    return json.slice(0, at) + put + json.slice(at + length);
  });
const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 });

function chunksOf(whole: string, sizes: readonly number[]): readonly string[] {
  const chunks: string[] = [];
  for (let at = 0, turn = 0; at < whole.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(whole.slice(at, at + size));
    at += size;
  }
  return chunks;
}

/** Returns whether one live value can have grown into another: nothing was removed, and no string is shorter. */
function isGrowth(before: unknown, after: unknown): boolean {
  if (typeof before === 'string') return typeof after === 'string' && after.startsWith(before);
  if (typeof before !== 'object' || before === null) return true;
  if (typeof after !== 'object' || after === null) return false;
  return Object.keys(before).every(
    (key) => Object.hasOwn(after, key) && isGrowth(Reflect.get(before, key), Reflect.get(after, key)),
  );
}

function joinDeltas(deltas: readonly StringDelta[]): Map<string, string> {
  const joined = new Map<string, string>();
  for (const { path, text: added } of deltas) {
    const key = JSON.stringify(path);
    joined.set(key, (joined.get(key) ?? '') + added);
  }
  return joined;
}

function stringsOf(value: JsonValue, path: readonly (string | number)[], into: Map<string, string>): void {
  if (typeof value === 'string' && value !== '') into.set(JSON.stringify(path), value);
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) stringsOf(item, [...path, index], into);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) stringsOf(item as JsonValue, [...path, key], into);
}

describe('createJsonStream', () => {
  it('shows the value received so far', () => {
    const stream = createJsonStream();
    const seen: string[] = [];
    for (const chunk of ['Sure: {"pa', 'th": "a/', 'b.ts", "edits": [{"li', 'ne": 12, "new": "one\\', 'ntwo', '"}]}']) {
      stream.push(chunk);
      seen.push(`${JSON.stringify(stream.value)} at ${stream.path.join('.')}`);
    }
    expect(seen).toEqual([
      '{} at ',
      '{"path":"a/"} at path',
      '{"path":"a/b.ts","edits":[{}]} at edits.0',
      '{"path":"a/b.ts","edits":[{"line":12,"new":"one"}]} at edits.0.new',
      '{"path":"a/b.ts","edits":[{"line":12,"new":"one\\ntwo"}]} at edits.0.new',
      '{"path":"a/b.ts","edits":[{"line":12,"new":"one\\ntwo"}]} at edits.0.new',
    ]);
    expect(stream.end()).toMatchObject({ ok: true, complete: true });
  });

  it('parses a long string without losses, whatever it contains', () => {
    const content = 'let a = "\\n"; // \ud83d\ude00, {b: [1, 2]},\n\tC:\\new\u0007 é 了解] } ,'.repeat(20);
    const whole = JSON.stringify({ first: content, rest: [content, [content]], last: 1 }).replaceAll('é', '\\u00e9');
    for (let size = 1; size <= 40; size += 1) {
      const deltas: StringDelta[] = [];
      const stream = createJsonStream({ onDelta: (delta) => deltas.push(delta) });
      let before: unknown;
      for (const chunk of chunksOf(whole, [size])) {
        stream.push(chunk);
        expect(isGrowth(before, stream.value)).toBe(true);
        before = structuredClone(stream.value);
      }
      expect(stream.value).toEqual(JSON.parse(whole));
      expect([...joinDeltas(deltas).values()]).toEqual([content, content, content]);
    }
  });

  it('returns the same object for every push', () => {
    const stream = createJsonStream();
    stream.push('{"a": {"b": "x');
    const { value } = stream;
    stream.push('y", "c": [1');
    expect(stream.value).toBe(value);
    expect(value).toEqual({ a: { b: 'xy', c: [] } });
  });

  it('has the same result as repairJson for the whole text, for any chunks', () => {
    fc.assert(
      fc.property(damaged, cuts, fc.constantFrom('any', 'object'), (whole, sizes, root) => {
        const options: JsonStreamOptions = { root: root === 'any' ? 'any' : 'object' };
        const stream = createJsonStream(options);
        for (const chunk of chunksOf(whole, sizes)) stream.push(chunk);
        expect(stream.end()).toEqual(repairJson(whole, options));
        expect(stream.end()).toBe(stream.end());
      }),
      { numRuns: runs },
    );
  });

  it('never removes anything from the value of a valid document', () => {
    fc.assert(
      fc.property(wrapped, cuts, (whole, sizes) => {
        const stream = createJsonStream();
        let before: unknown;
        for (const chunk of chunksOf(whole, sizes)) {
          stream.push(chunk);
          const { value } = stream;
          expect(isGrowth(before, value)).toBe(true);
          before = structuredClone(value);
        }
        const result = stream.end();
        expect(isGrowth(before, result.ok ? result.value : undefined)).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it('never shortens a string that it has shown, whatever the damage', () => {
    fc.assert(
      fc.property(damaged, cuts, (whole, sizes) => {
        const deltas: StringDelta[] = [];
        const stream = createJsonStream({ onDelta: (delta) => deltas.push(delta) });
        const grown = new Map<string, string>();
        // The last duplicate of a key counts, so a shorter string may replace a longer one.
        fc.pre(repairJson(whole, { limits: { duplicateKeys: 'refuse' } }).ok);
        for (const chunk of chunksOf(whole, sizes)) {
          stream.push(chunk);
          const now = new Map<string, string>();
          if (stream.value !== undefined) stringsOf(stream.value, [], now);
          for (const [path, shown] of grown) expect(now.get(path) ?? shown).toMatch(startingWith(shown));
          for (const [path, shown] of now) grown.set(path, shown);
        }
      }),
      { numRuns: runs },
    );
  });

  it('holds back a curly quote that may end a string', () => {
    const stream = createJsonStream();
    stream.push('{"paint": "red”');
    expect(stream.value).toEqual({ paint: 'red' });
    stream.push(', "n": 1}');
    expect(stream.end()).toMatchObject({ value: { paint: 'red', n: 1 } });
  });

  it('waits for the rest of a command of LaTeX that may be a tab or a line break', () => {
    const formula = String.raw`\(a \neq 3 \times 4 \text{km}\), and the rest`;
    const whole = `{"formula": "${formula}", "n": 1}`;
    for (const step of [1, 2, 7, whole.length]) {
      const deltas: StringDelta[] = [];
      const stream = createJsonStream({ onDelta: (delta) => deltas.push(delta) });
      for (let at = 0; at < whole.length; at += step) stream.push(whole.slice(at, at + step));
      expect(stream.end()).toMatchObject({ value: { formula, n: 1 }, complete: true });
      expect(deltas.map(({ text }) => text).join('')).toBe(formula);
    }
  });

  it.each([
    ['{"a": {"b": "x", "c"}, "d": 1}', { a: { b: 'x', c: null }, d: 1 }],
    ['{"a": ["x"], "c"}', { a: ['x'], c: null }],
    ['{"a" b=x, "c": 1}', { a: 'b=x', c: 1 }],
  ])('reads %s as the whole text, however it is cut', (whole, value) => {
    const { complete } = repairJson(whole) as { complete: boolean };
    for (const step of [1, 2, 5]) {
      const stream = createJsonStream();
      for (let at = 0; at < whole.length; at += step) stream.push(whole.slice(at, at + step));
      expect(stream.end()).toMatchObject({ value, complete });
    }
  });

  it('shows the same values and deltas for any chunks', () => {
    fc.assert(
      fc.property(damaged, cuts, (whole, sizes) => {
        const read = (chunks: readonly string[]): unknown => {
          const deltas: StringDelta[] = [];
          const stream = createJsonStream({ onDelta: (delta) => deltas.push(delta) });
          for (const chunk of chunks) stream.push(chunk);
          return { value: structuredClone(stream.value), deltas: [...joinDeltas(deltas)] };
        };
        expect(read(chunksOf(whole, sizes))).toEqual(read([whole]));
        expect(read([...Array(whole.length).keys()].map((at) => whole[at] ?? ''))).toEqual(read([whole]));
      }),
      { numRuns: runs },
    );
  });

  it('reports every string of a valid document in deltas', () => {
    fc.assert(
      fc.property(wrapped, cuts, (whole, sizes) => {
        const deltas: StringDelta[] = [];
        const stream = createJsonStream({ onDelta: (delta) => deltas.push(delta) });
        for (const chunk of chunksOf(whole, sizes)) stream.push(chunk);
        const strings = new Map<string, string>();
        const result = stream.end();
        if (result.ok) stringsOf(result.value, [], strings);
        expect(Object.fromEntries(joinDeltas(deltas))).toEqual(Object.fromEntries(strings));
      }),
      { numRuns: runs },
    );
  });

  it.each([' ', ',', '}', ' ]', '\n', ',"'])(
    'reports the last string even if it looks like the end of the document: %j',
    (text) => {
      const deltas: StringDelta[] = [];
      const stream = createJsonStream({ onDelta: (delta) => deltas.push(delta) });
      for (const unit of JSON.stringify({ path: 'a', body: text })) stream.push(unit);
      expect(stream.end()).toBe(stream.end());
      const seen = new Map<string, string>();
      for (const { path, text: more } of deltas) seen.set(path.join(), (seen.get(path.join()) ?? '') + more);
      expect(Object.fromEntries(seen)).toEqual({ path: 'a', body: text });
    },
  );

  it('continues after an empty object, and after one that does not match the schema', () => {
    const stream = createJsonStream({ schema: { type: 'object', properties: { p: {} }, required: ['p'] } });
    stream.push('{} I ran {"ok": true} and now {"p": "x');
    expect(stream.value).toEqual({ p: 'x' });
  });

  it('has no value before the end of a document that is encoded as a whole', () => {
    const stream = createJsonStream();
    for (const chunk of chunksOf('{\\"a\\": \\"x\\\\ny\\"}', [3])) stream.push(chunk);
    expect(stream.value).toBeUndefined();
    expect(stream.end()).toMatchObject({ ok: true, value: { a: 'x\ny' } });
    expect(stream.value).toEqual({ a: 'x\ny' });
  });

  it.each([
    ['{}', {}],
    ['[]', []],
    ['["', []],
    ['It is ["', []],
    ['{"a":', {}],
  ])('shows the value of %s at once', (text, value) => {
    const stream = createJsonStream();
    stream.push(text);
    expect(stream.value).toEqual(value);
  });

  it('takes the reason of its end at its end, or as an option', () => {
    const cut = '{"a": [1, {"b": "x"}';
    const stream = createJsonStream();
    stream.push(cut);
    expect(stream.end('stop')).toEqual(repairJson(cut, { stopped: 'stop' }));
    const other = createJsonStream({ stopped: 'stop' });
    other.push(cut);
    expect(other.end()).toEqual(stream.end());
    expect(repairJson(cut)).not.toEqual(stream.end());
  });

  it('rejects text after its end', () => {
    const stream = createJsonStream();
    stream.end();
    expect(() => stream.push('{')).toThrow(TypeError);
  });
});

function startingWith(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}`);
}
