import { describe, expect, it } from 'vitest';
import corpus from '../../fixtures/misread.json' with { type: 'json' };
import { createToolCallStream, extractToolCalls } from '../../calls.ts';

const { classes, tools } = corpus;
const every = classes.flatMap(({ cases, rule }) => cases.map((one) => ({ ...one, rule })));

describe('texts that are easily misread', () => {
  it.each(every)('are read correctly: $text: $rule', ({ text, right }) => {
    const { calls } = extractToolCalls(text, { tools });
    expect(calls.map(({ name, arguments: value }) => ({ name, arguments: value }))).toEqual(right);
  });

  it('are read the same in any chunks', () => {
    for (const { text } of every) {
      const whole = extractToolCalls(text, { tools });
      for (const step of [1, 3, 16]) {
        const stream = createToolCallStream({ tools });
        const events = [];
        for (let at = 0; at < text.length; at += step) events.push(...stream.push(text.slice(at, at + step)));
        events.push(...stream.end());
        expect({ text, calls: events.flatMap((event) => (event.type === 'call-ended' ? [event.call] : [])) }).toEqual({
          text,
          calls: whole.calls,
        });
        expect(events.flatMap((event) => (event.type === 'call-rejected' ? [event.rejected] : []))).toEqual(
          whole.rejected,
        );
      }
    }
  });

  it('report every declared tool that is named with arguments, and what to send instead', () => {
    for (const { text, right } of every) {
      if (right.length > 0 || /(?:shop\.count|The <clock>|<b>is)/.test(text)) continue;
      const { rejected } = extractToolCalls(text, { tools });
      expect({ text, count: rejected.length }).not.toEqual({ text, count: 0 });
      for (const { hint } of rejected) expect(hint).toMatch(/^[A-Z][^\n]*\.$/);
    }
  });
});

describe('texts in which one detail decides', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } } };
  const own = ['f', 'g', 'think'].map((name) => ({ name, parameters }));
  const call = '<tool_call>{"name":"f","arguments":{"a":"1"}}</tool_call>';

  it.each([
    ['code after a call that seems to be two', '[f(a="1", a="2"), g(a="x")]', []],
    ['reasoning in the tags of a tool that is called think', `<think>Maybe ${call}?</think> No.`, []],
    ['two tools with the same arguments', `${call}<function=g><parameter=a>1</parameter></function>`, ['f', 'g']],
    ['a quotation with more than a call', `"f(a='1') reads a file."`, []],
    ['tildes that mark no code', `~5 minutes.\n${call}\n~3 km`, ['f']],
  ])('are read correctly: %s', (_case, text, names) => {
    const { calls } = extractToolCalls(text, { tools: own, stopped: 'stop' });
    expect(calls.map(({ name }) => name)).toEqual(names);
  });
});

describe('a tool with an empty name', () => {
  it('is ignored and reported', () => {
    const said: string[] = [];
    const options = { tools: [{ name: '' }, ...tools], onWarning: (message: string) => void said.push(message) };
    expect(extractToolCalls('[clock()]', options).calls).toMatchObject([{ name: 'clock' }]);
    expect(said).toEqual([
      'extractToolCalls: options.tools[0].name: the tool is omitted (expected a name, got an empty string)',
    ]);
    expect(createToolCallStream({ tools: [{ name: '' }] }).end()).toEqual([]);
  });
});
