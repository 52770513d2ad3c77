import { describe, expect, it } from 'vitest';
import { extractToolCalls } from '../../calls.ts';
import { cutText, followStream } from '../../fixtures/follow-stream.ts';

const text = { type: 'string' } as const;
const tools = [
  {
    name: 'tide_level',
    parameters: { type: 'object', required: ['port'], properties: { port: text, hour: { type: 'integer' } } },
  },
  {
    name: 'post_note',
    parameters: {
      type: 'object',
      required: ['body'],
      properties: { body: text, tags: { type: 'array', items: text }, meta: { type: 'object' } },
    },
  },
] as const;

const callsIn = (message: string, stopped: 'stop' | 'length' = 'stop'): readonly unknown[] =>
  extractToolCalls(message, { tools, stopped }).calls.map(({ name, arguments: value }) => [name, value]);

describe('calls on labelled lines', () => {
  it.each([
    ['tool: tide_level\nargs:\n  port: Łeba\n  hour: 4\n', [['tide_level', { port: 'Łeba', hour: 4 }]]],
    ['Tool: tide_level\nArguments: {"port": "Łeba"}', [['tide_level', { port: 'Łeba' }]]],
    ['**Tool:** `tide_level`\n\n**Arguments:**\n```json\n{"port": "Łeba"}\n```', [['tide_level', { port: 'Łeba' }]]],
    ['```yaml\nname: tide_level\narguments:\n  port: 007\n```', [['tide_level', { port: '007' }]]],
    [
      '```yaml\n- name: tide_level\n  arguments:\n    port: Łeba\n- name: post_note\n  arguments: {body: done}\n```',
      [
        ['tide_level', { port: 'Łeba' }],
        ['post_note', { body: 'done' }],
      ],
    ],
    [
      'tool_calls:\n  - name: post_note\n    arguments:\n      body: |\n        one\n\n        two\n      meta:\n        a: [1, 2]\n',
      [['post_note', { body: 'one\n\ntwo\n', meta: { a: [1, 2] } }]],
    ],
    ['```yaml\ntool: tide_level\nport: Łeba\nhour: 4\n```', [['tide_level', { port: 'Łeba', hour: 4 }]]],
    [
      'Gleich.\n\nname: tide_level\narguments:\n  port: Łeba\n\nMehr brauche ich nicht.',
      [['tide_level', { port: 'Łeba' }]],
    ],
  ])('are read: %j', (message, expected) => {
    expect(callsIn(message)).toEqual(expected);
  });

  it.each([
    ['a configuration', '```yaml\nname: tide_level\non: push\n```'],
    ['a configuration with the name as a key', '```yaml\ntide_level:\n  port: Łeba\n```'],
    ['undeclared keys beside the name', '```yaml\ntool: tide_level\nport: Łeba\ncolour: grey\n```'],
    ['missing arguments', '```yaml\nname: tide_level\narguments:\n  hour: 4\n```'],
    ['the types of the arguments', '```yaml\nname: tide_level\nparameters:\n  port: string\n  hour: integer\n```'],
    ['a schema', '```yaml\nname: tide_level\nparameters:\n  port:\n    type: string\n```'],
    ['prose behind the label', 'Tool: tide_level\nThis tool knows the tide. Arguments: a port.'],
    ['an example', 'The format is:\n```yaml\nname: tide_level\narguments:\n  port: Łeba\n```\nReplace the port.'],
  ])('are not found in %s', (_what, message) => {
    expect(callsIn(message)).toEqual([]);
  });

  it('are incomplete if the text is cut in them', () => {
    const cut = 'name: tide_level\narguments:\n  port: Łe';
    const { calls, rejected } = extractToolCalls(cut, { tools, stopped: 'length' });
    expect({ calls, rejected }).toMatchObject({ calls: [], rejected: [{ reason: 'incomplete', name: 'tide_level' }] });
  });

  it('are the same in a stream, whatever its chunks', () => {
    for (const message of [
      'Gleich.\n\n**Tool:** `tide_level`\n**Arguments:**\n```json\n{"port": "Łeba"}\n```\n\nDone.',
      '```yaml\n- name: tide_level\n  arguments:\n    port: Łeba\n- name: post_note\n  arguments: {body: done}\n```',
      'tool: post_note\nargs:\n  body: >-\n    one\n    two\n',
    ]) {
      for (const length of [1, 2, 5]) {
        const { problems, ...streamed } = followStream(cutText(message, [length]), { tools, stopped: 'stop' });
        expect({ ...streamed, problems }).toEqual({
          ...extractToolCalls(message, { tools, stopped: 'stop' }),
          problems: [],
        });
      }
    }
  });
});

describe('an action of ReAct in a fence', () => {
  it('is read, with the thought before it', () => {
    const fence =
      '```\nThought: the port is known.\nAction: tide_level\nAction Input: {"port": "Łeba"}\nObservation:\n```';
    expect(callsIn(`Gleich.\n\n${fence}\n\nMehr brauche ich nicht.`)).toEqual([['tide_level', { port: 'Łeba' }]]);
  });

  it('ends with the fence if its input is plain text', () => {
    expect(callsIn('```\nAction: tide_level\nAction Input: Łeba\n```\n\nMehr brauche ich nicht.')).toEqual([
      ['tide_level', { port: 'Łeba' }],
    ]);
  });
});

describe('an action of ReAct before a result that the model made up', () => {
  it('has its repairs within its own text', () => {
    const message = 'Action: tide_level\nAction Input: {port: Łeba]\nObservation: 3 m';
    const [call] = extractToolCalls(message, { tools }).calls;
    expect(call).toMatchObject({ end: message.indexOf('\nObservation'), arguments: { port: 'Łeba]' } });
    expect(call?.repairs.filter(({ end }) => end > call.end)).toEqual([]);
  });
});

describe('a call after another call', () => {
  it('is not quoted by quotation marks inside the call before it', () => {
    const call = (port: string): string => `<function=tide_level>\n<parameter=port>${port}</parameter>\n</function>\n`;
    const message = call(`the 'old' "quay' at Łeba`) + call('Ustka') + call(`'Hel'`);
    expect(callsIn(message)).toHaveLength(3);
  });
});

describe('text that looks like a call', () => {
  it.each([
    ['a command', '```bash\ntide_level --port Łeba\n```'],
    ['a line with a path', 'tide_level ports/north.txt'],
    ['assignments', 'Now tide_level with port=Łeba.'],
    ['the name as a key', '```yaml\ntide_level:\n  port: Łeba\n```'],
    ['brackets', 'Action: tide_level[Łeba]'],
    ['a labelled text', 'Tool: tide_level\nInput: Łeba'],
    ['labels of another language', 'Werkzeug: tide_level\nArgumente: {"port": "Łeba"}'],
    ['labels of full width', '工具：tide_level\n参数：{"port": "Łeba"}'],
    ['an attribute', '<step tool="tide_level" port="Łeba"/>'],
    ['a tag', '<step><tool>tide_level</tool><port>Łeba</port></step>'],
    ['a list of Lisp', '(tide_level "Łeba")'],
    ['a tag with a space in its name', '<tide_ level>\n<port>Łeba</port>\n</tide_level>'],
    ['a path before an object', 'POST /tools/tide_level\n\n{"port": "Łeba"}'],
  ])('is reported: %s', (_what, message) => {
    const { calls, rejected } = extractToolCalls(message, { tools, stopped: 'stop' });
    expect({ calls, rejected }).toMatchObject({ calls: [], rejected: [{ name: 'tide_level' }] });
    expect(rejected[0]?.hint).toContain('{"name": "tide_level", "arguments": {"port": "…"}}');
  });

  it('is reported under its undeclared name, with a hint to call another tool', () => {
    const message =
      'As in this message:\n```json\n{"name": "moon_phase", "arguments": {"day": 3}}\n```\nReplace the day.';
    const { rejected } = extractToolCalls(message, { tools, stopped: 'stop' });
    expect(rejected).toMatchObject([{ reason: 'mentioned', name: 'moon_phase' }]);
    expect(rejected[0]?.hint).toBe('Call one of the tools that were offered instead of moon_phase.');
  });

  it.each([
    ['prose', 'You can use tide_level for that; tide_level is fast. Tide_level knows ports.'],
    ['a list of tools', '- tide_level: knows the tide\n- post_note: writes it down'],
    ['a name at the beginning of a line', 'The tool is\ntide_level and it works well.'],
    ['data', 'The entry {"name": "Bob", "input": {"age": 3}} is new.'],
  ])('does not include %s', (_what, message) => {
    expect(extractToolCalls(message, { tools, stopped: 'stop' }).rejected).toEqual([]);
  });
});

describe('a thought before a call', () => {
  const call = 'Action: tide_level\nAction Input: {"port": "Łeba"}';
  it.each([
    `An example of such a trace:\n\nThought: I need the tide.\n${call}\nObservation: 2 m\n\nThat is how it works.`,
    `A trace looks like this:\n\nQuestion: Which tide?\nThought: I look.\n${call}\nObservation: 2 m\nFinal Answer: 2 m`,
    `For example:\nThought: I need the tide.\n${call}`,
  ])('does not hide that the call is an example: %j', (message) => {
    const { calls, rejected } = extractToolCalls(message, { tools, stopped: 'stop' });
    expect({ calls, rejected }).toMatchObject({ calls: [], rejected: [{ name: 'tide_level' }] });
  });

  it.each([
    `Thought: I need the tide.\n${call}`,
    `I look.\n\nThought: The tide of Łeba, for example:\n${call}`,
    `Question: For example, the tide?\nThought: I look.\n${call}\nObservation: 2 m`,
  ])('does not make it one: %j', (message) => {
    expect(callsIn(message)).toEqual([['tide_level', { port: 'Łeba' }]]);
  });
});

describe('a result that the model made up', () => {
  const call = (port: string): string => `Thought: I look.\nAction: tide_level\nAction Input: {"port": "${port}"}\n`;
  it.each(['Observation: 2 m', 'Observation:\n2 m', 'Observation:\r\n\r\n2 m', 'Observation:\nActions take time'])(
    'ends what counts: %j',
    (result) => {
      const message = `${call('Łeba')}${result}\n${call('Hel')}`;
      const { calls, rejected } = extractToolCalls(message, { tools, stopped: 'stop' });
      expect({ calls, rejected }).toMatchObject({
        calls: [{ arguments: { port: 'Łeba' } }],
        rejected: [{ reason: 'another_turn' }],
      });
    },
  );

  it.each(['Observation:', 'Observation:\n'])('is not there after the label alone: %j', (label) => {
    expect(callsIn(`${call('Łeba')}${label}\n${call('Hel')}`)).toHaveLength(2);
  });
});
