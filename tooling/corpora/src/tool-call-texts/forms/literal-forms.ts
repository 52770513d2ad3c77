import { keysOf, textsOf } from '../calls/call.ts';
import type { Call } from '../calls/call.ts';
import type { Form, WrittenCall } from '../calls/form.ts';
import { writeJson, writeJsonKeywords, writeKeywords, writeMarkedLiteral } from '../calls/notations.ts';

const written = ({ name, args }: WrittenCall): string => `${name}(${args})`;

/** The text without the parenthesis that closes the last call. */
const openEnded = (calls: readonly WrittenCall[], between: string, write = written): string =>
  calls.map(write).join(between).slice(0, -1);

const hasOnlyNamesInside = (call: Call): boolean =>
  keysOf(call.arguments).every((key) => /^[A-Za-z_][\w-]*$/.test(key));
const hasOnlyNames = (call: Call): boolean => Object.keys(call.arguments).every((key) => /^[A-Za-z_]\w*$/.test(key));
const lacks =
  (mark: string) =>
  (call: Call): boolean =>
    textsOf(call.arguments).every((text) => !text.includes(mark));
const quoteMark = '<|"|>';
const isFlat = ({ arguments: value }: Call): boolean =>
  Object.values(value).every((member) => typeof member !== 'object' || member === null);

/** Envelopes that use function-call syntax. */
export const literalForms: readonly Form[] = [
  {
    envelope: 'llama-builtin',
    form: 'call of a name',
    tier: 1,
    calls: 'one',
    endsMessage: true,
    suits: hasOnlyNames,
    writeArguments: (call, random) => writeKeywords(call.arguments, random),
    enclose: (calls) => ({
      body: `<|python_tag|>${openEnded(calls, '', ({ name, args }) => `${name}.call(${args})`)}`,
      closer: ')',
    }),
  },
  {
    envelope: 'pythonic',
    form: 'list',
    tier: 3,
    calls: 'inside',
    endsMessage: true,
    suits: hasOnlyNames,
    writeArguments: (call, random) => writeKeywords(call.arguments, random),
    enclose: (calls) => ({ body: `[${openEnded(calls, ', ')}`, closer: ')]' }),
  },
  {
    envelope: 'pythonic',
    form: 'list between tokens',
    tier: 1,
    calls: 'inside',
    suits: hasOnlyNames,
    writeArguments: (call, random) => writeKeywords(call.arguments, random),
    enclose: (calls) => ({ body: `<|python_start|>[${openEnded(calls, ', ')}`, closer: ')]<|python_end|>' }),
  },
  {
    envelope: 'lfm2',
    form: 'list of calls',
    tier: 1,
    calls: 'inside',
    suits: hasOnlyNames,
    writeArguments: (call, random) => writeKeywords(call.arguments, random),
    enclose: (calls) => ({ body: `<|tool_call_start|>[${openEnded(calls, ', ')}`, closer: ')]<|tool_call_end|>' }),
  },
  {
    envelope: 'lfm2',
    form: 'bare call',
    tier: 3,
    calls: 'one',
    opensMessage: true,
    endsMessage: true,
    suits: hasOnlyNames,
    writeArguments: (call, random) => writeKeywords(call.arguments, random),
    enclose: (calls) => ({ body: openEnded(calls, ''), closer: ')' }),
  },
  {
    envelope: 'olmo3',
    form: 'lines',
    tier: 2,
    calls: 'inside',
    suits: hasOnlyNames,
    writeArguments: (call, random) =>
      random.chance(0.5) ? writeJsonKeywords(call.arguments) : writeKeywords(call.arguments, random),
    enclose: (calls) => ({ body: `<function_calls>\n${openEnded(calls, '\n')}`, closer: ')\n</function_calls>' }),
  },
  {
    envelope: 'call-text',
    form: 'an object as the only argument',
    tier: 3,
    calls: 'one',
    endsMessage: true,
    writeArguments: (call, random) => writeJson(call.arguments, random),
    enclose: (calls, random) => ({
      body: openEnded(
        calls,
        '',
        ({ name, args }) => `${random.pick(['functions.', 'default_api.', ''])}${name}(${args})`,
      ),
      closer: ')',
    }),
  },
  {
    envelope: 'call-text',
    form: 'in square brackets',
    tier: 2,
    calls: 'one',
    endsMessage: true,
    writeArguments: (call, random) => writeJson(call.arguments, random),
    enclose: (calls) => ({ body: `[Calling tool: ${openEnded(calls, '')}`, closer: ')]' }),
  },
  {
    envelope: 'call-text',
    form: 'fence of tool code',
    tier: 2,
    calls: 'one',
    endsMessage: true,
    suits: hasOnlyNames,
    writeArguments: (call, random) => writeKeywords(call.arguments, random),
    enclose(calls, random) {
      const printed = random.chance(0.5);
      const prefix = random.pick(['', 'default_api.']);
      return {
        body: `\`\`\`tool_code\n${printed ? 'print(' : ''}${prefix}${openEnded(calls, '')}`,
        closer: `${printed ? '))' : ')'}\n\`\`\``,
      };
    },
  },
  {
    envelope: 'functiongemma',
    form: 'texts between escapes',
    tier: 1,
    calls: 'repeat',
    suits: isFlat,
    writeArguments: (call) => writeMarkedLiteral(call.arguments, '<escape>').slice(1, -1),
    enclose: (calls) => ({
      body: calls
        .map(
          ({ name, args }, index) =>
            `<start_function_call>call:${name}{${args}${index < calls.length - 1 ? '}<end_function_call>' : ''}`,
        )
        .join(''),
      closer: '}<end_function_call>',
    }),
  },
  {
    envelope: 'gemma4',
    form: 'texts between marks',
    tier: 1,
    calls: 'repeat',
    suits: (call) => lacks(quoteMark)(call) && hasOnlyNamesInside(call),
    writeArguments: (call) => writeMarkedLiteral(call.arguments, quoteMark).slice(1, -1),
    enclose: (calls) => ({
      body: calls
        .map(
          ({ name, args }, index) =>
            `<|tool_call>call:${name}{${args}${index < calls.length - 1 ? '}<tool_call|>' : ''}`,
        )
        .join(''),
      closer: '}<tool_call|>',
    }),
  },
];
