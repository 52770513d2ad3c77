import { describe, expect, it } from 'vitest';
import { extractToolCalls } from './extract-tool-calls.ts';
import type { CallableTool } from '../contract/envelope.ts';
import { cutText, followStream } from '../../fixtures/follow-stream.ts';

const tools: readonly CallableTool[] = [
  { name: 'ping' },
  {
    name: 'fill',
    parameters: {
      type: 'object',
      properties: {
        sheet: { type: 'string' },
        rows: { type: 'array', items: { type: 'array', items: { type: ['string', 'number', 'null'] } } },
      },
      required: ['rows'],
    },
  },
];

const weather: readonly CallableTool[] = [
  {
    name: 'weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius'] }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
  { name: 'ping' },
];

function callsIn(text: string, stopped?: 'stop' | 'length'): readonly unknown[] {
  return extractToolCalls(text, { tools, ...(stopped && { stopped }) }).calls.map((call) => [
    call.name,
    call.arguments,
    call.complete,
  ]);
}

describe('tags within tags', () => {
  it('match with their own closing tags', () => {
    const rows = '<rows><item><item>a</item><item>1</item></item><item><item>b</item></item></rows>';
    expect(callsIn(`<fill><sheet>s</sheet>${rows}</fill>`)).toEqual([
      ['fill', { sheet: 's', rows: [['a', 1], ['b']] }, true],
    ]);
  });
});

describe('a number for a declared string', () => {
  const text = { type: 'string' };
  const meta = { type: 'object', properties: { build: text, size: { type: 'number' } } };
  const properties = { version: text, tags: { type: 'array', items: text }, meta };
  const release = { name: 'release', parameters: { type: 'object', properties } };

  it.each([
    String.raw`<tool_call>{"name":"release","arguments":"{\"version\": 1.10, \"tags\": [1.10, 007]}"}</tool_call>`,
    String.raw`<tool_call>{"name":"release","arguments":{"params":"{\"version\": 1.10, \"tags\": [1.10, 007]}"}}</tool_call>`,
    '<function=release><parameter=version>1.10</parameter><parameter=tags>[1.10, 007]</parameter></function>',
    '<invoke name="release"><parameter name="version" string="false">1.10</parameter><parameter name="tags" string="false">[1.10, 007]</parameter></invoke>',
    '<tool_call>release<arg_key>version</arg_key><arg_value>1.10</arg_value><arg_key>tags</arg_key><arg_value>[1.10, 007]</arg_value></tool_call>',
    '```tool_call\nname: release\narguments:\n  version: 1.10\n  tags: [1.10, 007]\n```',
  ])('keeps its spelling: %s', (written) => {
    const { calls } = extractToolCalls(written, { tools: [release], stopped: 'stop' });
    expect(calls.map((call) => call.arguments)).toEqual([{ version: '1.10', tags: ['1.10', '007'] }]);
  });

  it('keeps its spelling in an object in a tag', () => {
    const written = '<function=release><parameter=meta>{"build": 1.10, "size": 1.10}</parameter></function>';
    const { calls } = extractToolCalls(written, { tools: [release] });
    expect(calls.map((call) => call.arguments)).toEqual([{ meta: { build: '1.10', size: 1.1 } }]);
  });
});

describe('a call without the name of its tool', () => {
  it.each([
    '<tool_call>\n<parameter=sheet>\n4\n</parameter>\n</tool_call>',
    '<tool_call>\n<function=>\n<parameter=sheet>\n4\n</parameter>\n</function>\n</tool_call>',
    '<function=>\n<parameter=sheet>\n4\n</parameter>\n</function>',
    '<tool_call>\n<arg_key>sheet</arg_key>\n<arg_value>4</arg_value>\n</tool_call>',
    '<function_calls><invoke><parameter name="sheet">4</parameter></invoke></function_calls>',
    '<tool_call>{"arguments": {"sheet": "4", "rows": []}}</tool_call>',
    '<tool_call>\n{"sheet": "4", "rows": []}\n</tool_call>',
    '[TOOL_CALLS][{"id": "a1", "arguments": {"sheet": "4", "rows": []}}]',
  ])('is reported: %s', (text) => {
    const { calls, rejected } = extractToolCalls(text, { tools });
    expect([calls, rejected.map(({ name, reason }) => [name, reason])]).toEqual([[], [[undefined, 'invalid_json']]]);
    expect(rejected[0]?.hint).toContain('the name of the tool');
  });

  it.each(['<tool_call>\n<parameter=sheet>\n4', '<tool_call>{"arguments": {"sheet": "4", "rows": ["a'])(
    'is incomplete where the text is cut: %s',
    (text) => expect(extractToolCalls(text, { tools }).rejected.map(({ reason }) => reason)).toEqual(['incomplete']),
  );

  it.each([
    '<tool_call>{"level": "info", "rows": 3}</tool_call>',
    '<json>{"input": {"volume": 4}}</json>',
    '<function>\n<parameter=volume>\n4\n</parameter>\n</function>',
  ])('is not reported where no tool declares its keys: %s', (text) => {
    expect(extractToolCalls(text, { tools })).toEqual({ calls: [], text, rejected: [] });
  });
});

describe('an argument whose opening tag is damaged', () => {
  it.each([
    '<function_calls><invoke name="fill"><parameter name="rows">[["A"]]</parameter><paramter name="sheet">4</parameter></invoke></function_calls>',
    '<tool_call>\n<function=fill>\n<parameter=rows>\n[["A"]]\n</parameter>\n<paramter=sheet>\n4\n</parameter>\n</function>\n</tool_call>',
    '<tool_call>fill\n<arg_key>rows</arg_key>\n<arg_value>[["A"]]</arg_value>\n<arr sheet</arg_key>\n<arg_value>4</arg_value>\n</tool_call>',
  ])('rejects the call instead of dropping the argument: %s', (text) => {
    const { calls, rejected } = extractToolCalls(text, { tools });
    expect([calls, rejected.map(({ name, reason }) => [name, reason])]).toEqual([[], [['fill', 'invalid_json']]]);
  });

  it('keeps a closing tag inside a JSON string as text', () => {
    const text = '<function=fill>\n<parameter=rows>[["</parameter>", 4]]</parameter>\n</function>';
    expect(callsIn(text)).toEqual([['fill', { rows: [['</parameter>', 4]] }, true]]);
  });
});

describe('a call with doubled braces, as in the template of a prompt', () => {
  it.each([
    '<tool_call>\n{{"name": "weather", "arguments": {{"city": "Oslo {{x}}"}}}}\n</tool_call>',
    '<tool_call>{"name": "weather", "arguments": {{"city": "Oslo {{x}}"}}}</tool_call>\n<tool_call>{{"name": "ping"',
    '{{"name": "weather", "arguments": {{"city": "Oslo {{x}}"}}}}',
    '```json\n{{"arguments": {{"city": "Oslo {{x}}"}}, "name": "weather"}}\n```',
  ])('is read: %j', (text) => {
    const whole = extractToolCalls(text, { tools: weather, stopped: 'stop' });
    expect(whole.calls).toMatchObject([{ name: 'weather', arguments: { city: 'Oslo {{x}}' }, complete: true }]);
    for (const length of [1, 3]) {
      const { problems, calls } = followStream(cutText(text, [length]), { tools: weather, stopped: 'stop' });
      expect({ problems, calls }).toEqual({ problems: [], calls: whole.calls });
    }
  });

  it('is no call if the arguments are a placeholder', () => {
    const text = 'Write {{"name": "weather", "arguments": {{arguments}}}} then.';
    expect(extractToolCalls(text, { tools: weather, stopped: 'stop' }).calls).toEqual([]);
  });
});

describe('a name without letters', () => {
  it.each(['-', ''])('does not stand for a tool with another one: %j', (name) => {
    const text = `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`;
    expect(extractToolCalls(text, { tools: [{ name: '_' }] }).calls).toEqual([]);
  });
});

describe('what only looks like a call', () => {
  it.each([
    ['a definition without members', '<tools>{"name": "weather", "parameters": {"type": "object"}}</tools>'],
    [
      'the definition of a function',
      '{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "required": ["city"]}}}',
    ],
    ['a record with a label', 'weather: {"city": "Oslo", "state": "cloudy", "degrees": 4}'],
    ['a record in tags', '<weather><city>Oslo</city><state>cloudy</state><degrees>4</degrees></weather>'],
    ['the subject of a sentence', '<weather><city>Oslo</city></weather>\nis the old format.'],
    ['the subject after another line end', '<weather><city>Oslo</city></weather>\r\n    is the old format.'],
    ['a summary', 'Summary of my calls:\n- weather(city="Oslo")\n- ping()\nBoth succeeded.'],
    ['a configuration', 'The configuration:\n\n```json\n{"weather": {"city": "Oslo"}}\n```\n\nSave it.'],
  ])('is reported: %s', (_what, text) => {
    const { calls, rejected } = extractToolCalls(text, { tools: weather, stopped: 'stop' });
    expect({ calls, rejected }).toMatchObject({ calls: [], rejected: [{ name: 'weather' }] });
    expect(rejected[0]?.reason).toMatch(/^(?:mentioned|quotation)$/);
  });

  it.each([
    ['a label', 'weather: {"city": "Oslo", "country": "Norway"}'],
    ['tags', '<weather><city>Oslo</city><country>Norway</country></weather>'],
    ['a line after it', '<weather><city>Oslo</city></weather>\nIs anything else needed?'],
    ['a sentence without a subject after it', '<weather><city>Oslo</city></weather>\nlooks fine, I read it now.'],
    [
      'a change to a configuration',
      'Updating the configuration:\n\n```json\n{"weather": {"city": "Oslo"}}\n```\n\nDone.',
    ],
  ])('can be a call: %s', (_what, text) => {
    expect(extractToolCalls(text, { tools: weather, stopped: 'stop' }).calls).toMatchObject([
      { name: 'weather', arguments: { city: 'Oslo' } },
    ]);
  });
});

it('a call after a shown one that turns out to be the subject of a sentence counts, also in a stream', () => {
  const text = '<weather><city>Oslo</city></weather> is old.\n\n{"name": "weather", "arguments": {"city": "Bern"}}';
  const options = { tools: weather, stopped: 'stop' } as const;
  const whole = extractToolCalls(text, options);
  expect(whole.calls).toMatchObject([{ arguments: { city: 'Bern' } }]);
  expect(followStream(cutText(text, [1]), options)).toMatchObject({ ...whole, problems: [] });
});

describe('a call in YAML', () => {
  it('may contain nested lists', () => {
    const text =
      '<tool_call>\nname: fill\narguments:\n  rows:\n    - - a\n      - 1\n    - - b\n      - null\n</tool_call>';
    expect(callsIn(text)).toEqual([
      [
        'fill',
        {
          rows: [
            ['a', 1],
            ['b', null],
          ],
        },
        true,
      ],
    ]);
  });

  it('without an end is complete if the model stopped by itself, and incomplete otherwise', () => {
    const text = '<tool_call>\nname: fill\narguments:\n  rows: [[1]]';
    expect(callsIn(text, 'stop')).toEqual([['fill', { rows: [[1]] }, false]]);
    expect(extractToolCalls(text, { tools })).toMatchObject({ calls: [], rejected: [{ reason: 'incomplete' }] });
    const named = '<fill>\nsheet: s\nrows:\n  - [1]';
    expect(callsIn(named, 'stop')).toEqual([['fill', { sheet: 's', rows: [[1]] }, false]]);
    expect(callsIn('<fill>\nNote: this tag is only named here.', 'stop')).toEqual([]);
  });

  it('ends at the tag of the next call', () => {
    const text = '<tool_call>\nname: ping\n<tool_call>\nname: fill\narguments:\n  rows: [[2]]\n</tool_call>';
    expect(callsIn(text)).toEqual([
      ['ping', {}, true],
      ['fill', { rows: [[2]] }, true],
    ]);
  });
});

describe('an action', () => {
  it('may follow the closing tag of reasoning on the same line', () => {
    expect(callsIn('<think>Hm.</think>Action: ping\nAction Input: {}')).toEqual([['ping', {}, true]]);
  });

  it('may have empty brackets', () => {
    const options = { tools: weather, stopped: 'stop' } as const;
    const call = { name: 'ping', arguments: {}, complete: true };
    expect(extractToolCalls('Thought: I ping.\nAction: ping[]', options).calls).toMatchObject([call]);
    const { calls, rejected } = extractToolCalls('I note it. Then:\nAction: ping[]', options);
    expect({ calls, rejected }).toMatchObject({ calls: [], rejected: [{ reason: 'mentioned', name: 'ping' }] });
    expect(extractToolCalls('The type is ping[].', options)).toMatchObject({ calls: [], rejected: [] });
  });
});

describe('reasoning, quotations and repetitions', () => {
  const call = '<tool_call>{"name":"ping","arguments":{}}</tool_call>';

  it.each([
    `<Think>${call}</Think>Done.`,
    `<THINKING>\n{"name":"ping","arguments":{}}\n</THINKING>`,
    `<think time="3">${call}</think>Done.`,
    `<think >${call}</think >Done.`,
    `<mm:think>${call}</mm:think>Done.`,
    `<analysis>${call}</analysis>Done.`,
    `<cot>${call}</cot>Done.`,
    `<|begin_of_thought|>${call}<|end_of_thought|>Done.`,
    `<|channel|>analysis<|message|>${call}<|end|>Done.`,
    `<tool_response name="a > b">${call}</tool_response>Done.`,
    `<|tool_response|>${call}<|/tool_response|>Done.`,
    `<result>${call}</result>Done.`,
    `<!-- ${call} -->`,
  ])('contain no call: %s', (text) => {
    expect(callsIn(text, 'stop')).toEqual([]);
  });

  it('do not hide the call that follows', () => {
    for (const before of ['<Think>Hm.</Think>', '<|channel|>analysis<|message|>Hm.<|end|>', '<!-- hm -->\n'])
      expect(callsIn(before + call)).toEqual([['ping', {}, true]]);
  });

  it('may be the name of a tool', () => {
    const reason = [
      { name: 'reason', parameters: { type: 'object', properties: { about: { type: 'string' } } } },
    ] as const;
    const { calls } = extractToolCalls('<reason><about>x</about></reason>', { tools: reason });
    expect(calls).toMatchObject([{ name: 'reason', arguments: { about: 'x' } }]);
  });
});

describe('a call written as code', () => {
  const read = (text: string): readonly unknown[] => {
    const options = { tools: weather, stopped: 'stop' } as const;
    const whole = extractToolCalls(text, options);
    for (const length of [1, 5]) {
      expect(followStream(cutText(text, [length]), options)).toMatchObject({ ...whole, problems: [] });
    }
    return whole.calls.map((call) => [call.name, call.arguments]);
  };

  it.each([
    ['[weather(city=Paris)]', { city: 'Paris' }],
    ['[weather(city=New York, days=3)]', { city: 'New York', days: 3 }],
    ['[weather(days=3, city="Rome", unit=celsius)]', { city: 'Rome', days: 3, unit: 'celsius' }],
    ['[weather(city="Paris"))]', { city: 'Paris' }],
    ['weather(city="Paris"))', { city: 'Paris' }],
    ['weather("city": "Paris: now", "days": 3)', { city: 'Paris: now', days: 3 }],
    ['[weather("Paris: now", "days": 3)]', { city: 'Paris: now', days: 3 }],
    ['<|python_tag|>[weather(city="Paris")]', { city: 'Paris' }],
    ['[TOOL_CALLS][weather(city="Paris")]', { city: 'Paris' }],
    ['<function_calls>\n[weather(city="Paris")]\n</function_calls>', { city: 'Paris' }],
    ['<functioncall>{"name": "weather", "arguments": {"city": "Paris"}}</functioncall>', { city: 'Paris' }],
    ['Action: weather\nAction Input: "Paris"', { city: 'Paris' }],
  ])('is found: %s', (text, expected) => {
    expect(read(text)).toEqual([['weather', expected]]);
  });

  it('may be in its own list', () => {
    expect(read('[[weather(city="Paris")], [ping()]]')).toEqual([
      ['weather', { city: 'Paris' }],
      ['ping', {}],
    ]);
  });

  it.each(['[weather(city=city)]', '[weather(city=user.city)]', '[weather(city=None)]', '[weather(city=get_city())]'])(
    'does not read a variable as text: %s',
    (text) => {
      expect(read(text).filter((call) => JSON.stringify(call).includes('cit'))).toEqual([]);
    },
  );

  it('has a range that includes the quotes around it', () => {
    const text = `<function_call>"weather(city='x')"`;
    const [call] = extractToolCalls(text, { tools: weather }).calls;
    expect(call).toMatchObject({ start: 15, end: text.length });
    expect(call?.repairs.map(({ code, start, end }) => [code, start, end])).toContainEqual([
      'single-quotes',
      15,
      text.length,
    ]);
  });

  it('reports the position of missing quotes', () => {
    const text = "[weather(unit=celsius, city=New York, days='3')]";
    const [call] = extractToolCalls(text, { tools: weather }).calls;
    expect(call).toMatchObject({ risk: 'lossy', end: text.length });
    const spans = call?.repairs.filter(({ code }) => code !== 'unquoted-key');
    expect(spans?.map(({ code, start, end }) => [code, text.slice(start, end)])).toEqual([
      ['unquoted-string', 'celsius'],
      ['unquoted-string', 'New York'],
      ['single-quotes', "'3'"],
    ]);
  });
});

describe('arguments with more than one possible meaning', () => {
  const offered: readonly CallableTool[] = [
    ...weather,
    { name: 'cart', parameters: { type: 'object', properties: { items: { type: 'object' } }, required: ['items'] } },
    { name: 'files.get' },
    { name: 'web.get' },
    { name: 'read_file' },
    { name: 'readFile' },
  ];
  const read = (text: string): readonly unknown[] =>
    extractToolCalls(text, { tools: offered }).calls.map((call) => [call.name, call.arguments]);

  it.each<[string, readonly unknown[]]>([
    ['ping({"host": "a"})', [['ping', { host: 'a' }]]],
    ['weather({"city": "Ulm", "note": 1})', [['weather', { city: 'Ulm', note: 1 }]]],
    ['cart({"items": {"hay": 2}})', [['cart', { items: { hay: 2 } }]]],
    ['functions.readFile(path="a")', [['readFile', { path: 'a' }]]],
    ['[weather(city=New York, unit=None)]', [['weather', { city: 'New York', unit: null }]]],
    ['[weather(city=lambda x: x["a"], days=3)]', [['weather', { city: 'lambda x: x["a"]', days: 3 }]]],
    ['get(path="a")', []],
    ['{"name": "weather", "arguments": {"city": <string>}}', []],
    ['{"name": "weather", "arguments": {"options": {"city": "Ulm"}, "extra": 3}}', []],
  ])('are read only if their meaning is clear: %s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('are incomplete in a line of ReAct that the text ends in, unless the model stopped by itself', () => {
    const text = 'Thought: I look.\nAction: weather: Ber';
    expect(extractToolCalls(text, { tools: weather })).toMatchObject({
      calls: [],
      rejected: [{ reason: 'incomplete' }],
    });
    expect(extractToolCalls(text, { tools: weather, stopped: 'stop' }).calls).toMatchObject([{ complete: true }]);
    expect(extractToolCalls(`${text}\n`, { tools: weather }).calls).toMatchObject([{ complete: true }]);
  });
});
