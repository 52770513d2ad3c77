import type { Aspect, Damage } from './damage.ts';
import type { Draft } from '../../json-documents/draft.ts';
import { placesOf, rewrite, writtenText } from '../../json-documents/draft.ts';
import { pickOfRow } from '../../random.ts';
import type { Random } from '../../random.ts';

function wrapper(
  name: string,
  touches: readonly Aspect[],
  wrap: (text: string, random: Random, draft: Draft) => string,
  parses?: true,
): Damage {
  return {
    name,
    group: 'wrapper',
    touches,
    ...(parses === undefined ? {} : { parses }),
    apply: (draft, random) => ({ ...draft, text: wrap(writtenText(draft), random, draft) }),
  };
}

const around: readonly Aspect[] = ['before', 'after'];
const whole: readonly Aspect[] = ['before', 'after', 'whole', 'strings', 'delimiters', 'keys'];

const openings = [
  'Here are the arguments:',
  'I will call the tool now.',
  'Sure! Let me do that for you:',
  "Okay, that's clear. Arguments below.",
  'The file exists already, so I replace it:\n',
  '**Tool call**',
  'Calling the tool with:',
  'Certainly, here is the JSON you asked for.',
  '以下は引数です：',
  '> as requested\n',
  'Response (v2):',
  "I've checked the docs; it's safe. JSON ->",
] as const;
const closings = [
  'Let me know if anything is missing.',
  "That's all.",
  'I will wait for the result.',
  'Note: this does not change other files.',
  'Done!',
  'Hope this helps :)',
  'This sets "path" and the rest as asked.',
  '-- end of call --',
  'Explanation:\n- it is short\n- it is safe',
  '以上です。',
] as const;
const bracedOpenings = [
  'I fill in {name} and {value} first, then send:',
  'The schema is {path, content}; here it is:',
  'As in `{"path": ...}`, I pass:',
  'Using [1] and {x} from above.',
  'Replace {{placeholder}} with the real name:',
  'Given {a: number, b?: string}, the call is',
  'The template "Hello, {user}!" stays; arguments:',
  'if (x) { run() } becomes this call:',
  'Per [the docs](https://example.com/{id}) I send:',
  'Unlike {} or [], this has members:',
] as const;
const thoughts = [
  'The user wants this done. I need the path.',
  'Let me think: should it be {"path": "a.txt"}? No, something else.',
  'First {a}, then [b]. The arguments are clear now.',
  "I'd better check the name; it is fine.",
  'Options:\n1. {"dry": true}\n2. the real one\nI take 2.',
  'They said "now", so now.',
  'Format: {"key": "value", ...}. OK.',
  'Hmm. <b>Not</b> that one.',
] as const;

const newlines = (random: Random): string => random.pick(['\n', '\n\n', ' ']);
const fence = (text: string, random: Random): string =>
  `\`\`\`${pickOfRow(random, ['json', 'json', '', 'JSON', 'javascript', 'js', 'json5', 'tool_call', 'jsonc', 'text'])}\n${text}\n\`\`\``;

export const wrapperDamages: readonly Damage[] = [
  wrapper('assignment', around, (text, random) => {
    const [before, after] = pickOfRow(random, [
      ['const args = ', ';'],
      ['args = ', ''],
      ['let input = ', ';\n'],
      ['arguments: ', ''],
      ['var params=', ''],
      ['export default ', ';'],
      ['tool_input = ', '\n'],
      ['parameters := ', ''],
      ['return ', ';'],
      ['data: dict = ', ''],
    ] as const);
    return before + text + after;
  }),
  {
    name: 'byte order mark and hard spaces',
    group: 'wrapper',
    touches: ['before', 'spaces'],
    apply(draft, random) {
      const hard = rewrite(draft, placesOf(draft, 'space'), ({ text }) => text.replaceAll(' ', '\u00A0')) ?? draft;
      const [mark, spaces] = random.pick([[true, true], [true, false], [false, true]] as const); // prettier-ignore
      const written = writtenText(spaces ? hard : draft);
      return { ...(spaces ? hard : draft), text: mark ? `\uFEFF${written}` : written };
    },
  },
  wrapper('encoded twice', whole, (text) => JSON.stringify(text), true),
  wrapper('encoded twice, without outer quotes', whole, (text) => JSON.stringify(text).slice(1, -1)),
  wrapper('encoded twice, in single quotes', whole, (text) => `'${JSON.stringify(text).slice(1, -1)}'`),
  wrapper('fence', around, fence),
  wrapper('fence that is never closed', around, (text, random) => fence(text, random).slice(0, -4)),
  wrapper('fence in prose', around, (text, random) =>
    [pickOfRow(random, openings), fence(text, random), pickOfRow(random, closings)].join(
      newlines(random).replace(' ', '\n'),
    ),
  ),
  wrapper('function call', around, (text, random, { shape }) => `${shape.name}(${text})${random.pick(['', ';'])}`),
  wrapper('escaped for HTML', whole, (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ),
  wrapper('prose after', ['after'], (text, random) => text + newlines(random) + pickOfRow(random, closings)),
  wrapper('prose before', ['before'], (text, random) => pickOfRow(random, openings) + newlines(random) + text),
  wrapper('prose on both sides', around, (text, random) =>
    [pickOfRow(random, openings), text, pickOfRow(random, closings)].join(newlines(random)),
  ),
  wrapper('prose with braces', around, (text, random) => {
    const after = random.chance(0.5) ? newlines(random) + pickOfRow(random, closings) : '';
    return pickOfRow(random, bracedOpenings) + newlines(random) + text + after;
  }),
  wrapper('special tokens', around, (text, random, { shape }) => {
    const [before, after] = pickOfRow(random, [
      ['<|tool_call|>', '<|im_end|>'],
      ['', '<|im_end|>'],
      ['[TOOL_CALLS]', '</s>'],
      ['<|python_tag|>', '<|eom_id|>'],
      [`<|channel|>commentary to=${shape.name}<|message|>`, '<|call|>'],
      ['', '<|eot_id|>'],
      ['<|tool_calls_begin|>', '<|tool_calls_end|>'],
      ['', '<|endoftext|>'],
      ['<|assistant|>', '<|end|>'],
      ['<start_of_turn>model\n', '<end_of_turn>'],
      ['<tool_call>', ''],
      ['', '</tool_call>'],
    ] as const);
    return before + text + after;
  }),
  wrapper(
    'reasoning before',
    ['before'],
    (text, random) => `<think>\n${pickOfRow(random, thoughts)}\n</think>${newlines(random)}${text}`,
  ),
  wrapper('XML around', around, (text, random, { shape }) => {
    const tag = pickOfRow(random, [
      'arguments',
      'tool_input',
      'json',
      shape.name,
      'parameters',
      'output',
      'function_args',
      'result',
    ]);
    const space = random.pick(['', '\n']);
    return `<${tag}>${space}${text}${space}</${tag}>`;
  }),
];
