import { toolName } from '@haft-tooling/peers/behaviours/agent';
import type { ScriptedAnswer } from './scripted-server.ts';

/** One mistake between a model and a tool. */
export interface Scenario {
  readonly id: string;
  /** Row of the table, continuing "When a model or a tool …". */
  readonly what: string;
  readonly answer: ScriptedAnswer;
  /** Whether the intention of the model is clear despite the mistake. */
  readonly isCertain: boolean;
  /** The arguments that the model meant. Missing if no call may run. */
  readonly meant?: object;
  /** Text of the error that the tool throws. */
  readonly thrown?: string;
  /** Matches an answer to the model that explains the mistake. */
  readonly why: RegExp;
}

const meant = { guests: 3, room: 'blue' };
const call = (args: string, name = toolName): ScriptedAnswer => ({
  call: { name, arguments: args },
  finishReason: 'tool_calls',
});

/** The scenarios, in the order of the rows. */
export const scenarios: readonly Scenario[] = [
  {
    id: 'broken',
    what: 'sends broken JSON: `{guests: 3, \'room\': "blue",}`',
    isCertain: true,
    answer: call(`{guests: 3, 'room': "blue",}`),
    meant,
    why: /json/i,
  },
  {
    id: 'string',
    what: 'sends `"3"` for the integer `3`',
    isCertain: true,
    answer: call('{"guests": "3", "room": "blue"}'),
    meant,
    why: /guests[^]*(?:integer|number)|(?:integer|number)[^]*guests/i,
  },
  {
    id: 'cut',
    what: 'is cut off inside an argument: `{"guests": 3, "room": "blu`',
    isCertain: false,
    answer: { call: { name: toolName, arguments: '{"guests": 3, "room": "blu' }, finishReason: 'length' },
    why: /\bcut\b|truncated|incomplete|token limit|length|unterminated|unexpected end/i,
  },
  {
    id: 'text',
    what: 'writes its call as text: `<tool_call>{"name": …}</tool_call>`',
    isCertain: true,
    answer: {
      text: `I book it.\n<tool_call>\n{"name": "${toolName}", "arguments": {"guests": 3, "room": "blue"}}\n</tool_call>`,
      finishReason: 'stop',
    },
    meant,
    why: /tool_call|as text/i,
  },
  {
    id: 'name',
    what: 'calls a wrong name: `book_rooms` for `book_room`',
    isCertain: false,
    answer: call('{"guests": 3, "room": "blue"}', 'book_rooms'),
    why: /\bbook_room\b|not found|unavailable|unknown|does not exist/i,
  },
  {
    id: 'invalid',
    what: 'sends an invalid argument: `"guests": "many"`',
    isCertain: false,
    answer: call('{"guests": "many", "room": "blue"}'),
    why: /guests/,
  },
  {
    id: 'thrown',
    what: 'calls a tool that throws `new Error("blue is closed on Mondays")`',
    isCertain: false,
    answer: call('{"guests": 3, "room": "blue"}'),
    thrown: 'blue is closed on Mondays',
    why: /closed on Mondays/,
  },
];
