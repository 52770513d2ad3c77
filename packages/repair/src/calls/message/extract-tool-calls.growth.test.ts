import { describe, expect, it } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { extractToolCalls } from './extract-tool-calls.ts';

const repeat =
  (unit: string) =>
  (length: number): string =>
    unit.repeat(Math.ceil(length / unit.length));

// Each makes a naive reader search the rest of the text repeatedly.
const shapes: readonly (readonly [string, (length: number) => string])[] = [
  ['openers', repeat('<tool_call>')],
  ['openers of unfinished calls', repeat('<tool_call>{"a":"')],
  ['closers inside unfinished strings', repeat('<tool_call>{"name":"ls","arguments":{"p":"x</tool_call>')],
  ['whole calls', repeat('<tool_call>{"name":"ls","arguments":{"p":"x"}}</tool_call>')],
  ['unclosed reasoning', repeat('<think>')],
  ['white space', repeat(' ')],
  ['backticks', repeat('``a ')],
  ['fences', repeat('```json\n{')],
  ['calls in one list', (length) => `[${'{name: "ls", arguments: {}}, '.repeat(length / 29)}]`],
  ['data in a row', repeat('{a:1,}')],
  ['unfinished code', repeat('[ls(a=')],
  ['tagged arguments that never close', repeat('<function=ls><parameter=a>x</parameter>y')],
  [
    'YAML lists',
    (length) => `<tool_call>\nname: ls\narguments:\n  x:\n${'    - a: 1\n'.repeat(length / 11)}</tool_call>`,
  ],
  ['tags of one name', repeat('<ls><a>')],
  ['items that do not pair up', (length) => `<ls><a>${'<item>a<item>b</item>'.repeat(length / 21)}</a></ls>`],
  ['YAML that never ends', repeat('<ls>\na: b\n')],
  ['tags in YAML that never ends', repeat('<ls>\n"a": "b"<')],
  ['unclosed calls of unknown names behind openers', repeat('xt(<TOOL_CALL>p')],
  ['lists in one tag that nothing closes', (length) => `<tool_call>${repeat('[/TOOL_CALLS]')(length)}`],
  ['unclosed calls behind openers', repeat('<tool_call>ls(')],
  ['escaped quotes in an option that never ends', (length) => `[TOOL_CALL]{a => {--s "${repeat('\\"')(length)}`],
  ['dots and dashes', repeat('-0..5')],
  ['openers in quotes', (length) => `<function=ls><parameter=p>${repeat('"<parameter=a>')(length)}`],
  ['lists that never end', repeat('[')],
  ['lists with spaces that never end', repeat('[ ')],
];

describe('the time to find calls', () => {
  it.each(shapes)('grows no faster than the text: %s', async (_name, make) => {
    const read = (text: string): void => void extractToolCalls(text, { tools: [{ name: 'ls' }] });
    expect(await growthOf(make, read, 4_000)).toBeLessThan(linearGrowth);
  });

  // The length is near the limit of a guess, so all rounds are needed. This takes twenty seconds.
  it.skipIf(!process.env['HAFT_TEST_LONG'])(
    'grows no faster than the text: braces that other closers follow (twenty seconds: with HAFT_TEST_LONG)',
    async () => {
      const read = (text: string): void => void extractToolCalls(text, { tools: [{ name: 'ls' }] });
      expect(await growthOf(repeat('｝{'), read, 4_000)).toBeLessThan(linearGrowth);
    },
  );

  it('does not grow with the number of tools', async () => {
    const tools = Array.from({ length: 8_000 }, (_, index) => ({ name: `tool_${index}` }));
    const text = 'a <b> <tool_x> {"y": 1} '.repeat(2_000);
    // The length is that of the list of tools.
    const read = (count: string): void => void extractToolCalls(text, { tools: tools.slice(0, count.length) });
    expect(await growthOf((count) => 'x'.repeat(count), read, 1_000)).toBeLessThan(2);
  });
});
