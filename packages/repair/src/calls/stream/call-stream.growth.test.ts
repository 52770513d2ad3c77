import { describe, expect, it } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { createToolCallStream } from './call-stream.ts';

const prose = 'It was a long way: over the hills, and then some.\n';
const repeat =
  (unit: string) =>
  (length: number): string =>
    unit.repeat(Math.ceil(length / unit.length));
const between =
  (begin: string, unit: string, end: string) =>
  (length: number): string =>
    begin + unit.repeat(Math.ceil(length / unit.length)) + end;
const call = (begin: string, unit: string, end: string): ((length: number) => string) =>
  between(`<tool_call>{"name":"ls","arguments":{"p":${begin}`, unit, `${end}}}</tool_call>`);

// Each makes a naive reader read its content again for every chunk.
const shapes: readonly (readonly [string, (length: number) => string])[] = [
  ['prose', repeat(prose)],
  ['one long text', call('"', 'many words ', '"')],
  ['many members', call('{', '"k":1,', '"l":2}')],
  ['a long list', call('[', '{"id":1,"name":"a"},', '1]')],
  ['deep nesting', call('', '[', '')],
  ['a damaged text', call('"', 'many\nwords ', '"')],
  ['damaged members', call('{', 'k: 1, ', '}')],
  ['white space in a text', call('"', '  ', '"')],
  ['a text in tags', between('<function=ls><parameter=p>', prose, '</parameter></function>')],
  ['many arguments in tags', between('<function=ls>', '<parameter=p>x</parameter>', '</function>')],
  ['closers in a text in tags', between('<function=ls><parameter=p>', '</parameter> x ', '</parameter></function>')],
  ['tags that never close', repeat('<function=ls><parameter=a>x</parameter>y')],
  ['written calls', between('<|tool_call_start|>[', 'ls(p="x"), ', 'ls()]<|tool_call_end|>')],
  [
    'damaged calls in a list after prose',
    between(`${prose.repeat(99)}<tool_call>[`, '{name: "ls"}, ', ']</tool_call>'),
  ],
  ['whole calls', repeat('<tool_call>{"name":"ls","arguments":{"p":"x"}}</tool_call>')],
  ['unfinished calls', repeat('<tool_call>{"a":"')],
  ['calls that begin again in a string', repeat('<tool_call>{"name":"ls","arguments":{"p":"\n')],
  [
    'calls in a value',
    between('<invoke name="ls"><parameter name="p">', '<invoke name="ls">\n<parameter name="p">', ''),
  ],
  ['openers', repeat('<tool_call>')],
  ['a fence of code', between('```\n', 'x = 1\n', '```')],
  ['a fence of data', between('```json\n[', '{"a": 1},', '1]\n```')],
  ['data at the beginning', between('[', '{"a": 1},', '1]')],
  ['thoughts that never end', between('<think>', prose, '')],
  ['calls in thoughts', between('<think>', '<tool_call>{"name":"ls","arguments":{}}</tool_call> ', '</think>')],
  ['calls behind a backtick', between('` ', '<tool_call>{"name":"ls","arguments":{}}</tool_call> ', '')],
  ['backticks', repeat('``a ')],
  ['opening tags of thoughts and documents', repeat('<think>\n<file>\n')],
  ['quotes around the whole', between('"{', 'a ', '"')],
];

describe('the time to read a stream', () => {
  it.each(shapes)('grows no faster than the text: %s', async (_name, make) => {
    const read = (text: string): void => {
      const stream = createToolCallStream({ tools: [{ name: 'ls' }] });
      for (let at = 0; at < text.length; at += 16) stream.push(text.slice(at, at + 16));
      stream.end();
    };
    expect(await growthOf(make, read, 4_000)).toBeLessThan(linearGrowth);
  });

  it('grows no faster than the text if all of it comes in one chunk', async () => {
    const read = (text: string): void => {
      const stream = createToolCallStream({ tools: [{ name: 'ls' }] });
      stream.push(text);
      stream.end();
    };
    const make = repeat('<tool_call>{"name":"ls","arguments":{"p":"\n');
    expect(await growthOf(make, read, 8_000)).toBeLessThan(linearGrowth);
  });
});
