import { describe, expect, it } from 'vitest';
import { extractToolCalls } from '../../calls.ts';
import { cutText, followStream } from '../../fixtures/follow-stream.ts';

const tools = [
  {
    name: 'weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
  { name: 'ping', parameters: { type: 'object', properties: {} } },
  { name: 'list_ports', parameters: { type: 'object', properties: {} } },
] as const;

const ping = ['ping', {}] as const;
const bern = ['weather', { city: 'Bern' }] as const;
const call = (json: string): string => `<tool_call>${json}</tool_call>`;
const pingCall = call('{"name": "ping", "arguments": {}}');
const weatherCall = call('{"name": "weather", "arguments": {"city": "Bern"}}');

type Row = readonly [text: string, calls: readonly unknown[], reasons: readonly string[]];

const options = (written: string, name = '"weather"'): string =>
  `[TOOL_CALL]{tool => ${name}, args => ${written}[/TOOL_CALL]`;

const arrows: readonly Row[] = [
  [options('{--city "Bern" --days 2}}'), [['weather', { city: 'Bern', days: 2 }]], []],
  [options('{"city": "Bern"}'), [bern], []],
  [options('{--city "Bern"'), [], ['incomplete']],
  [options(`{--city 'Bern --days 2' --days 3}}`, `'weather'`), [['weather', { city: 'Bern --days 2', days: 3 }]], []],
  [options('{--city `Bern --days 2` --days 3}}'), [['weather', { city: 'Bern --days 2', days: 3 }]], []],
  [options('{--city “Bern --days 2” --days 3}}'), [['weather', { city: 'Bern --days 2', days: 3 }]], []],
  [options(`{--city Bern's --days 3}}`), [], ['incomplete']],
];

const actions: readonly Row[] = [
  ['Thought: I need both.\nAction: list_ports\nAction: ping\nObservation:', [['list_ports', {}], ping], []],
  ['Thought: I need both.\nAction: ping\nAction: weather("Bern")\nObservation:', [ping, bern], []],
  [
    'Thought: I need both.\nAction: list_ports\nAction: ping\nAction: weather\nAction Input: {"city": "Bern"}',
    [['list_ports', {}], ping, bern],
    [],
  ],
  ['Thought: I need one.\nAction: list_ports\nAction: ping\nare both unfit.', [], ['mentioned']],
];

const labels: readonly Row[] = [
  ...['Tool results are needed first, so I also call:', 'Tool output is plain text: I call ping too.'].map(
    (line): Row => [`${pingCall}\n${line}\n${weatherCall}`, [ping, bern], []],
  ),
  ...['Tool result (ping): 1', 'Tool result call_1: 1', '**Tool output for ping**: 1', '[Tool result #1]: 1'].map(
    (line): Row => [`${pingCall}\n${line}\n${weatherCall}`, [ping], ['another_turn']],
  ),
];

const results: readonly Row[] = [
  [`${pingCall}\n<results>1</results>\n${weatherCall}`, [ping], ['another_turn']],
  [`${pingCall}\n<details>1</details>\n${weatherCall}`, [ping, bern], []],
];

const reasoning: readonly Row[] = [
  [`<|think|>It rains.<|end|>${weatherCall}`, [bern], []],
  [`<|thinking|>The token is <|end|>.\n${pingCall}<|/thinking|>${weatherCall}`, [bern], ['mentioned']],
];

const names: readonly Row[] = [
  ...['tool:', 'functions:', 'call:default_api:', 'call:files:'].map((prefix): Row => [
    `${prefix}weather {"city": "Bern"}`,
    [bern],
    [],
  ]),
  ...['example:', 'docs:'].map((prefix): Row => [`${prefix}weather {"city": "Bern"}`, [], ['mentioned']]),
  ['{"function": {"name": "weather"}, "name": "call_1", "arguments": {"city": "Bern"}}', [bern], []],
  ['>>>ping\n>>>list_ports\n>>>weather\n{"city": "Bern"}', [ping, ['list_ports', {}], bern], []],
  ['>>>ping\n>>>list_ports\n', [], []],
];

const omitted: readonly Row[] = [
  ['Here: […{"name": "ping"', [], ['incomplete']],
  ['Here: [... , {"name": "ping", "arguments": {}', [], ['incomplete']],
  ['Here: [....{"name": "ping", "arguments": {}', [], ['incomplete']],
];

describe('a text and a stream of its single characters', () => {
  it.each([...arrows, ...actions, ...labels, ...results, ...reasoning, ...names, ...omitted])(
    'come to the same calls: %j',
    (text, calls, reasons) => {
      const whole = extractToolCalls(text, { tools, stopped: 'stop' });
      expect(whole.calls.map((one) => [one.name, one.arguments])).toEqual(calls);
      expect(whole.rejected.map(({ reason }) => reason)).toEqual(reasons);
      const streamed = followStream(cutText(text, [1]), { tools, stopped: 'stop' });
      expect(streamed).toEqual({ ...whole, problems: [] });
    },
  );
});

describe('a text and a stream of long chunks', () => {
  it('come to the same calls if a line far after a call looks like the turn of another speaker', () => {
    const prose = 'It was a long way.\n';
    const text = `${pingCall}\n${prose.repeat(160)}System: Linux\n${prose.repeat(400)}${weatherCall}`;
    const whole = extractToolCalls(text, { tools });
    expect(whole.calls.map(({ name }) => name)).toEqual(['ping', 'weather']);
    const streamed = followStream([text], { tools, startsInReasoning: false });
    expect(streamed).toEqual({ ...whole, problems: [] });
  });
});
