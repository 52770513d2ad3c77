import type { Aspect, Damage } from '../damage.ts';
import type { Draft } from '../draft.ts';
import { placesOf, rewrite, writtenText } from '../draft.ts';
import type { Random } from '../random.ts';

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
] as const;
const closings = [
  'Let me know if anything is missing.',
  "That's all.",
  'I will wait for the result.',
  'Note: this does not change other files.',
  'Done!',
] as const;
const bracedOpenings = [
  'I fill in {name} and {value} first, then send:',
  'The schema is {path, content}; here it is:',
  'As in `{"path": ...}`, I pass:',
  'Using [1] and {x} from above.',
  'Replace {{placeholder}} with the real name:',
] as const;
const thoughts = [
  'The user wants this done. I need the path.',
  'Let me think: should it be {"path": "a.txt"}? No, something else.',
  'First {a}, then [b]. The arguments are clear now.',
  "I'd better check the name; it is fine.",
] as const;

const newlines = (random: Random): string => random.pick(['\n', '\n\n', ' ']);
const fence = (text: string, random: Random): string =>
  `\`\`\`${random.pick(['json', 'json', '', 'JSON', 'javascript'])}\n${text}\n\`\`\``;

export const wrapperDamages: readonly Damage[] = [
  wrapper('assignment', around, (text, random) => {
    const [before, after] = random.pick([
      ['const args = ', ';'],
      ['args = ', ''],
      ['let input = ', ';\n'],
      ['arguments: ', ''],
      ['var params=', ''],
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
    [random.pick(openings), fence(text, random), random.pick(closings)].join(newlines(random).replace(' ', '\n')),
  ),
  wrapper('function call', around, (text, random, { shape }) => `${shape.name}(${text})${random.pick(['', ';'])}`),
  wrapper('escaped for HTML', whole, (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ),
  wrapper('prose after', ['after'], (text, random) => text + newlines(random) + random.pick(closings)),
  wrapper('prose before', ['before'], (text, random) => random.pick(openings) + newlines(random) + text),
  wrapper('prose on both sides', around, (text, random) =>
    [random.pick(openings), text, random.pick(closings)].join(newlines(random)),
  ),
  wrapper('prose with braces', around, (text, random) => {
    const after = random.chance(0.5) ? newlines(random) + random.pick(closings) : '';
    return random.pick(bracedOpenings) + newlines(random) + text + after;
  }),
  wrapper('special tokens', around, (text, random, { shape }) => {
    const [before, after] = random.pick([
      ['<|tool_call|>', '<|im_end|>'],
      ['', '<|im_end|>'],
      ['[TOOL_CALLS]', '</s>'],
      ['<|python_tag|>', '<|eom_id|>'],
      [`<|channel|>commentary to=${shape.name}<|message|>`, '<|call|>'],
      ['', '<|eot_id|>'],
    ] as const);
    return before + text + after;
  }),
  wrapper(
    'reasoning before',
    ['before'],
    (text, random) => `<think>\n${random.pick(thoughts)}\n</think>${newlines(random)}${text}`,
  ),
  wrapper('XML around', around, (text, random, { shape }) => {
    const tag = random.pick(['arguments', 'tool_input', 'json', shape.name]);
    const space = random.pick(['', '\n']);
    return `<${tag}>${space}${text}${space}</${tag}>`;
  }),
];
