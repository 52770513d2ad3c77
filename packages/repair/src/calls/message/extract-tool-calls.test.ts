import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import corpus from '../../fixtures/envelopes.json' with { type: 'json' };
import type { Envelope } from '../contract/envelope.ts';
import { allEnvelopes } from '../envelopes/index.ts';
import { extractToolCalls } from './extract-tool-calls.ts';

const { tools } = corpus;
/** Each with the name of its format, and with its envelope if that has another name. */
const examples = [...corpus.examples, ...corpus.rareExamples].map((one) => ({ envelope: one.format, ...one }));
const hermes = allEnvelopes.find(({ name }) => name === 'hermes') as Envelope;

const followed = ['write', 'ls'].map((name) => {
  const properties = { path: { type: 'string' }, text: { type: 'string' } };
  return { name, parameters: { type: 'object', properties } };
});

function callsIn(text: string): unknown {
  return extractToolCalls(text, { tools }).calls.map((call) => ({ name: call.name, arguments: call.arguments }));
}

describe('examples of every envelope', () => {
  it.each(examples)('are found: $format $n', ({ envelope, text, expected }) => {
    const found = extractToolCalls(text, { tools, stopped: 'stop' });
    expect(found.calls.map((call) => ({ name: call.name, arguments: call.arguments }))).toEqual(expected);
    expect(found.calls.every((call) => call.complete && call.envelope === envelope)).toBe(true);
    expect(found.rejected).toEqual([]);
  });

  it('exist for every name, except those that have examples elsewhere', () => {
    const found = new Set(examples.map(({ envelope }) => envelope));
    const missing = allEnvelopes.filter(({ name }) => !found.has(name));
    expect(missing.map(({ name }) => name)).toEqual(['at-name', 'python-code', 'nameless']);
  });

  it('need no stop reason, except plain text that is complete only if the model stopped', () => {
    const different = examples.filter(({ text, expected }) => {
      const { calls } = extractToolCalls(text, { tools });
      return (
        JSON.stringify(calls.map((call) => [call.name, call.arguments])) !==
        JSON.stringify(expected.map((call) => [call.name, call.arguments]))
      );
    });
    expect(different.map((example) => example.text)).toEqual(['Action: find_docs\nAction Input: rust lifetimes']);
  });

  it('contain no call if they are cut anywhere before the end of the arguments', () => {
    for (const { text, expected } of examples) {
      const meant = new Set(expected.map((call) => JSON.stringify([call.name, call.arguments])));
      for (let end = 1; end < text.length; end += 1) {
        const { calls } = extractToolCalls(text.slice(0, end), { tools });
        const cut = calls.filter((call) => !meant.has(JSON.stringify([call.name, call.arguments])));
        expect({ text: text.slice(0, end), cut }).toEqual({ text: text.slice(0, end), cut: [] });
      }
    }
  });
});

describe('texts that mention calls, and texts that contain calls', () => {
  it.each(corpus.probes)('are distinguished: $id: $why', ({ text, expected }) => {
    expect(callsIn(text)).toEqual(expected);
  });
});

describe('one call', () => {
  it('is complete despite unquoted keys and a missing closing tag', () => {
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
    ['the name of a language before it', 'python\nweather_at(city="Bonn")'],
    ['a token and a role before it', '<|im_start|>assistant\nawait weather_at(city="Bonn")<|endoftext|>'],
    ['reasoning before a fence', '<think>\nOne call is enough.\n</think>\n\n```python\nweather_at(city="Bonn")\n```'],
    ['an end token', '{"name":"weather_at","arguments":{"city":"Bonn"}}<|im_end|>'],
  ])('is found with %s', (_what, text) => {
    expect(extractToolCalls(text, { tools })).toMatchObject({
      calls: [{ name: 'weather_at', arguments: { city: 'Bonn' }, complete: true }],
      rejected: [],
    });
  });

  it('is ignored inside a longer program', () => {
    for (const text of [
      '```python\nresult = weather_at(city="Bonn")\nprint(result)\n```',
      'result = weather_at(city="Bonn")\nprint(other)',
      'city = "Bonn"\nweather_at(city=city)',
      'if weather_at(city="Bonn"): pass',
    ])
      expect(callsIn(text), text).toEqual([]);
  });

  it('has no arguments if they are null or missing', () => {
    expect(callsIn('<tool_call>{"name":"ping","arguments":null}</tool_call>')).toEqual([
      { name: 'ping', arguments: {} },
    ]);
    expect(callsIn('<tool_call>{"name":"ping"}</tool_call>')).toEqual([{ name: 'ping', arguments: {} }]);
  });

  it('keeps a closing tag inside its own strings', () => {
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
  ])('keeps a member after a list whose last string has no closing quote: %s', (_what, text) => {
    expect(extractToolCalls(text, { tools: [{ name: 'todo' }] })).toMatchObject({
      calls: [{ arguments: { items: [{ status: 'don' }], merge: true }, complete: true, risk: 'lossy' }],
      rejected: [],
    });
  });

  it('that is damaged does not include the next call', () => {
    const text =
      '<tool_call>{"name":"find_docs","arguments":{"query":"x}}</tool_call>\n<tool_call>{"name":"ping","arguments":{}}</tool_call>';
    expect(callsIn(text)).toEqual([
      { name: 'find_docs', arguments: { query: 'x' } },
      { name: 'ping', arguments: {} },
    ]);
  });
});

describe('consecutive calls', () => {
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
  ])('are all found as %s', (_what, text) => {
    expect(extractToolCalls(text, { tools })).toMatchObject({
      calls: [{ arguments: { city: 'Bonn' } }, { arguments: { city: 'Rome' } }],
      rejected: [],
    });
  });

  it('leave no part of their list in the text', () => {
    expect(extractToolCalls(`Both:\n- ${bonn}\n- ${rome}`, { tools }).text.trim()).toBe('Both:');
  });
});

describe('the rest of the text', () => {
  it('is unchanged', () => {
    const text = ' Look:\r\n<tool_call>{"name":"ping","arguments":{}}</tool_call>\n\tand <b>so</b> on\u00a0\n';
    expect(extractToolCalls(text, { tools }).text).toBe(' Look:\r\n\n\tand <b>so</b> on\u00a0\n');
  });

  it('keeps fences without calls', () => {
    const text =
      'Config:\n```json\n{"name": "x", "version": "1"}\n```\n<tool_call>{"name":"ping","arguments":{}}</tool_call>';
    expect(extractToolCalls(text, { tools }).text).toBe('Config:\n```json\n{"name": "x", "version": "1"}\n```\n');
  });

  it('omits the whole fence of a call', () => {
    expect(extractToolCalls('Now:\n```json\n{"name":"ping","arguments":{}}\n```', { tools }).text).toBe('Now:\n');
  });

  it('is the input without the ranges of the calls, for any input', () => {
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

describe('text that is not a call', () => {
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

  it('is reported if the name of the tool has spaces', () => {
    const text = 'Action: Search a site (query: \'tides\') to learn more.\nAction Input: {"query": "ti';
    const site = { name: 'Search a site', parameters: { type: 'object', properties: { query: { type: 'string' } } } };
    expect(extractToolCalls(text, { tools: [site] })).toMatchObject({
      calls: [],
      rejected: [{ reason: 'mentioned', name: 'Search a site' }],
    });
    expect(extractToolCalls('Search a site or two.', { tools: [site] }).rejected).toEqual([]);
  });

  it('stays incomplete if the model stopped by itself inside a value', () => {
    const text = '<tool_call>{"name":"write_note","arguments":{"path":"a.md","body":"half';
    expect(extractToolCalls(text, { tools, stopped: 'stop' }).rejected).toMatchObject([{ reason: 'incomplete' }]);
  });

  it('is complete before a comma only if the model stopped by itself', () => {
    const text = '<tool_call>{"name": "ping", "arguments": {}},';
    expect(extractToolCalls(text, { tools, stopped: 'stop' }).calls).toMatchObject([{ name: 'ping', complete: true }]);
    expect(extractToolCalls(text, { tools }).rejected).toMatchObject([{ name: 'ping', reason: 'incomplete' }]);
  });

  it('is an incomplete call if the model stopped by itself after a complete value', () => {
    const text = '<tool_call>{"name":"find_docs","arguments":{"query":"a"';
    expect(extractToolCalls(text, { tools, stopped: 'stop' }).calls).toMatchObject([
      { complete: false, risk: 'lossy' },
    ]);
  });

  it('names its tool if it is cut inside a string of code', () => {
    const text = '<tool_code>\n[find_docs(query: "@@ -1,3 +1,3 @@\\n import \\"fmt\\"\\n func main() ';
    expect(extractToolCalls(text, { tools }).rejected).toMatchObject([{ reason: 'incomplete', name: 'find_docs' }]);
  });

  it('does not affect other calls', () => {
    const text = '<tool_calls>[{"name":"nope","arguments":{}},{"name":"ping","arguments":{}}]</tool_calls>';
    expect(extractToolCalls(text, { tools })).toMatchObject({
      calls: [{ name: 'ping' }],
      rejected: [{ reason: 'unknown_tool', name: 'nope' }],
    });
  });

  it('may be a call that is cut anywhere before the end of its arguments', () => {
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
  ])('may mention a call: %s', (text) => {
    expect(extractToolCalls(text, { tools, stopped: 'stop' })).toEqual({ calls: [], text, rejected: [] });
  });

  it('may mention a call inside a sentence', () => {
    expect(callsIn('You write <tool_call>{"name":"ping","arguments":{}}</tool_call> to reach it.')).toEqual([]);
  });
});

describe('the envelopes', () => {
  it('are limited to the requested ones', () => {
    const text = '{"name":"ping","arguments":{}}';
    expect(extractToolCalls(text, { tools, envelopes: [hermes] }).calls).toEqual([]);
    expect(extractToolCalls(`<tool_call>${text}</tool_call>`, { tools, envelopes: [hermes] }).calls).toHaveLength(1);
  });

  it('end if the opener of another call is at the position of a value', () => {
    const text = '[TOOL_CALLS][TOOL_CALLS]"i';
    expect(extractToolCalls(text, { tools })).toMatchObject({ calls: [], text });
  });

  it('never call a member of Object.prototype', () => {
    expect(callsIn('<tool_call>{"name":"constructor","arguments":{}}</tool_call>')).toEqual([]);
    expect(callsIn('<tool_call>{"__proto__":{"name":"ping"},"toString":{}}</tool_call>')).toEqual([]);
  });
});

describe('the openers that depend on the tools', () => {
  it('are computed once per list of tools, and again when the list changes', () => {
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

describe('a call that was cut inside a string with unescaped quotes', () => {
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
    [undefined, 'options.tools must be an array'],
    [{ tools: {} }, 'options.tools must be an array'],
    [{ tools: ['ls'] }, 'options.tools[0] has no name'],
    [{ tools: [{ type: 'function', function: { name: 'ls' } }] }, 'for an OpenAI tool, pass its `function`'],
  ])('rejects invalid options: %j', (options, message) => {
    expect(() => extractToolCalls('text', options as never)).toThrow(message);
  });

  it.each([
    ["<|tool_call_start|>[write(path='a), ls(path='b')]<|tool_call_end|>", ['write', 'ls']],
    [
      '[TOOL_CALLS][{"name": "write", "arguments": {"path": "a", "text": "a,\\"x"\\",4\\n"}}, {"name": "ls", "arguments": {"path": "b"}}]',
      ['write', 'ls'],
    ],
    ['<tool_call>{"name": "write", "arguments": {"path": "the ls tool, path: b', ['write']],
    ['<tool_call>{"name": "write", "arguments": {"path": "ls(path=1)", "text": "a', ['write']],
  ])('reports the calls that follow a damaged one in a list: %s', (text, names) => {
    const { calls, rejected } = extractToolCalls(text, { tools: followed });
    expect(calls).toEqual([]);
    expect(rejected.map(({ name }) => name)).toEqual(names);
    for (const { name, start, end } of rejected) expect(text.slice(start, end)).toContain(name);
  });

  it('rejects input that is not text', () => {
    expect(() => extractToolCalls({ a: 1 } as never, { tools: [] })).toThrow('(expected a string, got an object)');
  });
});
