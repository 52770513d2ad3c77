import { afterEach, describe, expect, it } from 'vitest';
import { readWithJsonrepair } from '../../jsonrepair.ts';
import { repairJson } from './repair-json.ts';
import type { RepairOptions } from '../result/repair-options.ts';

function read(text: string, options?: RepairOptions): unknown {
  const result = repairJson(text, options);
  return result.ok ? result.value : result.code;
}

describe('the fallback', () => {
  it('does not nest deeper than the depth limit', () => {
    const text = '{"": ,a {h:；""{"" [';
    const fallback = readWithJsonrepair;
    expect(repairJson(text, { fallback, limits: { depth: 4 } })).toMatchObject({ ok: true, risk: 'lossy' });
    expect(repairJson(text, { fallback, limits: { depth: 3 } }).ok).toBe(false);
  });
});

describe('the list of repairs', () => {
  it('shows at most 60 characters of each', () => {
    const result = repairJson(`{a: x${'\\'.repeat(100)}}`);
    const lengths = result.ok ? result.repairs.flatMap(({ found, assumed }) => [found.length, assumed.length]) : [];
    expect(Math.max(...lengths)).toBe(60);
  });

  it('has at most the requested length, including repairs outside the value', () => {
    const result = repairJson('"":a"""};"};"};"}', { limits: { repairs: 3 } });
    expect(result.ok && result.repairs.length).toBe(3);
  });
});

describe('the stack traces of V8', () => {
  const length = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit') ?? {};
  afterEach(() => Object.defineProperty(Error, 'stackTraceLimit', length));

  it('are as long after a text that is not JSON as before', () => {
    expect(repairJson('{"a": "x "y" z"}')).toMatchObject({ ok: true, risk: 'lossy' });
    expect(Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')).toEqual(length);
  });

  it('may be frozen', () => {
    Object.defineProperty(Error, 'stackTraceLimit', { ...length, writable: false });
    expect(repairJson('{"a": 1}')).toMatchObject({ ok: true, risk: 'none' });
    expect(repairJson('{"a": "x "y" z"}')).toMatchObject({ ok: true, risk: 'lossy' });
  });
});

describe('words after a missing value', () => {
  it.each(['{"a": true, "b": , … x}', '{e:5"":,… ant c', '{"a": 1,\n"b"\n"c": 2 … x}'])(
    'do not continue the value before it without end: %s',
    (text) => {
      const result = repairJson(text);
      expect(result.ok && result.risk === 'safe').toBe(false);
    },
  );
});

describe('valid JSON that looks damaged', () => {
  const long = 'x'.repeat(300);
  it.each([
    '{"":{"/":null},"\\"":"P:\\n"}',
    '{"a":[""],"C:\\b\\"a":null}',
    '{"a":{"b":{"x":1}},"x":"P:\\n"}',
    `{"a":[{"b":1,"c":"${long}"}],"d":{"e":1,"e":2,"b":1}}`,
    `{"a":[{"b":1,"c":"${long}"}],"z":{"a":{\n "b":{"c":1}},\n "d":1},"y":{"b":1}}`,
  ])('is parsed like JSON.parse: %s', (text) => {
    expect(repairJson(text)).toEqual({ ok: true, value: JSON.parse(text), risk: 'none', complete: true, repairs: [] });
  });
});

describe('strings with unescaped quotes', () => {
  it.each([
    ['{"cmd":"echo "a" && ls","x":1}', { cmd: 'echo "a" && ls', x: 1 }],
    ['{"html":"<a href="x" class="y">z</a>","n":2}', { html: '<a href="x" class="y">z</a>', n: 2 }],
    [
      '{"code":"print("hi", "there")\nreturn {"k": "v"}","path":"a.py"}',
      { code: 'print("hi", "there")\nreturn {"k": "v"}', path: 'a.py' },
    ],
    ['{"body":"{"id":48,"tags":["a"],"t":"x"}","retries":0}', { body: '{"id":48,"tags":["a"],"t":"x"}', retries: 0 }],
    ['{"q":"He replied "fine", and left","n":5}', { q: 'He replied "fine", and left', n: 5 }],
    ['{"a":"x = "1"; // done","b":"say "hi""}', { a: 'x = "1"; // done', b: 'say "hi"' }],
    ['["say "hi" to", "b"]', ['say "hi" to', 'b']],
    ["{'a': 'it's fine', 'b': 1}", { a: "it's fine", b: 1 }],
  ])('are repaired: %s', (text, value) => {
    expect(read(text)).toEqual(value);
    expect(repairJson(text)).toMatchObject({ risk: 'lossy', complete: true });
  });

  it('stay unchanged if they are valid, even if they look like structure', () => {
    expect(read('{"open":"{","close":"}","next":"\\"",}')).toEqual({ open: '{', close: '}', next: '"' });
    expect(read('{"a":"],","b":"\\",\\"c\\":1",}')).toEqual({ a: '],', b: '","c":1' });
  });
});

describe('missing or unusual quotes', () => {
  it.each([
    ['{"a": "hello, "b": 1}', { a: 'hello', b: 1 }],
    ['{"a": "hello\n "b": "x", "c": 2}', { a: 'hello', b: 'x', c: 2 }],
    [
      '[[1, "snow], [2, 5, "rain"], [3, "hail"]]',
      [
        [1, 'snow'],
        [2, 5, 'rain'],
        [3, 'hail'],
      ],
    ],
    ['{"rows": [[1, "snow [a], [b"],], "n": 2}', { rows: [[1, 'snow [a], [b']], n: 2 }],
    ['{"items": [{"status": "don}], "merge": true}}', { items: [{ status: 'don' }], merge: true }],
    ['{"a": hello", "b": 1}', { a: 'hello', b: 1 }],
    ['{a": 1, "b": 2}', { a: 1, b: 2 }],
    ['{"a: 1, "b": 2}', { a: 1, b: 2 }],
    ['{"path": src/main.ts, "all": true}', { path: 'src/main.ts', all: true }],
    ['{"url": https://x.dev/a?b=c,d, "n": 1}', { url: 'https://x.dev/a?b=c,d', n: 1 }],
    ['{""a"": ""b"", ""c"": 1}', { a: 'b', c: 1 }],
    ['{"a": """two\nlines""", "b": \'\'\'x\'\'\'}', { a: 'two\nlines', b: 'x' }],
    ['{"a": `x\ny`}', { a: 'x\ny' }],
    ['{“a”: “say "hi"”}', { a: 'say "hi"' }],
    ['{"a": \\"b\\", "c": 1}', { a: 'b', c: 1 }],
    ['{u\'a\': u\'b\', "r": r"\\d+"}', { a: 'b', r: '\\d+' }],
    ['{"a": "x" + "y" + \'z\', "b": 1}', { a: 'xyz', b: 1 }],
    ['｛＂a＂：＂b＂，＂c＂：１｝', { a: 'b', c: 1 }],
    ['{"a": "x"، "b": ["y"؛ "z"], "c": ""}', { a: 'x', b: ['y', 'z'], c: '' }],
    ['｛＂a＂：＂b＂，＂c＂：1｝', { a: 'b', c: 1 }],
  ])('are repaired: %s', (text, value) => {
    expect(read(text)).toEqual(value);
  });
});

describe('strings without a clear end', () => {
  it.each([
    ['{"f": function() { return g(1, 2); }, "b": 2}', { f: 'function() { return g(1, 2); }', b: 2 }],
    ['{"f": (x) => x + 1, "b": 2}', { f: '(x) => x + 1', b: 2 }],
    ['{"f": (?:a|b)\\s", "b": 2}', { f: '(?:a|b)\\s', b: 2 }],
    ['{"a": ["\\u001b[31merror\n], "b": "y", "c": 2}', { a: ['\u001b[31merror'], b: 'y', c: 2 }],
    ['{"b": main "c": 2}', { b: 'main', c: 2 }],
    ['{"a": [1, bb": 1, "c": 2}', { a: [1], bb: 1, c: 2 }],
    ['{a: ["x"\n, b: true, c: 2}', { a: ['x'], b: true, c: 2 }],
    ['{"b": main"c": {"d": 2}}', { b: 'main', c: { d: 2 } }],
    ['{"b": +3"c": 2}', { b: 3, c: 2 }],
    ['{s:"x,l:["y","z"],c:2}', { s: 'x', l: ['y', 'z'], c: 2 }],
    ['{s: "x", l: [\n  "y\n], c: "z", d: 2}', { s: 'x', l: ['y'], c: 'z', d: 2 }],
    [String.raw`{\n  "a": "x,\n  "b": {"c": "y\n},\n  "d": 2}`, { a: 'x', b: { c: 'y' }, d: 2 }],
    ['"s" "x"; "r": "y"', { s: 'x', r: 'y' }],
    ['s": "x", "r": 1.5,', { s: 'x', r: 1.5 }],
    ['"s: "x", "r": [1]', { s: 'x', r: [1] }],
    ['{"d": 2024/01/02, "n": 1/* one */, "m": 2// two\n}', { d: '2024/01/02', n: 1, m: 2 }],
    ['{"a": smile :(, "b": 2}', { a: 'smile :(', b: 2 }],
    ['{"a": [date(2024, 1), x]}', { a: ['date(2024, 1)', 'x'] }],
  ])('are repaired: %s', (text, value) => {
    expect(read(text)).toEqual(value);
  });
});

describe('encoded documents', () => {
  it.each([
    String.raw`{# note\n\"a\": 1}`,
    String.raw`'{// "note"\n\"a\": 1}'`,
    String.raw`\"a\": 1`,
    '&quot;a&quot;: 1',
    '{{"a": 1}}',
  ])('are decoded: %s', (text) => {
    expect(read(text)).toEqual({ a: 1 });
  });
});

describe('invalid escapes', () => {
  it.each([
    [String.raw`{"a": "\d+\.\w \(x\)",}`, String.raw`\d+\.\w \(x\)`],
    [String.raw`{"a": "it\'s",}`, "it's"],
    [String.raw`{"a": "\x41\u0042",}`, 'AB'],
    [String.raw`{"a": "C:\Users\new\table"}`, String.raw`C:\Users\new\table`],
    [String.raw`{"a": "\users"}`, String.raw`\users`],
    ['{"a": "tab\there"}', 'tab\there'],
    [String.raw`{"a": "\\server\share\file.txt"}`, String.raw`\\server\share\file.txt`],
    [String.raw`{"a": "type C:\temp\sub.txt"}`, String.raw`type C:\temp\sub.txt`],
    [String.raw`{"a": "C:\temp\"}`, 'C:\\temp\\'],
    [String.raw`{"a": "Output:\n\n    \$ run"}`, 'Output:\n\n    \\$ run'],
  ])('are repaired: %s', (text, value) => {
    expect(read(text)).toEqual({ a: value });
  });
});

describe('unescaped backslashes', () => {
  it('are ambiguous if they probably are escapes', () => {
    expect(repairJson(String.raw`{"a": "\d\n"}`)).toMatchObject({ risk: 'lossy', value: { a: '\\d\n' } });
    expect(repairJson(String.raw`{"a": "\d", "b": "D:\new"}`)).toMatchObject({ risk: 'lossy', value: { b: 'D:\new' } });
    expect(repairJson(String.raw`{"a": "\d", "b": "x\n"}`)).toMatchObject({ risk: 'safe' });
  });

  it('end a folder name before the next key', () => {
    const text = String.raw`{"a": "dir C:\temp\", "b": "C:\Users\me\", "c": 1}`;
    expect(read(text)).toEqual({ a: 'dir C:\\temp\\', b: 'C:\\Users\\me\\', c: 1 });
  });
});

describe('mismatched quotes', () => {
  it.each([`{"a": 'x", "b": 1}`, '{"a": “x", "b": 1}', `{'a": 'x', "b": 1}`])('are repaired: %s', (text) => {
    expect(read(text)).toEqual({ a: 'x', b: 1 });
  });
});

describe('a complete string before other damage', () => {
  it.each([
    ['{"a": "x", "b" [1], "c": 2}', { a: 'x', b: [1], c: 2 }],
    ['{"a":"x","b"3,"c":2}', { a: 'x', b: 3, c: 2 }],
    ['{"a":"x","b""y","c":2}', { a: 'x', b: 'y', c: 2 }],
    ['{"a": "x", "b: ["y"], "c": 2}', { a: 'x', b: ['y'], c: 2 }],
    ['{"a": ["x", "z"], "b:"y","c": 2}', { a: ['x', 'z'], b: 'y', c: 2 }],
    ['{"a": "x", "b: 20}', { a: 'x', b: 20 }],
    ['{"a": ["x"]], "c": 2}', { a: ['x'], c: 2 }],
    ['{"a": ["x"}, "c": 2}', { a: ['x'], c: 2 }],
    ['{"a": {"b": "x"], "c": 2}', { a: { b: 'x' }, c: 2 }],
    ['{"a": [{"b": "x"}}, {"b": "y"}], "c": 2}', { a: [{ b: 'x' }, { b: 'y' }], c: 2 }],
    ['{"a": ["x", ...], "c": 2}', { a: ['x'], c: 2 }],
    ['{"a": ["x", \\"y\\"], "c": 2}', { a: ['x', 'y'], c: 2 }],
    ['{"a": ["x",\n y\n], "c": 2}', { a: ['x', 'y'], c: 2 }],
    ['{"a": ["x", y"], "c": 2}', { a: ['x', 'y'], c: 2 }],
    ['{"a": ["x"\nnull], "c": 2}', { a: ['x', null], c: 2 }],
    ['{"a": ["x", some words], "c": 2}', { a: ['x', 'some words'], c: 2 }],
    ['{"a": ["x", me@x.dev"], "c": 2}', { a: ['x', 'me@x.dev'], c: 2 }],
    ['{"a": ["=SUM(A1),\n "=B1"], "c": 2}', { a: ['=SUM(A1)', '=B1'], c: 2 }],
    ['{"a": ["x", It isn\'t, is it?"], "c": 2}', { a: ['x', "It isn't, is it?"], c: 2 }],
    ['{"a": {"b": "x},, "c": 2}', { a: { b: 'x' }, c: 2 }],
    ['{"a": [# so\n"x"# it is\n, "y"# too\n"z"], "c": 2}', { a: ['x', 'y', 'z'], c: 2 }],
    ['{"a": {"b": 1, **/x": 2}, "c": 2}', { a: { b: 1, '**/x': 2 }, c: 2 }],
    ['{\n  "a": {\n    "b": {\n    }},\n    "x": 1\n  },\n  "c": 2\n}', { a: { b: {}, x: 1 }, c: 2 }],
    ['{\n  "a": [\n    [\n      1\n    ]],\n    [2]\n  ],\n  "c": 2\n}', { a: [[1], [2]], c: 2 }],
    ['{"b": &quot;$1;&quot;, &quot;c&quot;: 2}', { b: '$1;', c: 2 }],
    ['{b "x", c: 2}', { b: 'x', c: 2 }],
    ['{""b"":""=A1"",""c"":2}', { b: '=A1', c: 2 }],
    ['{"b":: "x", "c" : : 2}', { b: 'x', c: 2 }],
    ['{"o": {"a": [1]], "t": 1}, "c": 2}', { o: { a: [1], t: 1 }, c: 2 }],
    ['{"o": {"a": [1]], "t": 1, "c": 2}', { o: { a: [1] }, t: 1, c: 2 }],
    ["{a: 'x', b 2}", { a: 'x', b: 2 }],
    // Another kind of quote ends a key or a string.
    [`{"a": "web', "b": 1}`, { a: 'web', b: 1 }],
    [`{"a": "it's', "b": 1}`, { a: "it's", b: 1 }],
    [`{"a": "don't say 'no', "b": 1}`, { a: "don't say 'no'", b: 1 }],
    [`{"a": ["x', "y"]}`, { a: ['x', 'y'] }],
    ['{"a": "first\\", "b": "x"}', { a: 'first', b: 'x' }],
    ['{"a": "say \\"hi\\", "b": "x"}', { a: 'say "hi"', b: 'x' }],
    ['{"a": \\"x", "b": \\"y"}', { a: 'x', b: 'y' }],
    [`{"a": "x", "b': "y"}`, { a: 'x', b: 'y' }],
    ['{"a": "x", "b\\": "y"}', { a: 'x', b: 'y' }],
    ['{"a": "x", \\"b": "y"}', { a: 'x', b: 'y' }],
    // A quote is doubled.
    ['{"a": "x"", "b": 1}', { a: 'x', b: 1 }],
    ['{"a": "10"", "b": 1}', { a: '10"', b: 1 }],
    [String.raw`{"a": ""say \"hi\"", "b": 1}`, { a: 'say "hi"', b: 1 }],
    // Another sign stands for a bracket or a colon.
    ['{"a": ["b": 1, "c": 2}, "d": 3}', { a: { b: 1, c: 2 }, d: 3 }],
    ['{"a": 1, "b", "x"}', { a: 1, b: 'x' }],
    ['{"a", [1, 2], "b": 3}', { a: [1, 2], b: 3 }],
    ['{"a": [1], "b", "c", "d": 2}', { a: [1], b: 'c', d: 2 }],
    // A bracket is superfluous.
    ['{"a": [{"b": [1]]}, {"b": [2]}], "c": 3}', { a: [{ b: [1] }, { b: [2] }], c: 3 }],
    // Strings without a comma in parentheses.
    ['{"a": ("x " "y"), "b": (\'1\')}', { a: 'x y', b: '1' }],
    ['{"a": 「x」, "b": 『y』}', { a: 'x', b: 'y' }],
  ])('is repaired: %s', (text, value) => {
    expect(repairJson(text)).toMatchObject({ ok: true, value, complete: true });
  });

  it.each([
    ['{"a": "b": 1}, "c": 2}', { a: { b: 1 }, c: 2 }],
    ['{"a": "b" : [1]}}', { a: { b: [1] } }],
    ['{"a":\n  "b": 1\n}, "c": 2}', { a: { b: 1 }, c: 2 }],
    ['{"a": "x", "y"], "c": 2}', { a: ['x', 'y'], c: 2 }],
    ['{"a": ["b": 1}, {"b": 2}], "c": 3}', { a: [{ b: 1 }, { b: 2 }], c: 3 }],
    [
      '{"a": [1, 2], [3, 4]], "c": 5}',
      {
        a: [
          [1, 2],
          [3, 4],
        ],
        c: 5,
      },
    ],
  ])('lacks an opener, as the closers show: %s', (text, value) => {
    const result = repairJson(text);
    expect(result).toMatchObject({ ok: true, value, complete: true });
    expect(result.ok && result.repairs.map(({ code }) => code)).toEqual(['missing-opener']);
  });

  it.each([
    ['another sign for a comma', '{"a": "x": "b": "y", "c": 1}'],
    ['another sign for a comma', '{"a": "x"."b": "y", "c": 1}'],
    ['a member without the brace around it, and no closer for it', '{"a": "b": 1, "c": 2}'],
    ['items without the bracket around them, and no closer for it', '{"a": "x", "y", "c": 2}'],
    ['a pair without quotes', '{"a": 1:"b":"x", "c": 2}'],
    ['two brackets and one closer', '{"a": [["x"], "c": 2}'],
    ['a row without its closer', '{"a": [1, [2], "c": 2}'],
    ['two rows in one', '[{"a": 1, "b": "x"}.{"a": 2, "b": "y"}]'],
  ])('may mean something else, so that it does not count as complete: %s', (_why, text) => {
    expect(repairJson(text, { stopped: 'stop' })).toMatchObject({ ok: true, complete: false });
  });

  it.each([
    ['{"a": ["x, "y"], "c": 2}', { a: ['x', 'y'], c: 2 }],
    ['{"a": ["x, null, 3], "c": 2}', { a: ['x', null, 3], c: 2 }],
    ['{"a": ["x], "c": 2}', { a: ['x'], c: 2 }],
    ['{"a": [{"b": "x}, {"b": "y"}], "c": 2}', { a: [{ b: 'x' }, { b: 'y' }], c: 2 }],
    ['{"a": [{"b": "x}, {b": "y"}], "c": 2}', { a: [{ b: 'x' }, { b: 'y' }], c: 2 }],
    ['{"a": "x", b" "y", "c": 2}', { a: 'x', b: 'y', c: 2 }],
    ['{"a": 0"b": 2}', { a: 0, b: 2 }],
    ['{"a": [1"b", true"c"]}', { a: [1, 'b', true, 'c'] }],
    ['{"a": 10 apples, "b": 1}', { a: '10 apples', b: 1 }],
    ['{"a": C:\\\\x\\\\y", "b": 1}', { a: 'C:\\x\\y', b: 1 }],
  ])('is ambiguous and reported as such: %s', (text, value) => {
    expect(repairJson(text)).toMatchObject({ ok: true, value, complete: true, risk: 'lossy' });
  });

  it.each([
    ['{"a": "say "hi", "b" or "c" to", "d": 1}', 'say "hi", "b" or "c" to'],
    [String.raw`{"a": "awk -F"," '{print $1}'", "d": 1}`, `awk -F"," '{print $1}'`],
    ['{"a": "["x"]], done", "d": 1}', '["x"]], done'],
    ['{"a": "puts "#x: y"\nraise "no"\n", "d": 1}', 'puts "#x: y"\nraise "no"\n'],
    ['{"a": "s.split("").join("");", "d": 1}', 's.split("").join("");'],
    ['{"a": "x=""\ny = f""\n", "d": 1}', 'x=""\ny = f""\n'],
    ['{"a": ""red\\", he said", "d": 1}', '"red", he said'],
    ['{"a": "add \\"x": 1 to \\"y\\": 2", "d": 1}', 'add "x": 1 to "y": 2'],
    ['{"a": 「b」と「c」, "d": 1}', '「b」と「c」'],
    ['{"a": "print("""\nNote:\n  x\n""")", "d": 1}', 'print("""\nNote:\n  x\n""")'],
  ])('keeps its quotes: %s', (text, value) => {
    expect(read(text)).toEqual({ a: value, d: 1 });
  });
});

describe('valid JSON that is read for duplicate keys', () => {
  it('keeps every closer, whatever its layout', () => {
    const text = '{"a": {\n    "b": 0, "b": {}},\n    "c": 1}';
    expect(repairJson(text, { limits: { duplicateKeys: 'report' } })).toMatchObject({
      value: { a: { b: {} }, c: 1 },
      complete: true,
    });
  });
});

describe('damaged structure', () => {
  it.each([
    ['{"a": [1, "b", "c": 2}', { a: [1, 'b'], c: 2 }],
    ['{"a": [1, 2}', { a: [1, 2] }],
    ['{"a": {"x": 1], "c": 2}', { a: { x: 1 }, c: 2 }],
    ['{"a": 1}, "b": 2}', { a: 1, b: 2 }],
    ['{"xs": [{"a": 1], "k": 2}', { xs: [{ a: 1 }], k: 2 }],
    ['{,"a": 1,, "b": 2}', { a: 1, b: 2 }],
    ['{"a" = 1; "b" => 2; c := 3}', { a: 1, b: 2, c: 3 }],
    ['{"a" 1, "b" "x"}', { a: 1, b: 'x' }],
    ['{"a": (1, "x", None)}', { a: [1, 'x', null] }],
    ['{"a": , "b": 1}', { a: null, b: 1 }],
    ['{"a": [1, 2, ...], "b": 1, ...}', { a: [1, 2], b: 1 }],
    ['{\\n  "a": 1,\\n  "b": 2\\n}', { a: 1, b: 2 }],
    ['"a": 1, "b": 2}', { a: 1, b: 2 }],
    ['{"a": 39,430, "b": 1}', { a: 39430, b: 1 }],
    ['{"a": [1 2 3] "b": "x"\n"c": null}', { a: [1, 2, 3], b: 'x', c: null }],
    ['{"a": [1]", "b": 2}', { a: [1], b: 2 }],
  ])('is repaired: %s', (text, value) => {
    expect(read(text)).toEqual(value);
  });
});

describe('unusual numbers and words', () => {
  it.each([
    ['+5', 5],
    ['.5', 0.5],
    ['5.', 5],
    ['-.5', -0.5],
    ['0x1F', 31],
    ['1_000', 1000],
    ['007', 7],
    ['12n', 12],
    ['undefined', null],
    ['-Infinity', null],
    ['TRUE', true],
    ['nil', null],
    ['2024-01-31', '2024-01-31'],
    ['1.2.3', '1.2.3'],
    ['10px', '10px'],
  ])('are repaired: %s', (text, value) => {
    expect(read(`{"a": ${text}, "b": [${text}]}`)).toEqual({ a: value, b: [value] });
  });
});

describe('text around a document', () => {
  it.each([
    ['Use {name} and [1]: {"a": {"b": 1}}. Done.', { a: { b: 1 } }],
    ['<think>maybe {"a": 0}?</think>\n{"a": 1}', { a: 1 }],
    ['maybe {"a": 0}?</think>{"a": 1}', { a: 1 }],
    ['const args = {"a": 1};', { a: 1 }],
    ['callback({"a": 1});', { a: 1 }],
    ['<|im_start|>{"a": 1}<|im_end|>', { a: 1 }],
    ['<arguments>{"a": 1}</arguments>', { a: 1 }],
    ['Here:\n```json\n{"a": "```"}\n```\nThat is it.', { a: '```' }],
    ['```json\n{"a": 1', { a: 1 }],
    ['{} {"a": 1}', { a: 1 }],
    ['{"a": 1}\n{"a": 1}', { a: 1 }],
    ['{\\"a\\": \\"x\\\\ny\\", \\"b\\": 1}', { a: 'x\ny', b: 1 }],
    ['{&quot;a&quot;: &quot;1 &lt; 2&quot;}', { a: '1 < 2' }],
    ['{\\n  \\"a\\": \\"x\\\\ny\\"\\n}', { a: 'x\ny' }],
    ['{ # why\n&quot;a&quot;: &quot;x&quot;}', { a: 'x' }],
    ['{\\"a\\": "x", "b": "\\\\n"}', { a: 'x', b: '\\n' }],
    ['/* all */ "a": "see {\\"b\\": 1}"}', { a: 'see {"b": 1}' }],
    ['\'{"a": "it\\\'s"}\'', { a: "it's" }],
  ])('is removed: %s', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it('includes the quotes of a string that contains the expected object, damaged', () => {
    const result = repairJson(JSON.stringify("{a: 'b',}"), { root: 'object' });
    expect(result).toMatchObject({ ok: true, value: { a: 'b' }, risk: 'safe', complete: true });
    expect(result.ok && result.repairs.map((repair) => repair.code)).toEqual([
      'double-encoded',
      'unquoted-key',
      'single-quotes',
      'trailing-comma',
    ]);
  });

  it('leads to the candidate with the properties that the schema requires', () => {
    const schema = { type: 'object', required: ['path'] };
    expect(read('Like {"a": 1}, but: {"path": "x"}', { schema })).toEqual({ path: 'x' });
  });

  it('is reported with the position and the original text of every repair', () => {
    const text = 'So: {a: "x"}';
    const result = repairJson(text);
    expect(result.ok && result.repairs).toEqual([
      { code: 'prose-before', start: 0, end: 4, found: 'So: ', assumed: '', risk: 'lossy' },
      { code: 'unquoted-key', start: 5, end: 6, found: 'a', assumed: '"a"', risk: 'safe' },
    ]);
  });
});

describe('repairJson rejects', () => {
  it.each([
    'hello world',
    'name: Ada',
    '{"a": 1, b}',
    '{"name":"ping", oops}',
    '-',
    'tru',
    '}',
    '{see below} [1](x)',
    '<b>',
    '{"a": ]: 1}',
  ])('%s, without a value', (text) => {
    expect(repairJson(text)).toMatchObject({ ok: false, code: 'INVALID_JSON' });
  });

  it('a broken object instead of returning an inner one', () => {
    for (const text of ['{"path":"x","opts":{"a":1}, bad}', 'see {"o": {"a": 1} ! } ok', '{"x" {"a":1} y z}']) {
      const result = repairJson(text);
      expect(result.ok && result.value).not.toEqual({ a: 1 });
    }
  });

  it('text with a position and advice for the model, and the position for the developer', () => {
    const result = repairJson('{"a": 1,\n  bad}');
    expect(result).toMatchObject({ ok: false, position: 11 });
    expect(result.ok || result.message).toContain('line 2, column 3');
    expect(result.ok || result.hint).toContain('every key and every string in double quotes');
  });
});

describe('a key with inner quotes', () => {
  it.each(['{"tags": ["a", "b"], "x"*: 1, "z": 2}', '{"tags":["a","b"],"x"y": 1}'])(
    'marks the result as incomplete: %s',
    (text) => {
      expect(repairJson(text)).toMatchObject({ ok: true, complete: false });
    },
  );
});

describe('truncated text', () => {
  it('is never complete, whatever reason the caller gives for its end', () => {
    for (const stopped of ['stop', 'length'] as const) {
      for (const text of [
        '{"p":"/foo/ba',
        '{"a":1,',
        '{"a":',
        '{"a":tru',
        '{"n": 12',
        '{"a',
        '{',
        '[1, [2, {"x": "y',
      ]) {
        expect(repairJson(text, { stopped })).toMatchObject({ ok: true, complete: false, risk: 'truncated' });
      }
    }
  });

  it('is only unclosed if the model stopped by itself after a complete value', () => {
    expect(repairJson('{"a": [1], "b": "x"', { stopped: 'stop' })).toMatchObject({ complete: false, risk: 'lossy' });
    expect(repairJson('{"a": [1], "b": "x"', { stopped: 'length' })).toMatchObject({
      complete: false,
      risk: 'truncated',
    });
    expect(repairJson('{"a": [1], "b": "x"')).toMatchObject({ complete: false, risk: 'truncated' });
  });

  it('does not end at closers inside an unfinished string', () => {
    const code = '{"path": "a.js", "content": "function f(x) {\n  if (x) {\n    return 1;\n  }\n}\n"}';
    for (let end = 1; end < code.length; end += 1) {
      for (const stopped of ['stop', 'length', undefined] as const) {
        const result = repairJson(code.slice(0, end), stopped === undefined ? {} : { stopped });
        expect(result.ok && result.complete, `${stopped}: ${code.slice(0, end)}`).toBe(false);
      }
    }
  });

  it.each(['tool_””call', '00”6e,  1'])('keeps curly quotes in words as text: %s', (text) => {
    expect(repairJson(`["${text}`)).toMatchObject({ value: [text], complete: false, risk: 'truncated' });
  });

  it('adds only a missing quote before all closers, unless the model is known to have been cut', () => {
    expect(repairJson('{"a": {"b": "hello}}', { stopped: 'stop' })).toMatchObject({
      value: { a: { b: 'hello' } },
      complete: false,
      risk: 'lossy',
    });
    expect(repairJson('{"a": {"b": "hello}}')).toMatchObject({
      value: { a: { b: 'hello' } },
      complete: false,
      risk: 'truncated',
    });
    expect(repairJson('{"a": {"b": "hello}}', { stopped: 'length' })).toMatchObject({
      value: { a: { b: 'hello}}' } },
      complete: false,
      risk: 'truncated',
    });
  });

  it('is complete if only its wrapper is missing', () => {
    expect(repairJson('```json\n{"a": 1}')).toMatchObject({ complete: true });
  });
});

describe('valid JSON with extreme nesting', () => {
  it.each([
    ['{"a":', '}'],
    ['[', ']'],
  ])('is returned with the risk none: %s', (opener, closer) => {
    const json = `${opener.repeat(50_000)}1${closer.repeat(50_000)}`;
    for (const options of [{}, { schema: { properties: { a: { $ref: '#' } } } }])
      expect(repairJson(json, options)).toMatchObject({ ok: true, risk: 'none', complete: true });
  });
});
