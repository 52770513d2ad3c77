import type { Envelope } from '../contract/envelope.ts';
import { namedEnvelope, type NamedEnvelopeParts } from './envelope-makers.ts';
import { closingTags, openingTags, tagNames, toolName } from '../notations/tags/tag-names.ts';

// Distilled models spell the tokens of DeepSeek with other bars, other underscores, or spaces.
const spellings = ['｜', '|'].flatMap((bar) => ['▁', '_', ' '].map((space) => ({ bar, space })));

const deepseekOpeners = spellings.flatMap(({ bar, space }) => [
  `<${bar}tool${space}calls`,
  `<${bar}tool${space}call${space}begin`,
]);
const deepseekWordOpeners = spellings.map(({ bar, space }) => `function<${bar}tool${space}sep`);

const deepseekClosers = (word: string): readonly string[] =>
  spellings.map(({ bar, space }) => `<${bar}tool${space}${word}${space}end${bar}>`);

const section =
  '(?:<[|｜]tool[▁_ ]calls(?:[▁_ ]begin)?[|｜]>\\s{0,9})?(?:<[|｜]tool[▁_ ]call[▁_ ]begin[|｜]>\\s{0,9})?';

const separator = '<[|｜]tool[▁_ ]sep[|｜]>';

const argumentTags = ['arguments', 'parameters', 'input', 'tool_input', 'args', 'action_input', 'params'];

const rows: readonly NamedEnvelopeParts[] = [
  ...[
    // `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather_at⏎```json⏎{…}⏎```<｜tool▁call▁end｜>`
    ['deepseek-v3', `function${separator}\\s{0,9}NAME\\s{0,9}`] as const,
    // `<｜tool▁call▁begin｜>weather_at<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`
    ['deepseek-v3.1', `NAME\\s{0,9}${separator}\\s{0,9}`] as const,
  ].map(([name, call]): NamedEnvelopeParts => ({
    name,
    tier: 1,
    openers: deepseekOpeners,
    wordOpeners: deepseekWordOpeners,
    call: named(section + call),
    closers: deepseekClosers('call'),
    sectionClosers: deepseekClosers('calls'),
  })),
  // `<|tool_call_begin|>functions.weather_at:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`
  {
    name: 'kimi-k2',
    tier: 1,
    openers: ['<|tool_calls_section_begin|>', '<|tool_call_begin|>'],
    call: named(
      String.raw`(?:<\|tool_calls_section_begin\|>\s{0,9})?<\|tool_call_begin\|>\s{0,9}NAME\s{0,9}(?:<\|tool_call_argument_begin\|>)?\s{0,9}`,
    ),
    closers: ['<|tool_call_end|>'],
    sectionClosers: ['<|tool_calls_section_end|>'],
  },
  // `<|channel|>commentary to=functions.weather_at <|constrain|>json<|message|>{…}<|call|>`, also with the recipient in
  // the header of the role, and without the special tokens.
  {
    name: 'harmony',
    tier: 1,
    openers: [
      '<|start|>assistant<|channel|>commentary to=',
      '<|start|>assistant to=',
      '<|channel|>commentary to=',
      '<|channel|>analysis to=',
    ],
    wordOpeners: ['commentary to=functions.', ' to=functions.', 'to=functions.'],
    call: named(
      String.raw`(?:<\|start\|>)?(?:assistant)?\s?(?:<\|channel\|>)?(?:commentary|analysis)?\s?to=(?:functions\.)?NAME\s{0,9}(?:(?:<\|channel\|>)?(?:commentary|analysis)\s{0,9})?(?:<\|constrain\|>)?\s{0,9}(?:json|code)?\s{0,9}(?:<\|message\|>)?\s{0,9}`,
    ),
    closers: ['<|call|>', '<|end|>'],
  },
  // `<|from|>assistant⏎<|recipient|>weather_at⏎<|content|>{…}` and `>>>weather_at⏎{…}`
  {
    name: 'functionary-recipient',
    tier: 1,
    openers: ['<|from|>assistant\n<|recipient|>', '<|recipient|>'],
    wordOpeners: ['>>>'],
    // Several names without arguments at the end are a list.
    nextCall: named(String.raw`(?:>>>NAME\n\s{0,9}){1,8}\{`),
    call: named(
      String.raw`(?:(?:<\|from\|>assistant\s{0,9})?<\|recipient\|> ?NAME\s{0,9}<\|content\|>|>>>NAME\n)\s{0,9}`,
    ),
    closers: ['<|stop|>'],
  },
  // `@weather_at(call-7): {…}` on its own line
  {
    name: 'at-name',
    tier: 2,
    openers: ['@'],
    call: named(String.raw`(?<=^|\n)@NAME\([\w.-]{0,64}\):\s{0,9}`),
    closers: [],
  },
  // `<|tool_call>call:weather_at{city:<|"|>Sète<|"|>,days:2}<tool_call|>`,
  // `<start_function_call>call:weather_at{city:<escape>Bray<escape>}<end_function_call>`
  ...[
    ['gemma4', '<|tool_call>', '<tool_call|>'] as const,
    ['functiongemma', '<start_function_call>', '<end_function_call>'] as const,
  ].map(([name, opener, closer]): NamedEnvelopeParts => ({
    name,
    tier: 1,
    openers: [opener],
    call: named(String.raw`(?:${opener.replace('|', String.raw`\|`)}\s{0,9}(?:call:)?|\s{0,9}call:)NAME\s{0,9}`),
    closers: [closer],
  })),
  // `[TOOL_CALLS]weather_at[CALL_ID]Ab3dE6gH9[ARGS]{"city": "Brest"}`
  {
    name: 'mistral-args',
    tier: 1,
    openers: ['[TOOL_CALLS]'],
    call: named(String.raw`(?:\[TOOL_CALLS\])?\s?NAME\s{0,2}(?:\[CALL_ID\]\w{1,64})?(?:\[ARGS\])?\s{0,9}`),
    closers: [],
    sectionClosers: ['[/TOOL_CALLS]', '</s>'],
  },
  // `<|message_model|>weather_at<|content_invoke_tool_json|>{"city": "Oban"}<|end_message|>`
  {
    name: 'inkling',
    tier: 1,
    openers: ['<|message_model|>'],
    call: named(String.raw`<\|message_model\|>NAME<\|content_invoke_tool_json\|>\s{0,9}`),
    closers: ['<|end_message|>'],
  },
  // `<|tool_call:begin|>0<|tool_call:name|>weather_at<|tool_call:args|>{"city": "Gimpo"}<|tool_call:end|>`
  {
    name: 'solar-open',
    tier: 1,
    openers: ['<|tool_calls|>', '<|tool_call:begin|>'],
    call: named(
      String.raw`(?:<\|tool_calls\|>)?<\|tool_call:begin\|>[\w-]{0,64}<\|tool_call:name\|>NAME<\|tool_call:args\|>\s{0,9}`,
    ),
    closers: ['<|tool_call:end|>'],
    sectionClosers: ['<|calls|>'],
  },
  // `<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>weather_at<|plamo:end_tool_name:plamo|>…{"city": "Ota"}…`
  {
    name: 'plamo',
    tier: 1,
    openers: ['<|plamo:begin_tool_request'],
    call: named(
      String.raw`(?:<\|plamo:begin\w{1,30}:plamo\|>\s{0,9}){2,3}NAME(?:<\|plamo:[\w:]{1,40}\|>(?:json)?\s{0,9}){2,4}`,
    ),
    closers: ['<|plamo:end_tool_arguments:plamo|>', '<|plamo:end_tool_request:plamo|>'],
    sectionClosers: ['<|plamo:end_tool_requests:plamo|>'],
  },
  // `[TOOL_CALL_START]weather_at⏎{"city": "Tver"}`
  {
    name: 'yandexgpt',
    tier: 1,
    openers: ['[TOOL_CALL_START]'],
    call: named(String.raw`\[TOOL_CALL_START\]NAME\s{0,9}`),
    closers: [],
  },
  // `[[ ## next_tool_name ## ]]⏎weather_at⏎⏎[[ ## next_tool_args ## ]]⏎{"city": "Lund"}`
  {
    name: 'dspy',
    tier: 2,
    openers: ['[[ ## next_tool_name ## ]]'],
    call: named(String.raw`\[\[ ## next_tool_name ## \]\]\s{0,9}NAME\s{0,9}\[\[ ## next_tool_args ## \]\]\s{0,9}`),
    closers: ['[[ ## completed ## ]]'],
  },
  // `<function=weather_at>{"city": "Vaduz"}</function>`, inside `<tool_call>` or not, also without the first `>`
  {
    name: 'function-eq-json',
    tier: 2,
    openers: ['<tool_call>', '<function=', '<function name='],
    call: named(String.raw`(?:<tool_call>\s{0,9})?<function(?:=|\s{1,9}name=)"?NAME"?\s{0,9}[>=]?\s{0,9}(?=\{)`),
    closers: ['</function>', '></function>'],
    sectionClosers: ['</tool_call>'],
  },
  // `<tool_call><name>weather_at</name><arguments>{…}</arguments></tool_call>`, `<tool>weather_at</tool><tool_input>{…}`
  {
    name: 'name-tags',
    tier: 2,
    openers: openingTags(tagNames.nameAndJson),
    call: named(
      `<(?:${tagNames.nameAndJson.join('|')})>\\s{0,9}(?:<(?:(?:tool_)?name|tool|function)>\\s{0,9})?NAME\\s{0,9}(?:<\\/(?:(?:tool_)?name|tool|function|action)>\\s{0,9})(?:<(?:${argumentTags.join('|')})>\\s{0,9}(?=[^\\s<])|(?=\\{))`,
    ),
    takesText: true,
    closers: closingTags(argumentTags),
    sectionClosers: closingTags(tagNames.nameAndJson),
  },
  // `✿FUNCTION✿: weather_at⏎✿ARGS✿: {…}`
  {
    name: 'qwen-flower',
    tier: 1,
    openers: ['✿FUNCTION✿'],
    call: named(String.raw`✿FUNCTION✿:\s{0,9}NAME\s{0,9}(?:✿ARGS✿:\s{0,9})?`),
    argumentsLabel: '✿ARGS✿',
    closers: ['✿RESULT✿:', '✿RESULT✿'],
  },
  // `<use_mcp_tool><server_name>web</server_name><tool_name>find_docs</tool_name><arguments>{…}</arguments></use_mcp_tool>`
  {
    name: 'mcp-xml',
    tier: 2,
    openers: ['<use_mcp_tool>'],
    call: named(
      String.raw`<use_mcp_tool>\s{0,9}(?:<server_name>[^<]{0,128}<\/server_name>\s{0,9})?<tool_name>\s{0,9}NAME\s{0,9}<\/tool_name>\s{0,9}<arguments>\s{0,9}(?=\{)`,
    ),
    closers: ['</arguments>'],
    sectionClosers: ['</use_mcp_tool>'],
  },
];

function named(pattern: string): RegExp {
  return new RegExp(pattern.replaceAll('NAME', `(${toolName})`), 'y');
}

/** Envelopes of calls that consist of a name and an object of arguments. */
export const namedEnvelopes: readonly Envelope[] = rows.map(namedEnvelope);
