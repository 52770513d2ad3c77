import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import corpus from '../../fixtures/envelopes.json' with { type: 'json' };
import { cutText, followStream } from '../../fixtures/follow-stream.ts';
import { createToolCallStream, type ToolCallStreamEvent } from './call-stream.ts';
import type { Envelope } from '../contract/envelope.ts';
import { allEnvelopes } from '../envelopes/index.ts';
import { extractToolCalls } from '../message/extract-tool-calls.ts';
import type { ExtractOptions } from '../contract/extraction.ts';

const { tools } = corpus;
/** One tool that declares all of its arguments. */
const strictTools = [
  {
    name: 'write_note',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, body: { type: 'string' } },
      required: ['path', 'body'],
      additionalProperties: false,
    },
  },
];
const isLong = process.env['HAFT_TEST_LONG'] !== undefined;

function expectSame(text: string, lengths: readonly number[], options: ExtractOptions): void {
  const streamed = followStream(cutText(text, lengths), options);
  expect({ of: text, lengths, ...streamed }).toEqual({
    of: text,
    lengths,
    ...extractToolCalls(text, options),
    problems: [],
  });
}

/** The events of each chunk and of the end, copied when they arrived. */
function eventsOf(chunks: readonly string[], options: Partial<ExtractOptions> = {}): ToolCallStreamEvent[][] {
  const stream = createToolCallStream({ tools, ...options });
  return [...chunks.map((chunk) => structuredClone([...stream.push(chunk)])), [...stream.end()]];
}

function textOf(events: readonly ToolCallStreamEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

const glueTexts = [
  '',
  '\n',
  '\n\n',
  ' ',
  'Then. ',
  'for example: ',
  '```\n',
  '\n```',
  '```json\n',
  '`',
  '> ',
  '"',
  "'",
  '1. ',
  '**',
  '<think>',
  '</think>',
  '</thinking>',
  '<scratchpad>',
  '<Think a="b">',
  '</Think>',
  '<cot>',
  '</cot >',
  '<|channel|>analysis<|message|>',
  '<|end|>',
  '<!--',
  '-->',
  '\n<result>',
  '</result>',
  '</scratchpad>',
  '<tool_response>',
  '</tool_response>',
  '\n<file path="a">',
  '</file>',
  '<tool_call>',
  '</tool_call>',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '<|im_end|>',
  '😀',
];

const texts = [...corpus.examples, ...corpus.probes].map(({ text }) => text);
const endings = [undefined, 'stop', 'length'] as const;

it('reports an object that begins with a colon, or after a no-break space, like the whole message', () => {
  for (const text of ['>\n{:"name""', 'a {: b', '{:"name": "read_file", "arguments" {}}', 'u[\u00a0,{"name"p'])
    expectSame(text, [1], { tools });
});

describe('a stream has the same result as the whole text', () => {
  it.each([1, 2, 3, 5, 8, 13, 40])('for every example and probe in chunks of %d', (length) => {
    for (const text of texts) {
      for (const stopped of endings) expectSame(text, [length], { tools, ...(stopped && { stopped }) });
    }
  });

  it('for every example in chunks of any length', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...texts), lengths, (text, lengthsOfPieces) =>
        expectSame(text, lengthsOfPieces, { tools, stopped: 'stop' }),
      ),
      { numRuns: isLong ? 20_000 : 500 },
    );
  });

  it('for every example cut at any position', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(400), fc.integer({ min: 1, max: 9 }), (text, end, length) =>
        expectSame(text.slice(0, end), [length], { tools, stopped: 'length' }),
      ),
      { numRuns: isLong ? 20_000 : 500 },
    );
  });

  it('for consecutive examples: damaged, quoted, fenced and in reasoning', () => {
    const glue = fc.constantFrom(...glueTexts);
    const damaged = fc
      .tuple(fc.constantFrom(...texts), fc.nat(300), fc.nat(3))
      .map(([text, at, length]) => text.slice(0, at) + text.slice(at + length));
    const part = fc.oneof(glue, damaged, fc.constantFrom(...texts));
    const message = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    const begins = fc.constantFrom(undefined, true, false);
    fc.assert(
      fc.property(
        message,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(...endings),
        begins,
        (text, length, end, begin) =>
          expectSame(text, [length], {
            tools,
            ...(end && { stopped: end }),
            ...(begin !== undefined && { startsInReasoning: begin }),
          }),
      ),
      { numRuns: isLong ? 50_000 : 1_000 },
    );
  }, 60_000);

  it('for an envelope that can be parsed only as a whole', () => {
    const bang: Envelope = {
      name: 'bang',
      tier: 2,
      openers: ['!call '],
      read: ({ text }, _start, body) => {
        const end = text.indexOf('\n', body);
        const name = text.slice(body, end);
        return end === -1
          ? undefined
          : { end, calls: [{ name, arguments: {}, ending: 'closed', risk: 'none', repairs: [] }] };
      },
    };
    const options = { tools, envelopes: [bang, ...allEnvelopes] };
    for (const text of ['Now:\n!call ping\nDone.', '!call ping', 'I !call it. <tool_call>{"name":"ping"}</tool_call>'])
      for (const length of [1, 4, 100]) expectSame(text, [length], options);
  });
});

describe('the text of a stream', () => {
  it('is emitted immediately if no call can begin', () => {
    const prose =
      'It is 5 < 6, f(x) = [1]; see {a} and "b": done. Next line:\nmore text, and\n- an item\n> quoted <b>bold</b>.';
    let most = 0;
    let pushed = 0;
    let sent = 0;
    const stream = createToolCallStream({ tools });
    for (const character of prose.repeat(5)) {
      pushed += 1;
      sent += textOf(stream.push(character)).length;
      most = Math.max(most, pushed - sent);
    }
    expect(most).toBeLessThanOrEqual(6);
    expect(sent + textOf(stream.end()).length).toBe(pushed);
  });

  it('is held back only if it may be an opener', () => {
    const [first, second, third] = eventsOf(['Look: <tool', '_box> and <tool_', 'call> of mine.']);
    expect(textOf(first ?? [])).toBe('Look: ');
    expect(textOf(second ?? [])).toBe('<tool_box> and ');
    expect(textOf(third ?? [])).toBe('<tool_call> of mine.');
  });

  it('never contains the marks of a call', () => {
    for (const { text, expected } of corpus.examples) {
      if (expected.length === 0) continue;
      const left = extractToolCalls(text, { tools, stopped: 'stop' }).text;
      const events = eventsOf(cutText(text, [1])).flat();
      expect({ text, left: textOf(events) }).toEqual({ text, left });
    }
  });

  it('never splits a surrogate pair', () => {
    const events = eventsOf(['a\ud83d', '\ude00b']);
    expect(events.map((of) => textOf(of))).toEqual(['a', '\ud83d\ude00b', '']);
  });

  it('after a call waits while the call may turn out to be reasoning', () => {
    const chunks = ['A <tool_call>{"name":"ping","arguments":{}}</tool_call>', ' B', 'C'];
    expect(eventsOf(chunks).map((of) => textOf(of))).toEqual(['A ', '', '', ' BC']);
    expect(eventsOf(chunks, { startsInReasoning: false }).map((of) => textOf(of))).toEqual(['A ', ' B', 'C', '']);
    const [, after] = eventsOf(['<think>Hm.</think>', ...chunks]).map((of) => textOf(of));
    expect(after).toBe('A ');
  });
});

describe('a call in a stream', () => {
  it.each([
    '<tool>{"name":"find_docs","arguments":""}{"name":"find_docs","arguments":{"query":"a","limit":1}}</tool>',
    '<tool>[{"name":"find_docs","arguments":"{}"},{"name":"find_docs","arguments":{"query":"a"}}]</tool>',
    '<tool>{"name":"find_docs","arguments":""}{"name":"find_docs","arguments":{"query":"a","lim',
  ])('shows its own arguments after a call whose arguments are a string: %s', (text) => {
    const { problems } = followStream(cutText(text, [1]), { tools: [{ name: 'find_docs' }] });
    expect(problems).toEqual([]);
  });

  const value = (events: readonly ToolCallStreamEvent[]): unknown => {
    const last = events.findLast((event) => event.type === 'call-arguments');
    return last?.type === 'call-arguments' ? last.value : undefined;
  };

  it.each([
    [
      'JSON in a tag',
      '<tool_call>{"name":"write_note","arguments":{"path":"a.md","body":"One two three four fiv',
      'e"}}</tool_call>',
    ],
    ['JSON after a name', '[TOOL_CALLS]write_note[ARGS]{"path":"a.md","body":"One two three four fiv', 'e"}'],
    ['JSON at the beginning', '{"name":"write_note","arguments":{"path":"a.md","body":"One two three four fiv', 'e"}}'],
    [
      'OpenAI JSON',
      '<tool_calls>[{"id":"1","function":{"name":"write_note","arguments":{"path":"a.md","body":"One two three four fiv',
      'e"}}}]</tool_calls>',
    ],
    ['a damaged object', '<function=write_note>{path: "a.md", body: "One two three four fiv', 'e"}</function>'],
    ['code', '<|tool_call_start|>[write_note(path="a.md", body="One two three four fiv', 'e")]<|tool_call_end|>'],
  ])('is emitted while its arguments arrive as %s', (_what, begin, end) => {
    const [first = [], second = [], last = []] = eventsOf([begin, end]);
    expect(first).toContainEqual({ type: 'call-started', index: 0, name: 'write_note' });
    expect(value(first)).toEqual({ path: 'a.md', body: 'One two three four fiv' });
    expect([...second, ...last].at(-1)).toMatchObject({
      type: 'call-ended',
      index: 0,
      call: { name: 'write_note', arguments: { path: 'a.md', body: 'One two three four five' } },
    });
  });

  it.each([
    ['<function=write_note>\n<parameter=path>\na.md\n</parameter>\n<parameter=body>\n', '\n</parameter>\n</function>'],
    [
      '<invoke name="write_note"><parameter name="path">a.md</parameter><parameter name="body">',
      '</parameter></invoke>',
    ],
    ['<write_note><path>a.md</path><body>', '</body></write_note>'],
  ])('is emitted while its arguments arrive in tags: %s', (begin, end) => {
    const body = 'One two three four five six seven eight nine ten eleven twelve. ';
    const [first = [], second = [], ...rest] = eventsOf([begin, body, `${body}${end}`]);
    expect(first).toContainEqual({ type: 'call-started', index: 0, name: 'write_note' });
    expect(value(first)).toEqual({ path: 'a.md', body: '' });
    const { body: shown } = value(second) as { body: string };
    expect(body.startsWith(shown)).toBe(true);
    expect(shown.length).toBeGreaterThan(20);
    expect(rest.flat().at(-1)).toMatchObject({ call: { arguments: { path: 'a.md', body: body + body } } });
  });

  it('ends as code when the next line has begun', () => {
    const [events] = eventsOf(['weather_at(city="Bled")\n\nI look it up.'], { startsInReasoning: false });
    expect(events?.map(({ type }) => type)).toContain('call-ended');
  });

  it('is shown while it is written as code in a tag that promises JSON', () => {
    const [first] = eventsOf(['<tool_call>\n[find_docs(query="tides", limit=2', ')]</tool_call>']);
    expect(first).toMatchObject([
      { type: 'call-started', name: 'find_docs' },
      { type: 'call-arguments', value: { query: 'tides' } },
    ]);
  });

  it('is shown while it is written as JSON after the token of programs, also if a tool runs programs', () => {
    const python = { name: 'python', parameters: { type: 'object', properties: { code: {} }, required: ['code'] } };
    const chunks = ['<|python_tag|>{"name": "find_docs", "parameters": {"query": "tides", ', '"limit": 2}}<|eom_id|>'];
    const [first] = eventsOf(chunks, { tools: [...tools, python] });
    expect(first).toMatchObject([
      { type: 'call-started', name: 'find_docs' },
      { type: 'call-arguments', value: { query: 'tides' } },
    ]);
  });

  it('has deltas that are the original JSON as long as it is valid', () => {
    const json = '{ "path": "a.md", "body": "say \\"hi\\",\\n[1, 2]}  ", "tags": ["a, 1", 2.50, {"b": null}] }';
    const text = `<tool_call>{"name":"write_note","arguments":${json}}</tool_call>`;
    for (const length of [1, 7, 1_000]) {
      const events = eventsOf(cutText(text, [length])).flat();
      const deltas = events.map((event) => (event.type === 'call-arguments' ? event.delta : ''));
      expect(deltas.join('')).toBe(json);
    }
  });

  it('has deltas that hold back a curly quote, because it may end the text', () => {
    const text = `<tool_call>{"name":"write_note","arguments":{"path":"a.md","body":"x\u201d, "n":1}}</tool_call>`;
    const events = eventsOf(cutText(text, [1])).flat();
    const deltas = events.map((event) => (event.type === 'call-arguments' ? event.delta : ''));
    expect(deltas.join('')).toBe('{"path":"a.md","body":"x","n":1}');
  });

  it('has deltas that form its arguments even if they were damaged', () => {
    const text = `<tool_call>{"name":"write_note","arguments":{"path":"a.md","body":"say "hi", you}}</tool_call>`;
    const { calls, problems } = followStream(cutText(text, [1]), { tools });
    expect({ calls, problems }).toMatchObject({ calls: extractToolCalls(text, { tools }).calls, problems: [] });
  });

  it.each([
    ['<tool_call>{"name":"write_note","arguments":{"Path":"a.md", "body":"b"}}</tool_call>', 'a key in other letters'],
    ['<tool_call>{"name":"write_note","arguments":{"path":"a.md", "b ody":"b"}}</tool_call>', 'a key with a space'],
    [
      '<tool_call>{"name":"write_note","arguments":{"params":{"path":"a.md","body":"b"}}}</tool_call>',
      'a key around all',
    ],
    [
      '<tool_call>{"name":"write_note","arguments":{"path":"a.md","body":"b","my\\_tag":1}}</tool_call>',
      'an escaped key',
    ],
    ['<function=write_note><parameter=Path>a.md</parameter><parameter=body>b</parameter></function>', 'a tag'],
  ])('has deltas that join to its final arguments, without the key as written: %s (%s)', (text) => {
    for (const length of [1, 9]) {
      const { calls, problems } = followStream(cutText(text, [length]), { tools: strictTools });
      expect({ calls, problems }).toMatchObject({
        calls: extractToolCalls(text, { tools: strictTools }).calls,
        problems: [],
      });
      expect(Object.keys(calls[0]?.arguments ?? {})).not.toContain('Path');
      expect(calls[0]?.arguments).toMatchObject({ path: 'a.md' });
    }
  });

  it('has deltas for all of its arguments if an undeclared key is not the only key', () => {
    const text = '<tool_call>{"name":"write_note","arguments":{"other":"a", "path":"a.md", "body":"some text"}}';
    const events = eventsOf(cutText(text, [1])).flat();
    const deltas = events.map((event) => (event.type === 'call-arguments' ? event.delta : ''));
    expect(deltas.join('')).toContain('{"other":"a", "path":"a.md", "body":"some tex');
  });

  it('shows a list whose argument is repeated as the deltas have it, until the call ends', () => {
    const fill = [{ name: 'fill', parameters: { type: 'object', properties: { rows: { type: 'array' } } } }];
    const stream = createToolCallStream({ tools: fill });
    const once = (rows: string): string => `<parameter=rows>${rows}</parameter>`;
    const events = [`<tool_call><function=fill>${once('["A"]')}`, once('["B"]'), '<parameter=note>x'].flatMap(
      stream.push,
    );
    expect(value(events)).toMatchObject({ rows: ['A'] });
  });

  it('has deltas that join to its arguments if one of them is repeated', () => {
    const text = '<function=write_note><parameter=body>a\n<parameter=body>\nb\n<parameter=path>c</function>';
    const { calls, problems } = followStream(cutText(text, [1]), { tools });
    expect({ calls, problems }).toMatchObject({ calls: extractToolCalls(text, { tools }).calls, problems: [] });
  });

  it.each([
    [
      'is written in another spelling',
      '<tool_call>{"name":"write_note","arguments":{"path":"a.md","Body":"one two"}}</tool_call>',
    ],
    ['has a space before it', '{"name":"write_note","arguments":{"path":"a.md"," body":[}}|'],
    ['is empty', '{"name":"write_note","arguments":{"path":"a.md","":""'],
    ['stands in a tag', '<function=write_note><parameter=path>a</parameter><parameter=Body>one</parameter></function>'],
  ])('has deltas that join to its arguments if a key %s', (_what, text) => {
    for (const length of [1, 7]) {
      const { problems, ...streamed } = followStream(cutText(text, [length]), { tools, stopped: 'stop' });
      expect({ ...streamed, problems }).toEqual({
        ...extractToolCalls(text, { tools, stopped: 'stop' }),
        problems: [],
      });
    }
  });

  it.each([
    ['<tool>{name:write_note,a {"body":1}}{"name":"write_note","arguments":{"path":"a.md","body":"'],
    ['<tool_call>function=write_note>function=write_note><parameter=path>'],
  ])('does not share deltas with another call of the same tool: %s', (text) => {
    expect(followStream(cutText(text, [3]), { tools, stopped: 'stop' }).problems).toEqual([]);
  });

  it('begins after a template token, and is rejected once if it cannot be read', () => {
    const text = '<|end_header_id|>{"name":"write_note","arguments":{"",';
    const { problems, ...streamed } = followStream(cutText(text, [1]), { tools, stopped: 'stop' });
    expect({ ...streamed, problems }).toEqual({ ...extractToolCalls(text, { tools, stopped: 'stop' }), problems: [] });
  });

  it('continues after a closing tag in a string, and contains that tag', () => {
    for (const rest of ['","path":"a', '","path":f', '","path":"a.md"']) {
      const text = `to=functions.write_note<|message|>{"body":"x}<|call|>${rest}`;
      const { calls, rejected, problems } = followStream(cutText(text, [1]), { tools });
      expect({ calls, rejected, problems }).toMatchObject({
        calls: [],
        rejected: [{ reason: 'incomplete' }],
        problems: [],
      });
    }
    const text = 'to=functions.write_note<|message|>{"body":"x}<|call|>","path":"a.md"}<|call|>';
    const { calls } = followStream(cutText(text, [1]), { tools });
    expect(calls).toMatchObject([{ arguments: { body: 'x}<|call|>', path: 'a.md' } }]);
  });

  it('has its own deltas if a damaged call of the same tool comes before it', () => {
    const text = '<tool>{name "write_note,a:{"":}}{"name":"write_note","arguments":{"path":"';
    expectSame(text, [1], { tools });
    expectSame(`${text}a.md"}}</tool>`, [1], { tools });
    const first = '{"name": "write_note", "arguments": "body": "one"}}';
    expectSame(`<tool_calls>\n${first}\n{"name": "write_note", "arguments": {"": "", "i"}}`, [1], { tools });
    const second = '{"name": "write_note", "arguments": {"body": "two", "path": "a.md"}}';
    expectSame(`<tool_calls>\n${first}\n${second}\n</tool_calls>`, [300], { tools });
  });

  it('after a template token ends, or is rejected if it cannot be read', () => {
    for (const rest of ['+', ')]', '"path":"a.md"}}']) {
      const text = `<|assistant|>{"name":"write_note","arguments":{${rest}`;
      expectSame(text, [1], { tools });
      expectSame(text, [7], { tools });
    }
  });

  it('of a tool that was not offered is never shown', () => {
    const events = eventsOf(['<tool_call>{"name":"rm","arguments":{"path":"/"}}', '</tool_call>']).flat();
    expect(events.map(({ type }) => type)).toEqual(['call-rejected']);
  });

  it('that is cut is rejected with its number and its text', () => {
    const text = '<tool_call>{"name":"write_note","arguments":{"path":"a.md","body":"half';
    const events = eventsOf([text]).flat();
    expect(events.at(-1)).toMatchObject({
      type: 'call-rejected',
      index: 0,
      rejected: { reason: 'incomplete', name: 'write_note' },
      text,
    });
  });

  it('that an unfinished body contains is rejected too', () => {
    const text = '<tool_calls>[{"name":"ping","arguments":{}},{"name":"ping","arguments":{}} oops: {]]</tool_calls>';
    const events = eventsOf([text.slice(0, 80), text.slice(80)]).flat();
    const ends = events.filter(({ type }) => type === 'call-ended' || type === 'call-rejected');
    expect(new Set(ends.map((event) => ('index' in event ? event.index : -1)))).toEqual(new Set([0, 1]));
  });

  it('is not emitted while it may be an example', () => {
    const chunks = ['You write <tool_call>{"name":"ping","arguments":{}}', '</tool_call> to reach it.'];
    expect(
      eventsOf(chunks)
        .flat()
        .map(({ type }) => type),
    ).toEqual(['text', 'text', 'call-rejected']);
  });

  it('turns out to be reasoning if the reasoning ends without a start', () => {
    const events = eventsOf([
      'Hm.\n<tool_call>{"name":"ping","arguments":{}}</tool_call>\n',
      'No.</think>',
      'Yes.',
    ]).flat();
    expect(events.map(({ type }) => type)).toEqual([
      'text',
      'call-started',
      'call-arguments',
      'call-rejected',
      'text',
      'text',
    ]);
    expect(events[3]).toMatchObject({ index: 0, rejected: { reason: 'reasoning', name: 'ping' } });
  });
});

describe('a stream', () => {
  it('rejects text after its end', () => {
    const stream = createToolCallStream({ tools });
    expect(textOf(stream.push('Well, '))).not.toBe('');
    stream.end();
    expect(stream.end()).toEqual([]);
    expect(() => stream.push('b')).toThrow(TypeError);
  });

  it('ignores empty chunks', () => {
    expect(eventsOf(['', '', '']).flat()).toEqual([]);
  });
});
