import type { Call } from '../calls/call.ts';
import type { Form, WrittenCall } from '../calls/form.ts';
import {
  writeJson,
  writeJsonWithPythonWords,
  writeJsonWithRawLines,
  writeKeywords,
  writePython,
} from '../calls/notations.ts';
import type { Random } from '../../random.ts';

const json = (call: Call, random: Random): string => writeJson(call.arguments, random);
const keywords = (call: Call, random: Random): string => writeKeywords(call.arguments, random);
const python = (call: Call): string => writePython(call.arguments);

const object = ({ name, args }: WrittenCall): string => `{"name": "${name}", "arguments": ${args}}`;
const dictionary = ({ name, args }: WrittenCall): string => `{'name': '${name}', 'arguments': ${args}}`;

/** The name under which all of these forms are counted, because they belong to no envelope or break one. */
const envelope = 'mangled';

type MangledForm = Omit<Form, 'envelope' | 'calls' | 'enclose'> & {
  readonly calls?: Form['calls'];
  readonly write: (calls: readonly WrittenCall[], random: Random) => string;
};

/** A form whose end can't be removed without losing a part of the call. */
const mangled = ({ write, ...form }: MangledForm): Form => ({
  calls: 'one',
  ...form,
  envelope,
  enclose: (calls, random) => ({ body: write(calls, random), closer: '' }),
});

const first =
  (write: (call: WrittenCall, random: Random) => string) =>
  (calls: readonly WrittenCall[], random: Random): string =>
    calls
      .slice(0, 1)
      .map((call) => write(call, random))
      .join('');

/** Observed forms without an envelope, or with a broken one. */
export const mangledForms: readonly Form[] = [
  mangled({
    form: 'fence with text running on',
    tier: 3,
    opensMessage: true,
    endsMessage: true,
    writeArguments: json,
    write: first(
      (call, random) =>
        `\`\`\`json\n${object(call)}\n\`\`\`\n${random.pick(['This call does it.', 'Now I wait for the result.', 'Here, the values are as asked.'])}`,
    ),
  }),
  mangled({
    form: 'fence with written calls',
    tier: 3,
    endsMessage: true,
    opensMessage: true,
    calls: 'inside',
    suits: hasNames,
    writeArguments: keywords,
    write: (calls, random) =>
      `\`\`\`${random.pick(['python', '', 'tool_code'])}\n[${calls.map(({ name, args }) => `${name}(${args})`).join(', ')}]\n\`\`\``,
  }),
  mangled({
    form: 'object as a Python dictionary',
    tier: 3,
    endsMessage: true,
    writeArguments: python,
    write: first(dictionary),
  }),
  mangled({
    form: 'list of Python dictionaries',
    tier: 3,
    calls: 'inside',
    opensMessage: true,
    endsMessage: true,
    writeArguments: python,
    write: (calls) => `[${calls.map(dictionary).join(', ')}]`,
  }),
  mangled({
    form: 'Python dictionary in a tag',
    tier: 2,
    writeArguments: python,
    write: first((call) => `<tool_call>\n${dictionary(call)}\n</tool_call>`),
  }),
  mangled({
    form: 'whole call as a string of JSON',
    tier: 3,
    opensMessage: true,
    endsMessage: true,
    writeArguments: json,
    write: first((call) => JSON.stringify(object(call))),
  }),
  mangled({
    form: 'whole written call as a string',
    tier: 3,
    opensMessage: true,
    endsMessage: true,
    suits: hasNames,
    writeArguments: keywords,
    write: first(({ name, args }, random) =>
      JSON.stringify(random.chance(0.5) ? `[${name}(${args})]` : `${name}(${args})`),
    ),
  }),
  mangled({
    form: 'template tokens in place of tags',
    tier: 3,
    endsMessage: true,
    opensMessage: true,
    writeArguments: json,
    write: first((call, random) => {
      const [before, after] = random.pick([
        ['<|im_start|>assistant\n', '<|im_end|>'],
        ['<|assistant|>\n', '<|end|>'],
        ['<|start_header_id|>assistant<|end_header_id|>\n\n', '<|eot_id|>'],
        ['<start_of_turn>model\n', '<end_of_turn>'],
        ['[INST]', '[/INST]'],
      ] as const);
      return before + object(call) + after;
    }),
  }),
  mangled({
    form: 'tag opened twice',
    tier: 2,
    writeArguments: json,
    write: first((call) => `<tool_call>\n<tool_call>\n${object(call)}\n</tool_call>`),
  }),
  mangled({
    form: 'tag closed twice',
    tier: 2,
    writeArguments: json,
    write: first((call) => `<tool_call>\n${object(call)}\n</tool_call>\n</tool_call>`),
  }),
  mangled({
    form: 'tag closed by opening it again',
    tier: 2,
    writeArguments: json,
    write: first((call) => `<tool_call>\n${object(call)}\n<tool_call>`),
  }),
  mangled({
    form: 'closing tag only',
    tier: 3,
    opensMessage: true,
    endsMessage: true,
    writeArguments: json,
    write: first((call) => `${object(call)}\n</tool_call>`),
  }),
  mangled({
    form: 'tag around written calls',
    tier: 2,
    calls: 'inside',
    suits: hasNames,
    writeArguments: keywords,
    write: (calls) => `<tool_call>\n[${calls.map(({ name, args }) => `${name}(${args})`).join(', ')}]\n</tool_call>`,
  }),
  mangled({
    form: 'an object as the only argument, in a list',
    tier: 3,
    calls: 'inside',
    opensMessage: true,
    endsMessage: true,
    writeArguments: (call, random) => (random.chance(0.5) ? json(call, random) : python(call)),
    write: (calls) => `[${calls.map(({ name, args }) => `${name}(${args})`).join(', ')}]`,
  }),
  mangled({
    form: 'values by position',
    tier: 3,
    opensMessage: true,
    endsMessage: true,
    suits: (call) => hasNames(call) && !['edit_file', 'run_command'].includes(call.name),
    writeArguments: (call) => Object.values(call.arguments).map(writePython).join(', '),
    write: first(({ name, args }) => `[${name}(${args})]`),
  }),
  mangled({
    form: 'written calls with a prefix',
    tier: 3,
    calls: 'inside',
    opensMessage: true,
    endsMessage: true,
    suits: hasNames,
    writeArguments: keywords,
    write: (calls, random) => {
      const prefix = random.pick(['functions.', 'tools.', 'default_api.']);
      return `[${calls.map(({ name, args }) => `${prefix}${name}(${args})`).join(', ')}]`;
    },
  }),
  mangled({
    form: 'written calls on lines',
    tier: 3,
    calls: 'inside',
    opensMessage: true,
    endsMessage: true,
    suits: hasNames,
    writeArguments: keywords,
    write: (calls) => calls.map(({ name, args }) => `${name}(${args})`).join('\n'),
  }),
  mangled({
    form: 'JSON in a tag, its texts over several lines',
    tier: 2,
    writeArguments: (call) => writeJsonWithRawLines(call.arguments),
    write: first((call) => `<tool_call>\n${object(call)}\n</tool_call>`),
  }),
  mangled({
    form: 'JSON in a tag, words of Python and trailing commas',
    tier: 2,
    writeArguments: (call) => writeJsonWithPythonWords(call.arguments),
    write: first((call) => `<tool_call>\n${object(call).slice(0, -1)},}\n</tool_call>`),
  }),
  mangled({
    form: 'JSON in a tag, a closer missing',
    tier: 2,
    writeArguments: json,
    write: first((call) => `<tool_call>\n${object(call).slice(0, -1)}\n</tool_call>`),
  }),
  mangled({
    form: 'JSON in a tag, a closer too many',
    tier: 2,
    writeArguments: json,
    write: first((call) => `<tool_call>\n${object(call)}}\n</tool_call>`),
  }),
];

function hasNames(call: Call): boolean {
  return Object.keys(call.arguments).every((key) => /^[A-Za-z_]\w*$/.test(key));
}
