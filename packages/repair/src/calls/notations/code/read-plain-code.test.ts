import { describe, expect, it } from 'vitest';
import { extractToolCalls } from '../../message/extract-tool-calls.ts';
import type { CallableTool } from '../../contract/envelope.ts';
import { readPlainCode } from './read-plain-code.ts';
import { cutText, followStream } from '../../../fixtures/follow-stream.ts';

const tool: CallableTool = { name: 'f', parameters: { type: 'object', properties: { a: {}, b: {} } } };
const read = (code: string): unknown => {
  const found = readPlainCode(code, 0, tool, {});
  return found && (found.positional.length > 0 ? found.positional : found.root);
};

describe('plain code', () => {
  it('is left to the other reader if it is nested deeply', () => {
    const nested = (depth: number): string => `a=${'['.repeat(depth)}${']'.repeat(depth)})`;
    const limits = { depth: 100_000 };
    expect(readPlainCode(nested(200), 0, tool, { limits })).toBeDefined();
    expect(readPlainCode(nested(50_000), 0, tool, { limits })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['a=1, b="x")', { a: 1, b: 'x' }],
    ['a=[f"x", f"y"], b=None)', { a: ['x', 'y'], b: null }],
    ['a=dict(b=dict(c=1), d=[True]))', { a: { b: { c: 1 }, d: [true] } }],
    ['a=("one "\n  "two"), b=(1, 2))', { a: 'one two', b: [1, 2] }],
    ['a=(), b=(1,),)', { a: [], b: [1] }],
    ['\n  a=1,  # the default\n  b=2  // none\n)', { a: 1, b: 2 }],
    ['a: 1, b: {c: 2, "d": -3.5e2})', { a: 1, b: { c: 2, d: -350 } }],
    ['**{"a": 1}, b=2)', { a: 1, b: 2 }],
    ['a="x" b=3)', { a: 'x', b: 3 }],
    ['a="""say "hi"\ntwice""")', { a: 'say "hi"\ntwice' }],
    [String.raw`a=r"\d+", b='\x41\u0042\n')`, { a: String.raw`\d+`, b: 'AB\n' }],
    ['a=1_000, b=+5)', { a: 1000, b: 5 }],
    ['"x", 2)', ['x', 2]],
    [')', {}],
  ])('is parsed as written: %s', (code, value) => {
    expect(read(code)).toEqual(value);
  });

  it.each([
    'a=1',
    'a=x)',
    'a=g(1))',
    'a=f"{x}")',
    'a="say "hi"")',
    'a=[1 2])',
    'a=["x" "y"])',
    'a=1 c=2)',
    'a=1, a=2)',
    'a=1, , b=2)',
    'a=9007199254740993)',
    String.raw`a="C:\new")`,
    String.raw`a="\d+")`,
    'a=007)',
    'a={1, 2})',
    'a=1, **2)',
    'a={"b": {1: 2}})',
    'a=[1})',
    'a==1)',
  ])('is not recognized: %s', (code) => {
    expect(read(code)).toBe(undefined);
  });

  it('may use any name as a member', () => {
    const value = read('a={"__proto__": 1}, **{"constructor": 2, "__proto__": 3})') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.entries(value)).toEqual([
      ['a', JSON.parse('{"__proto__": 1}')],
      ['constructor', 2],
      ['__proto__', 3],
    ]);
  });

  it('respects the limits', () => {
    expect(readPlainCode('a=[[[1]]])', 0, tool, { limits: { depth: 2 } })).toBe(undefined);
    expect(readPlainCode('a=1)', 0, tool, { limits: { duplicateKeys: 'refuse' } })).toBe(undefined);
    expect(readPlainCode("a=['x', 'y'])", 0, tool, { limits: { repairs: 1 } })?.repairs).toHaveLength(1);
  });

  it('reports the text that was not JSON, and an inserted comma', () => {
    const found = readPlainCode("a='x' b=True)", 0, tool, {});
    expect(found?.risk).toBe('lossy');
    expect(found?.repairs.map(({ code, found: text, risk }) => [code, text, risk])).toEqual([
      ['single-quotes', "'x'", 'safe'],
      ['missing-comma', '', 'lossy'],
      ['other-word', 'True', 'safe'],
    ]);
  });
});

const tools: readonly CallableTool[] = [
  {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
  { name: 'ping' },
];
const oslo = ['get_weather', { city: 'Oslo', days: 2 }];

describe('calls written as code', () => {
  const calls = (text: string): readonly unknown[] =>
    extractToolCalls(text, { tools }).calls.map(({ name, arguments: values }) => [name, values]);

  it.each<[string, readonly unknown[]]>([
    ['I will look.\n[\n    get_weather(city="Oslo", days=2)\n]', [oslo]],
    ['I will look.\nresult: dict = get_weather(city="Oslo", days=2)', [oslo]],
    ['I will look.\nprint(get_weather(city="Oslo", days=2))', [oslo]],
    ['print(get_weather(city="Oslo", days=2))[/INST]', [oslo]],
    ['[/INST] [get_weather(city="Oslo", days=2)]', [oslo]],
    ['get_weather(city="Oslo", days=2)\n<|im_end|>\n<|im_start|>user', [oslo]],
    ['1. `get_weather(city="Oslo", days=2)`\n2. `ping()`', [oslo, ['ping', {}]]],
    ['**`get_weather(city="Oslo", days=2)`**', [oslo]],
    ['``get_weather(city="Oslo", days=2)``', [oslo]],
    ['- **get_weather(city="Oslo" days=2)**\n- **ping()**', [oslo, ['ping', {}]]],
    ['I will look.\n- **get_weather(city="Oslo", days=2)**\n- **ping()**', [oslo, ['ping', {}]]],
    ['I will look.\n<get_weather city="Oslo" days="2"/>', [oslo]],
    ["<get_weather city='Oslo' days='2'></get_weather>\nThat is it.", [oslo]],
    [
      '<tool name="get_weather">\n<parameter name="city">Oslo</parameter>\n<parameter name="days">2</parameter>\n</tool>',
      [oslo],
    ],
    [
      '<tool_call name="get_weather">\n<parameter name="city">Oslo</parameter>\n<parameter name="days">2</parameter>\n</tool_call>',
      [oslo],
    ],
    ['tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\n</tool_call>', [oslo]],
  ])('are found: %s', (text, expected) => {
    expect(calls(text)).toEqual(expected);
    for (const size of [1, 3, 7]) {
      const { calls: streamed, problems } = followStream(cutText(text, [size]), { tools });
      expect(problems).toEqual([]);
      expect(streamed.map(({ name, arguments: values }) => [name, values])).toEqual(expected);
    }
  });

  it.each([
    'Write **get_weather(city="Oslo")** to ask.',
    '- `get_weather(city="Oslo")`: asks.\n- `ping()`: answers.',
    '`get_weather(city="Oslo")` is what you need.',
    '`[get_weather(city="Oslo")]`\nis what you need.',
    'for day in days:\n    result = get_weather(city="Oslo")\n    print(result)',
    'result = get_weather(city="Oslo")\nTypeError: no city',
    'get_weather(city: string, days?: integer)',
    '<get_weather lang="en"/>',
    '<get_weather city="Oslo" lang="en"/>',
  ])('are not found in other markup: %s', (text) => {
    expect(calls(text)).toEqual([]);
  });
});
