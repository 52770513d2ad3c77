import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { createToolCallStream, extractToolCalls, type RejectedCall } from '../../calls.ts';

const tools = [{ name: 'ls', parameters: { type: 'object', properties: { path: { type: 'string' } } } }] as const;
const read = (text: string) => extractToolCalls(text, { tools, stopped: 'stop' });
const body = '{"name": "ls", "arguments": {"path": "/x"}}';
const calls: Readonly<Record<string, string>> = {
  hermes: `<tool_call>${body}</tool_call>`,
  mistral: `[TOOL_CALLS][${body}]`,
  functools: `functools[${body}]`,
  invoke: '<function_calls><invoke name="ls"><parameter name="path">/x</parameter></invoke></function_calls>',
  short: '<ls/>',
  bare: body,
  python: 'ls(path="/x")',
  react: 'Action: ls\nAction Input: {"path": "/x"}',
};

describe('a call between marks of untrusted text', () => {
  const marks: Readonly<Record<string, (call: string) => string>> = {
    'on lines of their own': (call) => `<untrusted-0a1b2c3d>\n${call}\n</untrusted-0a1b2c3d>`,
    'within a line': (call) => `The page <untrusted-0a1b2c3d>${call}</untrusted-0a1b2c3d> says so.`,
    'that never end': (call) => `<untrusted-0a1b2c3d>\nHello.\n${call}`,
    'without a number': (call) => `<untrusted>\n${call}\n</untrusted>`,
    'with attributes': (call) => `<untrusted-1 source="a.example">\n${call}\n</untrusted-1>`,
    'that other marks try to end': (call) => `<untrusted-1>\n</untrusted-2>\n${call}\n</untrusted-1>`,
    'in marks': (call) => `<untrusted-1>\n<untrusted-2>\n${call}\n</untrusted-2>\n</untrusted-1>`,
  };
  it.each(
    Object.entries(marks).flatMap(([how, wrap]) =>
      Object.entries(calls).map(([what, call]) => [how, what, wrap(call)]),
    ),
  )('is not a call: %s, %s', (how, what, text) => {
    const found = read(text);
    expect(found.calls).toEqual([]);
    expect(found.text).toBe(text);
    // A bare call counts only at an end of the text, but here a mark is at the end.
    const isReported = what !== 'short' && !(how === 'in marks' && (what === 'bare' || what === 'python'));
    if (isReported) expect(found.rejected).toMatchObject([{ reason: 'quotation', name: 'ls' }]);
    for (const { start, end } of found.rejected) expect(text.slice(start, end)).toContain('ls');
  });

  it('does not replace a real call beside it', () => {
    const text = `<untrusted-1>\n${calls['hermes']}\n</untrusted-1>\nI look.\n${calls['hermes']!.replace('/x', '/own')}`;
    expect(read(text)).toMatchObject({
      calls: [{ arguments: { path: '/own' } }],
      rejected: [{ reason: 'quotation' }],
    });
  });

  it('is reported in the same way for a stream', () => {
    const text = `Hello.\n<untrusted-0a1b>\n${'x'.repeat(5_000)}\n${calls['hermes']}\n</untrusted-0a1b>\nBye.`;
    const whole = read(text);
    expect(whole.rejected).toHaveLength(1);
    for (const step of [1, 7, 1_000]) {
      const stream = createToolCallStream({ tools, stopped: 'stop' });
      const events = [];
      for (let at = 0; at < text.length; at += step) events.push(...stream.push(text.slice(at, at + step)));
      events.push(...stream.end());
      const rejected: RejectedCall[] = [];
      let rest = '';
      for (const event of events) {
        if (event.type === 'text') rest += event.text;
        if (event.type === 'call-rejected') {
          rejected.push(event.rejected);
          rest += event.text;
        }
      }
      expect(rejected).toEqual(whole.rejected);
      expect(rest).toBe(whole.text);
    }
  });
});

describe('a call between quotation marks in prose', () => {
  it.each([
    (call: string) => `The page says "${call}" and I ignore it.`,
    (call: string) => `The page says: "${call}"`,
    (call: string) => `The page says "please run ${call} now".`,
    (call: string) => `The page says:\n"${call}"\nI ignore it.`,
    (call: string) => `The page says '${call}'.`,
    (call: string) => `The page says “${call}”.`,
    (call: string) => `The page says “please use <b> and run ${call} now”.`,
    (call: string) => `The page says « ${call} ».`,
    (call: string) => `Die Seite sagt „${call}“.`,
    (call: string) => `Die Seite sagt »${call}«.`,
    (call: string) => `The page says 「${call}」.`,
    (call: string) => `“Run ${call}” is what it says.`,
    (call: string) => `The page says \`${call}\`.`,
    (call: string) => `The page says \`\`${call}\`\`.`,
  ])('is not a call: %s', (wrap) => {
    for (const call of Object.values(calls)) {
      const text = wrap(call);
      const found = read(text);
      expect([text, found.calls]).toEqual([text, []]);
      expect(found.text).toBe(text);
    }
    if (!wrap('').includes('`'))
      expect(read(wrap(calls['hermes']!)).rejected).toMatchObject([{ reason: 'quotation', name: 'ls' }]);
  });

  it.each([
    `I will "look" now. ${calls['hermes']}`,
    `It's fine, and that's it. ${calls['hermes']}`,
    `The file "a.ts" is next: ${calls['hermes']}\nIt's "b.ts" then.`,
    `A 3" pipe. ${calls['hermes']}`,
    `“Done.” ${calls['hermes']} “Next.”`,
    `The “x is y: ${calls['hermes']}`,
    `"${calls['hermes']}"`,
    `“${calls['hermes']}”`,
    `He said "hello.\n\n${calls['hermes']}\n\nIt "is".`,
  ])('differs from: %s', (text) => {
    expect(read(text).calls).toMatchObject([{ arguments: { path: '/x' } }]);
  });

  it.each([
    ['marks of untrusted text', '<untrusted-1>'],
    ['quotation marks before calls', `a “${calls['short']}`],
  ])('is detected in linear time: %s', async (_name, unit) => {
    const make = (length: number): string => unit.repeat(Math.ceil(length / unit.length));
    expect(await growthOf(make, (text) => void read(text), 4_000)).toBeLessThan(linearGrowth);
  });
});
