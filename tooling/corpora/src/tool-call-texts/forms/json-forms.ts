import type { Call } from '../calls/call.ts';
import type { Enclosed, Form, WrittenCall } from '../calls/form.ts';
import { writeJson } from '../calls/notations.ts';
import { writePython } from '../calls/notations.ts';
import type { Random } from '../../random.ts';

/** `{"name": …, "arguments": …}` with variants of the keys. */
const callObject = ({ name, args }: WrittenCall, nameKey = 'name', argumentsKey = 'arguments', more = ''): string =>
  `{"${nameKey}": ${JSON.stringify(name)}, ${more}"${argumentsKey}": ${args}}`;

const list = (calls: readonly WrittenCall[], write: (call: WrittenCall) => string): string =>
  `[${calls.map(write).join(', ')}]`;

type JsonForm = Omit<Form, 'writeArguments'>;

/** A form whose arguments are plain JSON. */
const json = (form: JsonForm): Form => ({
  ...form,
  writeArguments: (call: Call, random: Random) => writeJson(call.arguments, random),
});

/** Repeated blocks: all but the last are closed. */
const blocks = (
  calls: readonly WrittenCall[],
  open: (call: WrittenCall, index: number) => string,
  close: string,
  between = '\n',
): Enclosed => ({
  body: calls.map((call, index) => open(call, index) + (index < calls.length - 1 ? close : '')).join(between),
  closer: close,
});

const id = (random: Random): string =>
  Array.from({ length: 9 }, () => 'abcdefgh0123456789ABCDEF'.charAt(random.whole(0, 23))).join('');

/** Envelopes around JSON that special tokens or tags open. */
export const jsonForms: readonly Form[] = [
  json({
    envelope: 'hermes',
    form: 'name first',
    tier: 2,
    calls: 'repeat',
    enclose: (calls) => blocks(calls, (call) => `<tool_call>\n${callObject(call)}`, '\n</tool_call>'),
  }),
  json({
    envelope: 'hermes',
    form: 'arguments first, on one line',
    tier: 2,
    calls: 'repeat',
    enclose: (calls) =>
      blocks(calls, ({ name, args }) => `<tool_call>{"arguments": ${args}, "name": "${name}"}`, '</tool_call>'),
  }),
  json({
    envelope: 'tag-aliases',
    form: 'other tags',
    tier: 2,
    calls: 'one',
    enclose(calls, random) {
      const tag = random.pick(['function_call', 'tool', 'tools', 'response', 'json', 'xml', 'JSON', 'function_calls']);
      return blocks(calls, (call) => `<${tag}>\n${callObject(call)}`, `\n</${tag}>`);
    },
  }),
  json({
    envelope: 'tag-aliases',
    form: 'never closed',
    tier: 2,
    calls: 'repeat',
    endsMessage: true,
    enclose: (calls) => blocks(calls, (call) => `<function_call> ${callObject(call)}`, ''),
  }),
  json({
    envelope: 'tool_calls-array',
    form: 'list',
    tier: 2,
    calls: 'inside',
    enclose: (calls) => ({ body: `<tool_calls>${list(calls, callObjectOnly)}`, closer: '</tool_calls>' }),
  }),
  json({
    envelope: 'tool_calls-array',
    form: 'lines',
    tier: 2,
    calls: 'inside',
    enclose: (calls) => ({ body: `<tool_calls>\n${calls.map(callObjectOnly).join('\n')}`, closer: '\n</tool_calls>' }),
  }),
  json({
    envelope: 'nemotron-toolcall',
    form: 'list',
    tier: 2,
    calls: 'inside',
    enclose: (calls) => ({ body: `<TOOLCALL>${list(calls, callObjectOnly)}`, closer: '</TOOLCALL>' }),
  }),
  json({
    envelope: 'granite3',
    form: 'list after a marker',
    tier: 1,
    calls: 'inside',
    opensMessage: true,
    endsMessage: true,
    enclose: (calls, random) => ({
      body: `${random.pick(['<|tool_call|>', '<tool_call>'])}${list(calls, callObjectOnly)}`,
      closer: '',
    }),
  }),
  json({
    envelope: 'longcat',
    form: 'object',
    tier: 1,
    calls: 'repeat',
    enclose: (calls) => blocks(calls, (call) => `<longcat_tool_call>${callObject(call)}`, '</longcat_tool_call>'),
  }),
  json({
    envelope: 'internlm2',
    form: 'plugin',
    tier: 1,
    calls: 'repeat',
    enclose(calls, random) {
      const key = random.pick(['parameters', 'arguments']);
      const space = random.pick(['', ' ']);
      return blocks(
        calls,
        (call) => `<|action_start|>${space}<|plugin|>\n${callObject(call, 'name', key)}`,
        '<|action_end|>',
      );
    },
  }),
  json({
    envelope: 'apertus',
    form: 'name as key',
    tier: 1,
    calls: 'inside',
    enclose: (calls) => ({
      body: `<|tools_prefix|>${list(calls, ({ name, args }) => `{"${name}": ${args}}`)}`,
      closer: '<|tools_suffix|>',
    }),
  }),
  json({
    envelope: 'functools',
    form: 'list',
    tier: 2,
    calls: 'inside',
    opensMessage: true,
    endsMessage: true,
    enclose: (calls, random) => ({
      body: `${random.pick(['', ' '])}functools${list(calls, callObjectOnly)}`,
      closer: '',
    }),
  }),
  json({
    envelope: 'mistral-json',
    form: 'list',
    tier: 1,
    calls: 'inside',
    enclose: (calls, random) => ({
      body: `[TOOL_CALLS]${random.pick(['', ' '])}${list(calls, (call) => callObject(call, 'name', 'arguments', random.chance(0.3) ? `"id": "${id(random)}", ` : ''))}`,
      closer: random.pick(['', '', '[/TOOL_CALLS]']),
    }),
  }),
  json({
    envelope: 'mistral-args',
    form: 'marker, name, arguments',
    tier: 1,
    calls: 'repeat',
    endsMessage: true,
    enclose(calls, random) {
      const [withId, withArgs] = [random.chance(0.3), random.chance(0.8)];
      return blocks(
        calls,
        ({ name, args }) =>
          `[TOOL_CALLS]${name}${withId ? `[CALL_ID]${id(random)}` : ''}${withArgs || withId ? '[ARGS]' : ''}${args}`,
        '',
        '',
      );
    },
  }),
  json({
    envelope: 'cohere-action',
    form: 'list',
    tier: 1,
    calls: 'inside',
    enclose: (calls) => ({
      body: `<|START_ACTION|>[\n ${calls.map((call, index) => `{"tool_call_id": "${index}", ${callObject(call, 'tool_name', 'parameters').slice(1)}`).join(',\n ')}\n]`,
      closer: '<|END_ACTION|>',
    }),
  }),
  json({
    envelope: 'cohere-legacy',
    leavesText: true,
    form: 'fence after Action:',
    tier: 3,
    calls: 'inside',
    endsMessage: true,
    enclose: (calls, random) => ({
      body: `${random.pick(['Plan: look it up\n', ''])}Action:${random.pick(['\n', ' '])}\`\`\`json\n${list(calls, (call) => callObject(call, 'tool_name', 'parameters'))}`,
      closer: '\n```',
    }),
  }),
  json({
    envelope: 'gigachat3',
    form: 'function call',
    tier: 1,
    calls: 'one',
    endsMessage: true,
    enclose: (calls, random) => ({
      body: `${random.pick(['<|message_sep|>\n\nfunction call<|role_sep|>\n', '<|function_call|>'])}${calls.map(callObjectOnly).join('')}`,
      closer: random.pick(['', '</s>']),
    }),
  }),
  json({
    envelope: 'token-wrapped-json',
    form: 'typed block',
    tier: 1,
    calls: 'repeat',
    enclose: (calls) =>
      blocks(
        calls,
        (call) => `<|message_model|><|content_invoke_tool_json|>${callObject(call, 'name', 'args')}`,
        '<|end_message|>',
        '',
      ),
  }),
  json({
    envelope: 'token-wrapped-json',
    form: 'unused tokens',
    tier: 1,
    calls: 'inside',
    enclose: (calls) => ({ body: `[unused11]${list(calls, callObjectOnly)}`, closer: '[unused12]' }),
  }),
  {
    envelope: 'token-wrapped-json',
    form: 'Python literals',
    tier: 1,
    calls: 'inside',
    endsMessage: true,
    writeArguments: (call) => writePython(call.arguments),
    enclose: (calls) => ({
      body: `<|tool_calls|>${list(calls, ({ name, args }) => `{'name': '${name}', 'arguments': ${args}}`)}`,
      closer: '',
    }),
  },
  json({
    envelope: 'deepseek-v3',
    form: 'fences',
    tier: 1,
    calls: 'inside',
    enclose: (calls) => ({
      body: `<｜tool▁calls▁begin｜>${blocks(calls, ({ name, args }) => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${args}`, '\n```<｜tool▁call▁end｜>').body}`,
      closer: '\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    }),
  }),
  json({
    envelope: 'deepseek-v3.1',
    form: 'raw',
    tier: 1,
    calls: 'inside',
    enclose: (calls) => ({
      body: `<｜tool▁calls▁begin｜>${blocks(calls, ({ name, args }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${args}`, '<｜tool▁call▁end｜>', '').body}`,
      closer: '<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    }),
  }),
  json({
    envelope: 'kimi-k2',
    form: 'section',
    tier: 1,
    calls: 'inside',
    enclose(calls, random) {
      const section = random.chance(0.8);
      const prefix = random.pick(['functions.', 'functions.', '']);
      const open = ({ name, args }: WrittenCall, index: number): string =>
        `<|tool_call_begin|>${prefix}${name}:${index}<|tool_call_argument_begin|>${args}`;
      const { body, closer } = blocks(calls, open, '<|tool_call_end|>', '');
      return section
        ? { body: `<|tool_calls_section_begin|>${body}`, closer: `${closer}<|tool_calls_section_end|>` }
        : { body, closer };
    },
  }),
  json({
    envelope: 'harmony',
    form: 'recipient in the channel',
    tier: 1,
    calls: 'repeat',
    enclose: (calls, random) => {
      const start = random.pick(['<|start|>assistant', '']);
      const open = ({ name, args }: WrittenCall, index: number): string =>
        `${index > 0 ? '<|start|>assistant' : start}<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${args}`;
      return blocks(calls, open, '<|call|>', '');
    },
  }),
  json({
    envelope: 'harmony',
    form: 'recipient in the role',
    tier: 1,
    calls: 'one',
    opensMessage: true,
    enclose: (calls) =>
      blocks(
        calls,
        ({ name, args }) => `<|start|>assistant to=functions.${name}<|channel|>commentary json<|message|>${args}`,
        '<|call|>',
      ),
  }),
  json({
    envelope: 'functionary-recipient',
    form: 'version 2',
    tier: 1,
    calls: 'repeat',
    opensMessage: true,
    endsMessage: true,
    enclose: (calls) =>
      blocks(calls, ({ name, args }) => `<|from|>assistant\n<|recipient|>${name}\n<|content|>${args}`, ''),
  }),
  json({
    envelope: 'functionary-recipient',
    form: 'version 3.2',
    leavesText: true,
    tier: 2,
    calls: 'repeat',
    opensMessage: true,
    endsMessage: true,
    enclose: (calls) =>
      blocks([...calls], ({ name, args }, index) => `${index === 0 ? 'all\nLooking.\n' : ''}>>>${name}\n${args}`, ''),
  }),
  json({
    envelope: 'function-eq-json',
    form: 'name after an equals sign',
    tier: 2,
    calls: 'repeat',
    enclose: (calls, random) => {
      const open = random.chance(0.5)
        ? (name: string): string => `<function=${name}>`
        : (name: string): string => `<function name="${name}">`;
      return blocks(calls, ({ name, args }) => `${open(name)}${args}`, '</function>');
    },
  }),
  json({
    envelope: 'llama3-json',
    form: 'after the Python tag',
    tier: 1,
    calls: 'inside',
    endsMessage: true,
    enclose: (calls, random) => ({
      body: `<|python_tag|>${calls.map((call) => callObject(call, 'name', 'parameters')).join('; ')}`,
      closer: random.pick(['', '<|eom_id|>', '<|eot_id|>']),
    }),
  }),
  json({
    envelope: 'llama3-json',
    form: 'the whole message',
    tier: 3,
    calls: 'inside',
    opensMessage: true,
    endsMessage: true,
    enclose: (calls, random) => ({
      body: calls
        .map((call) =>
          random.chance(0.3)
            ? `{"type": "function", ${callObject(call, 'name', 'parameters').slice(1)}`
            : callObject(call, 'name', 'parameters'),
        )
        .join('; '),
      closer: '',
    }),
  }),
  json({
    envelope: 'mcp-xml',
    form: 'tags around JSON',
    tier: 2,
    calls: 'repeat',
    enclose: (calls, random) =>
      blocks(
        calls,
        ({ name, args }) =>
          `<use_mcp_tool>\n<server_name>${random.pick(['web', 'files'])}</server_name>\n<tool_name>${name}</tool_name>\n<arguments>\n${args}`,
        '\n</arguments>\n</use_mcp_tool>',
      ),
  }),
  json({
    envelope: 'dsml',
    form: 'JSON in invoke',
    tier: 1,
    calls: 'inside',
    enclose: (calls) => ({
      body: `<｜DSML｜tool_calls>\n${blocks(calls, ({ name, args }) => `<｜DSML｜invoke name="${name}">\n${args}`, '\n</｜DSML｜invoke>').body}`,
      closer: '\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    }),
  }),
  json({
    envelope: 'lfm2',
    form: 'JSON list',
    tier: 1,
    calls: 'inside',
    enclose: (calls) => ({ body: `<|tool_call_start|>${list(calls, callObjectOnly)}`, closer: '<|tool_call_end|>' }),
  }),
  json({
    envelope: 'bare-json',
    form: 'one object',
    tier: 3,
    calls: 'one',
    endsMessage: true,
    enclose: (calls, random) => {
      const nameKey = random.pick(['name', 'name', 'tool', 'tool_name', 'function', 'function_name', 'action']);
      const argumentsKey = random.pick([
        'arguments',
        'arguments',
        'parameters',
        'params',
        'args',
        'input',
        'tool_input',
        'action_input',
      ]);
      return { body: calls.map((call) => callObject(call, nameKey, argumentsKey)).join(''), closer: '' };
    },
  }),
  json({
    envelope: 'bare-json',
    form: 'name as key',
    tier: 3,
    calls: 'one',
    opensMessage: true,
    endsMessage: true,
    enclose: (calls) => ({ body: calls.map(({ name, args }) => `{"${name}": ${args}}`).join(''), closer: '' }),
  }),
  json({
    envelope: 'bare-json',
    form: 'objects on lines',
    tier: 3,
    calls: 'inside',
    endsMessage: true,
    enclose: (calls) => ({ body: calls.map(callObjectOnly).join('\n'), closer: '' }),
  }),
  json({
    envelope: 'bare-array',
    form: 'list',
    tier: 3,
    calls: 'inside',
    endsMessage: true,
    enclose: (calls, random) => ({
      body: list(calls, (call) => callObject(call, 'name', random.pick(['arguments', 'parameters']))),
      closer: '',
    }),
  }),
  json({
    envelope: 'openai-object',
    form: 'tool_calls',
    tier: 3,
    calls: 'inside',
    endsMessage: true,
    enclose: (calls, random) => {
      const text = random.chance(0.6);
      const write = ({ name, args }: WrittenCall, index: number): string =>
        `{"id": "call_${index}", "type": "function", "function": {"name": "${name}", "arguments": ${text ? JSON.stringify(args) : args}}}`;
      return { body: `{"tool_calls": [${calls.map(write).join(', ')}]}`, closer: '' };
    },
  }),
  json({
    envelope: 'openai-object',
    form: 'one call',
    tier: 3,
    calls: 'one',
    endsMessage: true,
    enclose: (calls, random) => {
      const write = random.pick([
        (call: WrittenCall): string => `{"tool_call": ${callObject(call)}}`,
        (call: WrittenCall): string => `{"type": "function", "function": ${callObject(call)}}`,
        ({ name, args }: WrittenCall): string =>
          `{"function_call": {"name": "${name}", "arguments": ${JSON.stringify(args)}}}`,
      ]);
      return { body: calls.map(write).join(''), closer: '' };
    },
  }),
  json({
    envelope: 'fenced',
    form: 'one object',
    tier: 3,
    calls: 'one',
    endsMessage: true,
    enclose: (calls, random) => ({
      body: `\`\`\`${random.pick(['json', 'json', 'tool_call', 'tool', ''])}\n${calls.map(callObjectOnly).join('')}`,
      closer: '\n```',
    }),
  }),
  json({
    envelope: 'fenced',
    form: 'several in one fence',
    tier: 3,
    calls: 'inside',
    endsMessage: true,
    enclose: (calls, random) => ({
      body: `\`\`\`json\n${random.chance(0.5) ? list(calls, callObjectOnly) : calls.map(callObjectOnly).join('\n')}`,
      closer: '\n```',
    }),
  }),
  json({
    envelope: 'react',
    leavesText: true,
    form: 'Action and its input',
    tier: 3,
    calls: 'one',
    endsMessage: true,
    enclose: (calls, random) => ({
      body: `${random.pick(['Thought: I have to look.\n', ''])}${calls.map(({ name, args }) => `Action: ${name}\nAction Input: ${args}`).join('\n')}`,
      closer: random.pick(['', '\nObservation:']),
    }),
  }),
];

/** Takes one argument only, because `map` passes more. */
function callObjectOnly(call: WrittenCall): string {
  return callObject(call);
}
