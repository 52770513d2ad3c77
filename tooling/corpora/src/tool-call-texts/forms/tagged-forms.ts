import type { JsonObject, JsonValue } from '@haft/repair';

import type { Call } from '../calls/call.ts';
import { isTyped, keysOf, textsOf } from '../calls/call.ts';
import type { Form, WrittenCall } from '../calls/form.ts';
import { writeTagValue, writeYaml } from '../calls/notations.ts';

const pairs =
  (write: (key: string, value: JsonValue) => string, between = '\n') =>
  (call: Call): string =>
    Object.entries(call.arguments)
      .map(([key, value]) => write(key, value))
      .join(between);

/** Repeated blocks: all but the last are closed. */
const blocks = (
  calls: readonly WrittenCall[],
  open: (call: WrittenCall, index: number) => string,
  close: string,
  between = '\n',
): string => calls.map((call, index) => open(call, index) + (index < calls.length - 1 ? close : '')).join(between);

const isTagName = (text: string): boolean => /^[A-Za-z_][\w-]*$/.test(text);

/** Whether nested tags can hold the value: every key is a tag name, and no text contains markup. */
const isNestable = ({ name, arguments: value }: Call): boolean =>
  name !== 'query_table' &&
  keysOf(value).every(isTagName) &&
  textsOf(value).every((text) => !/[<>&]/.test(text) && text !== '');

/** Tags named after keys, with lists as items. */
function writeNested(value: JsonObject, tag: (name: string, inside: string) => string): string {
  const write = (item: JsonValue): string => {
    if (Array.isArray(item)) return item.map((one) => tag('item', write(one))).join('');
    if (typeof item === 'object' && item !== null)
      return Object.entries(item)
        .map(([key, member]) => tag(key, write(member)))
        .join('');
    return writeTagValue(item);
  };
  return write(value);
}

const hasNoMarkup = (call: Call): boolean => textsOf(call.arguments).every((text) => !/<\/?\w/.test(text));

const mini = ']<]minimax[>[';

/** Envelopes whose arguments are tags, one per argument. */
const formsOfTags: readonly Form[] = [
  {
    envelope: 'longcat',
    form: 'keys and values',
    tier: 1,
    calls: 'repeat',
    trims: true,
    writeArguments: pairs(
      (key, value) =>
        `<longcat_arg_key>${key}</longcat_arg_key>\n<longcat_arg_value>${writeTagValue(value)}</longcat_arg_value>`,
    ),
    enclose: (calls) => ({
      body: blocks(calls, ({ name, args }) => `<longcat_tool_call>${name}${args}`, '</longcat_tool_call>'),
      closer: '</longcat_tool_call>',
    }),
  },
  {
    envelope: 'qwen3-coder',
    form: 'lines',
    tier: 2,
    calls: 'repeat',
    writeArguments: pairs((key, value) => `<parameter=${key}>\n${writeTagValue(value)}\n</parameter>`),
    enclose: (calls) => ({
      body: blocks(
        calls,
        ({ name, args }) => `<tool_call>\n<function=${name}>${args === '' ? '' : '\n'}${args}`,
        '\n</function>\n</tool_call>',
      ),
      closer: '\n</function>\n</tool_call>',
    }),
  },
  {
    envelope: 'qwen3-coder',
    form: 'without the outer tag',
    tier: 2,
    calls: 'repeat',
    trims: true,
    writeArguments: pairs((key, value) => `<parameter=${key}>${writeTagValue(value)}</parameter>`),
    enclose: (calls) => ({
      body: blocks(calls, ({ name, args }) => `<function=${name}>\n${args}`, '\n</function>'),
      closer: '\n</function>',
    }),
  },
  {
    envelope: 'glm',
    form: 'keys and values',
    tier: 2,
    calls: 'repeat',
    trims: true,
    writeArguments: pairs((key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${writeTagValue(value)}</arg_value>`),
    enclose: (calls) => ({
      body: blocks(calls, ({ name, args }) => `<tool_call>${name}\n${args}`, '\n</tool_call>'),
      closer: '\n</tool_call>',
    }),
  },
  {
    envelope: 'glm',
    form: 'on one line',
    tier: 2,
    calls: 'repeat',
    trims: true,
    writeArguments: pairs(
      (key, value) => `<arg_key>${key}</arg_key><arg_value>${writeTagValue(value)}</arg_value>`,
      '',
    ),
    enclose: (calls) => ({
      body: blocks(calls, ({ name, args }) => `<tool_call>${name}${args}`, '</tool_call>', ''),
      closer: '</tool_call>',
    }),
  },
  {
    envelope: 'hunyuan-v3',
    form: 'keys and values',
    tier: 2,
    calls: 'inside',
    trims: true,
    writeArguments: pairs((key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${writeTagValue(value)}</arg_value>`),
    enclose: (calls) => ({
      body: `<tool_calls>\n${blocks(calls, ({ name, args }) => `<tool_call>${name}<tool_sep>\n${args}`, '\n</tool_call>')}`,
      closer: '\n</tool_call>\n</tool_calls>',
    }),
  },
  {
    envelope: 'invoke-xml',
    form: 'namespaced wrapper',
    tier: 1,
    calls: 'inside',
    writeArguments: pairs((key, value) => `<parameter name="${key}">${writeTagValue(value)}</parameter>`),
    enclose: (calls) => ({
      body: `<minimax:tool_call>\n${blocks(calls, ({ name, args }) => `<invoke name="${name}">\n${args}`, '\n</invoke>')}`,
      closer: '\n</invoke>\n</minimax:tool_call>',
    }),
  },
  {
    envelope: 'invoke-xml',
    form: 'function_calls',
    tier: 2,
    calls: 'inside',
    trims: true,
    writeArguments: pairs((key, value) => `<parameter name="${key}">${writeTagValue(value)}</parameter>`),
    enclose: (calls) => ({
      body: `<function_calls>\n${blocks(calls, ({ name, args }) => `<invoke name="${name}">\n${args}`, '\n</invoke>')}`,
      closer: '\n</invoke>\n</function_calls>',
    }),
  },
  {
    envelope: 'invoke-xml',
    form: 'oldest',
    tier: 2,
    calls: 'inside',
    suits: isNestable,
    trims: true,
    writeArguments: pairs((key, value) => `<${key}>${writeTagValue(value)}</${key}>`, ''),
    enclose: (calls) => ({
      body: `<function_calls>${blocks(calls, ({ name, args }) => `<invoke><tool_name>${name}</tool_name><parameters>${args}`, '</parameters></invoke>', '')}`,
      closer: '</parameters></invoke></function_calls>',
    }),
  },
  {
    envelope: 'dsml',
    form: 'typed parameters',
    tier: 1,
    calls: 'inside',
    writeArguments: pairs(
      (key, value) =>
        `<｜DSML｜parameter name="${key}" string="${typeof value === 'string'}">${writeTagValue(value)}</｜DSML｜parameter>`,
    ),
    enclose: (calls) => ({
      body: `<｜DSML｜function_calls>\n${blocks(calls, ({ name, args }) => `<｜DSML｜invoke name="${name}">\n${args}`, '\n</｜DSML｜invoke>')}`,
      closer: '\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    }),
  },
  {
    envelope: 'step3',
    form: 'invoke',
    tier: 1,
    calls: 'inside',
    trims: true,
    writeArguments: pairs(
      (key, value) => `<steptml:parameter name="${key}">${writeTagValue(value)}</steptml:parameter>`,
    ),
    enclose: (calls) => ({
      body: `<｜tool_calls_begin｜>\n${blocks(calls, ({ name, args }) => `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="${name}">\n${args}`, '\n</steptml:invoke><｜tool_call_end｜>')}`,
      closer: '\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>',
    }),
  },
  {
    envelope: 'minimax-m3',
    form: 'nested',
    tier: 1,
    calls: 'inside',
    trims: true,
    suits: isNestable,
    writeArguments: (call) =>
      writeNested(call.arguments, (name, inside) => `${mini}<${name}>${inside}${mini}</${name}>`),
    enclose: (calls) => ({
      body: `${mini}<tool_call>${blocks(calls, ({ name, args }) => `${mini}<invoke name="${name}">${args}`, `${mini}</invoke>`, '')}`,
      closer: `${mini}</invoke>${mini}</tool_call>`,
    }),
  },
  {
    envelope: 'kimi-k3',
    form: 'typed arguments',
    tier: 1,
    calls: 'inside',
    writeArguments: pairs(
      (key, value) =>
        `<|open|>argument key="${key}" type="${typeName(value)}"<|sep|>${writeTagValue(value)}<|close|>argument<|sep|>`,
      '',
    ),
    enclose: (calls) => ({
      body: `<|open|>tools<|sep|>${blocks(calls, ({ name, args }, index) => `<|open|>call tool="${name}" index="${index}"<|sep|>${args}`, '<|close|>call<|sep|>', '')}`,
      closer: '<|close|>call<|sep|><|close|>tools<|sep|>',
    }),
  },
  {
    envelope: 'minicpm5',
    form: 'parameters',
    tier: 2,
    calls: 'repeat',
    trims: true,
    suits: hasNoMarkup,
    writeArguments: pairs((key, value) => `<param name="${key}">${writeTagValue(value)}</param>`, ''),
    enclose: (calls) => ({
      body: blocks(calls, ({ name, args }) => `<function name="${name}">${args}`, '</function>'),
      closer: '</function>',
    }),
  },
  {
    envelope: 'minicpm5',
    form: 'character data',
    tier: 2,
    calls: 'repeat',
    suits: ({ arguments: value }) => textsOf(value).every((text) => !text.includes(']]>')),
    writeArguments: pairs(
      (key, value) =>
        `<param name="${key}">${typeof value === 'string' ? `<![CDATA[${value}]]>` : JSON.stringify(value)}</param>`,
      '',
    ),
    enclose: (calls) => ({
      body: blocks(calls, ({ name, args }) => `<function name="${name}">${args}`, '</function>'),
      closer: '</function>',
    }),
  },
  {
    envelope: 'morph-xml',
    form: 'tags named after the tool',
    tier: 2,
    calls: 'repeat',
    trims: true,
    suits: isNestable,
    writeArguments: (call) => writeNested(call.arguments, (name, inside) => `\n<${name}>${inside}</${name}>`),
    enclose: (calls) => {
      const close = ({ name }: WrittenCall): string => `\n</${name}>`;
      const closers = calls.map(close);
      return {
        body: calls
          .map((call, index) => `<${call.name}>${call.args}${index < calls.length - 1 ? close(call) : ''}`)
          .join('\n'),
        closer: closers.at(-1) ?? '',
      };
    },
  },
  {
    envelope: 'yaml-body',
    form: 'tags named after the tool',
    tier: 2,
    calls: 'one',
    suits: ({ arguments: value }) =>
      Object.keys(value).length > 0 && textsOf(value).every((text) => !/[^\n -~]/.test(text)),
    writeArguments: (call) => writeYaml(call.arguments, ''),
    enclose: ([call]) => ({ body: `<${call?.name ?? ''}>${call?.args ?? ''}`, closer: `\n</${call?.name ?? ''}>` }),
  },
  {
    envelope: 'yaml-body',
    form: 'name and arguments',
    tier: 2,
    calls: 'repeat',
    suits: ({ arguments: value }) =>
      Object.keys(value).length > 0 && textsOf(value).every((text) => !/[^\n -~]/.test(text)),
    writeArguments: (call) => writeYaml(call.arguments, '  '),
    enclose: (calls) => ({
      body: blocks(calls, ({ name, args }) => `<tool_call>\nname: ${name}\narguments:${args}`, '\n</tool_call>'),
      closer: '\n</tool_call>',
    }),
  },
];

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Tags have no types, so these forms only contain declared arguments. */
export const taggedForms: readonly Form[] = formsOfTags.map((form) => ({
  ...form,
  suits: (call) => (form.suits?.(call) ?? true) && isTyped(call),
}));
