import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import corpus from '../../fixtures/envelopes.json' with { type: 'json' };
import type { Envelope } from '../contract/envelope.ts';
import { allEnvelopes } from '../envelopes/index.ts';
import { extractToolCalls } from './extract-tool-calls.ts';

const { tools } = corpus;
const hermes = allEnvelopes.find(({ name }) => name === 'hermes') as Envelope;

function callsIn(text: string): unknown {
  return extractToolCalls(text, { tools }).calls.map((call) => ({ name: call.name, arguments: call.arguments }));
}

describe('examples of every envelope', () => {
  it.each(corpus.examples)('$format $n', ({ text, expected }) => {
    const found = extractToolCalls(text, { tools, stopped: 'stop' });
    expect(found.calls.map((call) => ({ name: call.name, arguments: call.arguments }))).toEqual(expected);
    expect(found.calls.every((call) => call.complete)).toBe(true);
    expect(found.rejected).toEqual([]);
  });

  it('need not say why the text ended, except where only that shows that plain text is whole', () => {
    const different = corpus.examples.filter(({ text, expected }) => {
      const { calls } = extractToolCalls(text, { tools });
      return (
        JSON.stringify(calls.map((call) => [call.name, call.arguments])) !==
        JSON.stringify(expected.map((call) => [call.name, call.arguments]))
      );
    });
    expect(different.map((example) => example.text)).toEqual(['Action: find_docs\nAction Input: rust lifetimes']);
  });

  it('hold no call before its arguments end, wherever they are cut', () => {
    for (const { text, expected } of corpus.examples) {
      const meant = new Set(expected.map((call) => JSON.stringify([call.name, call.arguments])));
      for (let end = 1; end < text.length; end += 1) {
        const { calls } = extractToolCalls(text.slice(0, end), { tools });
        const cut = calls.filter((call) => !meant.has(JSON.stringify([call.name, call.arguments])));
        expect({ text: text.slice(0, end), cut }).toEqual({ text: text.slice(0, end), cut: [] });
      }
    }
  });
});

describe('texts that talk about calls, and texts that make them', () => {
  it.each(corpus.probes)('$id: $why', ({ text, expected }) => {
    expect(callsIn(text)).toEqual(expected);
  });
});

describe('one call', () => {
  it('survives bare keys and a missing closing tag, and is complete', () => {
    const text = '<tool_call>{name: "ls", arguments: {path: "."}}';
    expect(extractToolCalls(text, { tools: [{ name: 'ls' }] })).toMatchObject({
      calls: [
        {
          name: 'ls',
          arguments: { path: '.' },
          envelope: 'hermes',
          start: 0,
          end: text.length,
          risk: 'safe',
          complete: true,
        },
      ],
      text: '',
      rejected: [],
    });
  });

  it.each([
    ['arguments as a string', '<tool_call>{"name":"weather_at","arguments":"{\\"city\\":\\"Bonn\\"}"}</tool_call>'],
    ['the alias parameters', '<tool_call>{"name":"weather_at","parameters":{"city":"Bonn"}}</tool_call>'],
    ['a prefixed name', '<tool_call>{"name":"functions.weather_at:3","arguments":{"city":"Bonn"}}</tool_call>'],
    ['a name in another case', '<tool_call>{"name":"weather-At","arguments":{"city":"Bonn"}}</tool_call>'],
    [
      'a fence inside the tag',
      '<tool_call>\n```json\n{"name":"weather_at","arguments":{"city":"Bonn"}}\n```\n</tool_call>',
    ],
    ['a closer too many', '<tool_call>{"name":"weather_at","arguments":{"city":"Bonn"}}}</tool_call>'],
    [
      'the closers around the arguments missing',
      '<tool_call>{"name":"weather_at","arguments":{"city":"Bonn"}</tool_call>',
    ],
    ['single quotes', "<tool_call>{'name': 'weather_at', 'arguments': {'city': 'Bonn'}}</tool_call>"],
    [
      'run-on text after a fence',
      '```json\n{"name":"weather_at","arguments":{"city":"Bonn"}}\n```\nThis looks up Bonn.',
    ],
    ['run-on text after bare JSON', '{"name":"weather_at","arguments":{"city":"Bonn"}}\nThis looks up Bonn.'],
    ['positional values', '[weather_at("Bonn")]'],
    ['a dictionary as the only value', 'weather_at({"city": "Bonn"})'],
    ['a Python dictionary', "{'name': 'weather_at', 'arguments': {'city': 'Bonn'}}"],
    ['code in a Python fence and run-on text', '```python\n[weather_at(city="Bonn")]\n```\nThis looks up Bonn.'],
    [
      'template tokens around it',
      '<|start_header_id|>assistant<|end_header_id|>\n\n[weather_at(city="Bonn")]<|eot_id|>',
    ],
    ['stray tags around it', '</tool_call>\n{"name":"weather_at","arguments":{"city":"Bonn"}}\n</tool_call>'],
    ['a speaker before it', 'Assistant: [weather_at(city="Bonn")]'],
    ['prose before it on its line', 'Sure, here it is: weather_at(city="Bonn")'],
    ['quotes around the whole', '"[weather_at(city=\'Bonn\')]"'],
    ['an encoded string around the whole', '"{\\"name\\":\\"weather_at\\",\\"arguments\\":{\\"city\\":\\"Bonn\\"}}"'],
    ['backticks around the whole', '`weather_at(city="Bonn")`'],
    ['code where the tag promises JSON', '<tool_call>[weather_at(city="Bonn")]</tool_call>'],
    ['a full stop after it', '[weather_at(city="Bonn")].'],
    ['two pairs of brackets', '[[weather_at(city="Bonn")]]'],
    ['a call said twice', '[weather_at(city="Bonn")]\n\n[weather_at(city="Bonn")]'],
    ['a fence that was only closed', '[weather_at(city="Bonn")]\n```'],
    ['emphasis', '**weather_at(city="Bonn")**'],
    ['a dot for an underscore', '[weather.at(city="Bonn")]'],
    ['a variable for its result', 'result = weather_at(city="Bonn")\nprint(result)'],
    ['a constant for its result', 'const result = await weather_at({ city: "Bonn" });'],
    ['a semicolon in a fence', '```javascript\nweather_at({ city: "Bonn" });\n```'],
    ['a comment before it', '# Look it up.\nprint(weather_at(city="Bonn"))'],
    ['quotes around each of a list', `['weather_at(city="Bonn")']`],
    ['its name before its arguments', 'weather_at: {"city": "Bonn"}'],
    ['its name on a line of its own', 'weather_at\n{"city": "Bonn"}'],
    ['an end token', '{"name":"weather_at","arguments":{"city":"Bonn"}}<|im_end|>'],
  ])('is read with %s', (_what, text) => {
    expect(extractToolCalls(text, { tools })).toMatchObject({
      calls: [{ name: 'weather_at', arguments: { city: 'Bonn' }, complete: true }],
      rejected: [],
    });
  });

  it('does not count in a program that does more', () => {
    for (const text of [
      '```python\nresult = weather_at(city="Bonn")\nprint(result)\n```',
      'result = weather_at(city="Bonn")\nprint(other)',
      'city = "Bonn"\nweather_at(city=city)',
      'if weather_at(city="Bonn"): pass',
    ])
      expect(callsIn(text), text).toEqual([]);
  });

  it('has no arguments when they are null or none are written', () => {
    expect(callsIn('<tool_call>{"name":"ping","arguments":null}</tool_call>')).toEqual([
      { name: 'ping', arguments: {} },
    ]);
    expect(callsIn('<tool_call>{"name":"ping"}</tool_call>')).toEqual([{ name: 'ping', arguments: {} }]);
  });

  it('keeps a closing tag that its own strings hold', () => {
    const body = 'a </tool_call> <tool_call>{} b';
    const call = JSON.stringify({ name: 'write_note', arguments: { path: 'x', body } });
    expect(callsIn(`<tool_call>${call}</tool_call>`)).toEqual([{ name: 'write_note', arguments: { path: 'x', body } }]);
  });

  it.each([
    [
      'as many closers as needed',
      '<tool_call>{"name":"todo","arguments":{"items":[{"status":"don}],"merge":true}}</tool_call>',
    ],
    ['one closer too many', '<function=todo>{"items": [{"status": "don}], "merge": true}}</function>'],
  ])('keeps a member outside a list whose last string lost its closing quote: %s', (_what, text) => {
    expect(extractToolCalls(text, { tools: [{ name: 'todo' }] })).toMatchObject({
      calls: [{ arguments: { items: [{ status: 'don' }], merge: true }, complete: true, risk: 'lossy' }],
      rejected: [],
    });
  });

  it('that is damaged does not swallow the one after it', () => {
    const text =
      '<tool_call>{"name":"find_docs","arguments":{"query":"x}}</tool_call>\n<tool_call>{"name":"ping","arguments":{}}</tool_call>';
    expect(callsIn(text)).toEqual([
      { name: 'find_docs', arguments: { query: 'x' } },
      { name: 'ping', arguments: {} },
    ]);
  });
});

describe('calls one after the other', () => {
  const [bonn, rome] = ['weather_at(city="Bonn")', 'weather_at(city="Rome")'];
  it.each([
    ['lists of one', `[${bonn}][${rome}]`],
    ['lists on lines of their own', `[${bonn}]\n[${rome}]`],
    ['a numbered list', `1. ${bonn}\n2. ${rome}`],
    ['a list with dashes', `- ${bonn}\n- ${rome}`],
    ['a list after prose', `I look both up:\n\n1. ${bonn}\n2. ${rome}`],
    ['statements', `a = ${bonn}\nb = ${rome}\nprint(a)\nprint(b)`],
    ['texts in a list', JSON.stringify([bonn, rome])],
    [
      'objects on lines of their own',
      '{"name":"weather_at","arguments":{"city":"Bonn"}}\n{"name":"weather_at","arguments":{"city":"Rome"}}',
    ],
  ])('are all read as %s', (_what, text) => {
    expect(extractToolCalls(text, { tools })).toMatchObject({
      calls: [{ arguments: { city: 'Bonn' } }, { arguments: { city: 'Rome' } }],
      rejected: [],
    });
  });

  it('leave nothing of their list in the text', () => {
    expect(extractToolCalls(`Both:\n- ${bonn}\n- ${rome}`, { tools }).text.trim()).toBe('Both:');
  });
});

describe('the rest of the text', () => {
  it('is kept byte for byte', () => {
    const text = ' Look:\r\n<tool_call>{"name":"ping","arguments":{}}</tool_call>\n\tand <b>so</b> on\u00a0\n';
    expect(extractToolCalls(text, { tools }).text).toBe(' Look:\r\n\n\tand <b>so</b> on\u00a0\n');
  });

  it('keeps fences that hold no call', () => {
    const text =
      'Config:\n```json\n{"name": "x", "version": "1"}\n```\n<tool_call>{"name":"ping","arguments":{}}</tool_call>';
    expect(extractToolCalls(text, { tools }).text).toBe('Config:\n```json\n{"name": "x", "version": "1"}\n```\n');
  });

  it('loses the whole fence of a call', () => {
    expect(extractToolCalls('Now:\n```json\n{"name":"ping","arguments":{}}\n```', { tools }).text).toBe('Now:\n');
  });

  it('is the text minus the spans of the calls, whatever the text', () => {
    const piece = fc.constantFrom(
      '<tool_call>{"name":"ping","arguments":{}}</tool_call>',
      '{"name":"ping","arguments":{}}',
      '[ping()]',
      '```json\n',
      '\n```\n',
      '<think>',
      '</think>',
      'Then. ',
      '\n',
      '> ',
      '`',
      '<tool_call>',
      '</tool_call>',
      '{"name":"write_note","arguments":{"path":"a',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        (text) => {
          const found = extractToolCalls(text, { tools });
          let at = 0;
          let rest = '';
          for (const { start, end } of found.calls) {
            rest += text.slice(at, Math.max(at, start));
            at = Math.max(at, end);
          }
          expect(found.text).toBe(rest + text.slice(at));
          expect(found.calls.every((call) => tools.some((tool) => tool.name === call.name))).toBe(true);
        },
      ),
      { numRuns: process.env['HAFT_TEST_LONG'] === undefined ? 500 : 20_000 },
    );
  });
});

describe('what is no call', () => {
  it.each([
    ['incomplete', '<tool_call>{"name":"write_note","arguments":{"path":"a.md","body":"half', 'write_note'],
    ['incomplete', '<tool_call>{"name":"find_docs","arguments":{"query":"a","limit":1', 'find_docs'],
    ['incomplete', '<tool_call>{"name":"find_docs","arguments":{"query":"a"', 'find_docs'],
    ['incomplete', '<tool_call>{"name":"find_docs","arguments":"{\\"query\\":\\"a', 'find_docs'],
    ['incomplete', '<tool_call>{"arguments":{"query":"a"},"name":"find_d', undefined],
    ['incomplete', '{"name":"write_note","arguments":{"path":"a.md","body":"half', 'write_note'],
    ['incomplete', '```json\n{"name":"write_note","arguments":{"path":"a.md","body":"half', 'write_note'],
    ['incomplete', '[weather_at(city="Bo', 'weather_at'],
    ['unknown_tool', '<tool_call>{"name":"rm_rf","arguments":{"path":"/"}}</tool_call>', 'rm_rf'],
    ['invalid_json', '<tool_call>{"name":"ping", oops}</tool_call>', undefined],
    ['invalid_arguments', '<tool_call>{"name":"ping","arguments":[1]}</tool_call>', 'ping'],
    ['invalid_arguments', '{"name":"weather_at","arguments":{"town":"Rome"}}', 'weather_at'],
  ])('is reported as %s: %s', (reason, text, name) => {
    const found = extractToolCalls(text, { tools });
    expect(found.calls).toEqual([]);
    expect(found.rejected).toMatchObject([name === undefined ? { reason } : { reason, name }]);
    expect(found.text).toBe(text);
  });

  it('stays incomplete when the model stopped by itself in the middle of something', () => {
    const text = '<tool_call>{"name":"write_note","arguments":{"path":"a.md","body":"half';
    expect(extractToolCalls(text, { tools, stopped: 'stop' }).rejected).toMatchObject([{ reason: 'incomplete' }]);
  });

  it('is a call that is not complete when the model stopped by itself after a finished value', () => {
    const text = '<tool_call>{"name":"find_docs","arguments":{"query":"a"';
    expect(extractToolCalls(text, { tools, stopped: 'stop' }).calls).toMatchObject([
      { complete: false, risk: 'lossy' },
    ]);
  });

  it('does not take its siblings along', () => {
    const text = '<tool_calls>[{"name":"nope","arguments":{}},{"name":"ping","arguments":{}}]</tool_calls>';
    expect(extractToolCalls(text, { tools })).toMatchObject({
      calls: [{ name: 'ping' }],
      rejected: [{ reason: 'unknown_tool', name: 'nope' }],
    });
  });

  it('is every cut of a call, at any character before its arguments close', () => {
    const call =
      '<tool_call>{"name": "write_note", "arguments": {"path": "a.md", "body": "x\\ny", "n": [1, {"k": true}]}';
    for (let end = 1; end < call.length; end += 1) {
      const found = extractToolCalls(call.slice(0, end), { tools });
      expect({ end, calls: found.calls }).toEqual({ end, calls: [] });
    }
    expect(extractToolCalls(call, { tools }).calls).toMatchObject([{ name: 'write_note', complete: true }]);
  });

  it.each([
    'The ping() function needs no arguments.',
    'Call `ping()` to check.',
    'ping() sends a ping.',
    'Use ping()',
    'None of the functions fit.',
    'See [ping()](https://x.dev).',
  ])('can be talked about: %s', (text) => {
    expect(extractToolCalls(text, { tools, stopped: 'stop' })).toEqual({ calls: [], text, rejected: [] });
  });

  it('can be talked about in the middle of a sentence', () => {
    expect(callsIn('You write <tool_call>{"name":"ping","arguments":{}}</tool_call> to reach it.')).toEqual([]);
  });
});

describe('the envelopes', () => {
  it('are only those that were asked for', () => {
    const text = '{"name":"ping","arguments":{}}';
    expect(extractToolCalls(text, { tools, envelopes: [hermes] }).calls).toEqual([]);
    expect(extractToolCalls(`<tool_call>${text}</tool_call>`, { tools, envelopes: [hermes] }).calls).toHaveLength(1);
  });

  it('come to an end where the next opener stands in the place of a value', () => {
    const text = '[TOOL_CALLS][TOOL_CALLS]"i';
    expect(extractToolCalls(text, { tools })).toMatchObject({ calls: [], text });
  });

  it('never call a member of Object.prototype', () => {
    expect(callsIn('<tool_call>{"name":"constructor","arguments":{}}</tool_call>')).toEqual([]);
    expect(callsIn('<tool_call>{"__proto__":{"name":"ping"},"toString":{}}</tool_call>')).toEqual([]);
  });
});

describe('the openers that tools decide', () => {
  it('are written down once for a list of tools, and again when it changes', () => {
    let asked = 0;
    const counted: Envelope = { ...hermes, openers: (list) => list.map(({ name }) => `<${name}!${(asked += 1)}>`) };
    const envelopes = Object.freeze([counted, hermes]);
    const list = [{ name: 'ls' }, { name: 'cat' }];
    const find = (name: string): number =>
      extractToolCalls(`<tool_call>{"name":"${name}","arguments":{}}</tool_call>`, { tools: list, envelopes }).calls
        .length;
    expect([find('ls'), find('cat'), find('rm'), asked]).toEqual([1, 1, 0, 2]);
    list[1] = { name: 'rm' };
    expect([find('rm'), find('cat'), asked]).toEqual([1, 0, 4]);
    list.push({ name: 'cat' });
    expect([find('cat'), asked]).toEqual([1, 7]);
    list[0]!.name = 'dir';
    expect([find('dir'), find('ls'), asked]).toEqual([1, 0, 10]);
  });
});

describe('a call whose arguments were cut in a string with quotes that were not escaped', () => {
  const tools = [{ name: 'write', parameters: { type: 'object', required: ['path', 'content'] } }] as const;
  const content = 'function f(a) {\n  if (a === "x") {\n    return "a";\n  }\n  print("b");\n}\n';

  it.each([
    ['tagged', '<tool_call>{"name": "write", "arguments": {"path": "a.js", "content": "', '"}}</tool_call>'],
    ['bare', '{"name": "write", "arguments": {"path": "a.js", "content": "', '"}}'],
    ['fenced', '```json\n{"name": "write", "arguments": {"path": "a.js", "content": "', '"}}\n```'],
    ['in a list', '[TOOL_CALLS][{"name": "write", "arguments": {"path": "a.js", "content": "', '"}}]'],
    ['with the name before', '<function=write>{"path": "a.js", "content": "', '"}</function>'],
    ['like code', '[write(path="a.js", content="', '")]'],
  ])('is never complete, wherever it was cut: %s', (_, before, after) => {
    for (let end = 0; end <= content.length; end += 1) {
      for (const stopped of ['stop', 'length'] as const) {
        const text = before + content.slice(0, end);
        const complete = extractToolCalls(text, { tools, stopped }).calls.filter((call) => call.complete);
        expect({ text, complete }).toEqual({ text, complete: [] });
      }
    }
    expect(extractToolCalls(before + content + after, { tools }).calls).toMatchObject([
      { name: 'write', arguments: { path: 'a.js', content }, complete: true },
    ]);
  });

  it.each([
    [undefined, 'options.tools must be a list'],
    [{ tools: {} }, 'options.tools must be a list'],
    [{ tools: ['ls'] }, 'options.tools[0] has no name'],
    [{ tools: [{ type: 'function', function: { name: 'ls' } }] }, 'of an OpenAI tool, give its `function`'],
  ])('says what options it expects: %j', (options, message) => {
    expect(() => extractToolCalls('text', options as never)).toThrow(message);
  });

  it('says that it expects text', () => {
    expect(() => extractToolCalls({ a: 1 } as never, { tools: [] })).toThrow('expects text, not an object');
  });
});
