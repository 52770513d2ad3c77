import { spanning } from '../../json/result/repair-result.ts';
import type { Envelope } from '../contract/envelope.ts';
import { readJsonCalls } from '../notations/json/read-json-calls.ts';
import { noWatch } from '../source/call-watch.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import { readToEnd, GrowingText } from '../source/growing-text.ts';
import { jsonEnvelope, type JsonEnvelopeParts } from './envelope-makers.ts';
import { closingTags, openingTags, tagNames } from '../notations/tags/tag-names.ts';

const rows: readonly JsonEnvelopeParts[] = [
  { name: 'granite3', tier: 1, openers: ['<|tool_call|>'], closers: ['<|/tool_call|>', '</s>', '<|end_of_text|>'] },
  { name: 'llama3-json', tier: 1, openers: ['<|python_tag|>'], closers: ['<|eom_id|>', '<|eot_id|>'] },
  { name: 'lfm2', tier: 1, openers: ['<|tool_call_start|>'], closers: ['<|tool_call_end|>'] },
  { name: 'mistral-json', tier: 1, openers: ['[TOOL_CALLS]'], closers: ['[/TOOL_CALLS]', '</s>'] },
  { name: 'cohere-action', tier: 1, openers: ['<|START_ACTION|>'], closers: ['<|END_ACTION|>'] },
  {
    name: 'internlm2',
    tier: 1,
    openers: ['', ' ', '\n'].map((space) => `<|action_start|>${space}<|plugin|>`),
    closers: ['<|action_end|>'],
  },
  // The name is the key: `[{"weather_at": {"city": "Bern"}}]`.
  { name: 'apertus', tier: 1, openers: ['<|tools_prefix|>'], closers: ['<|tools_suffix|>'] },
  {
    name: 'gigachat3',
    tier: 1,
    openers: ['<|message_sep|>\n\nfunction call<|role_sep|>', '<|function_call|>'],
    closers: ['</s>'],
  },
  {
    name: 'token-wrapped-json',
    tier: 1,
    openers: [
      '<|message_model|><|content_invoke_tool_json|>',
      '<|content_invoke_tool_json|>',
      '<|tool_calls|>',
      '[unused11]',
    ],
    closers: ['<|end_message|>', '<|/tool_calls|>', '[unused12]'],
  },
  { name: 'longcat', tier: 1, openers: ['<longcat_tool_call>'], closers: ['</longcat_tool_call>'] },
  { name: 'hermes', tier: 2, openers: ['<tool_call>'], closers: ['</tool_call>'] },
  {
    name: 'tool_calls-array',
    tier: 2,
    openers: ['<tool_calls>', '<assistant_tool_calls>'],
    closers: ['</tool_calls>', '</assistant_tool_calls>'],
  },
  { name: 'nemotron-toolcall', tier: 2, openers: ['<TOOLCALL>'], closers: ['</TOOLCALL>'] },
  { name: 'lm-studio', tier: 2, openers: ['[TOOL_REQUEST]'], closers: ['[END_TOOL_REQUEST]'] },
  { name: 'functools', tier: 2, openers: ['functools'], closers: [] },
  // `<functioncall {"name": …}>`, `<function_call {"name": …}>`, `<tool_call {"name": …}/>`: the call is inside the tag.
  { name: 'json-in-tag', tier: 2, openers: ['<functioncall ', '<function_call ', '<tool_call '], closers: ['/>', '>'] },
  // `<function_call>{"name": …}`: tags of models that remember the tag only roughly. The closer is often missing.
  { name: 'tag-aliases', tier: 2, openers: openingTags(tagNames.json), closers: closingTags(tagNames.json) },
];

/** Envelopes whose body is one call object, several, or a list of them. */
export const jsonEnvelopes: readonly Envelope[] = rows.map(jsonEnvelope);

// Options inside strings are text. An unclosed string extends to the end, so that each quote is searched once.
const optionPattern = /(["'`])(?:(?!\1)[^\\]|\\[^]?)*(?:\1|$)|“[^”]*(?:”|$)|‘[^’]*(?:’|$)|--([\w-]{1,64})[ :=]/g;

/** `[TOOL_CALL]{tool => "weather_at", args => {--city "Bern" --days 2}}[/TOOL_CALL]`, also with arguments in JSON. */
export const arrows: Envelope = growingEnvelope(
  { name: 'arrows', tier: 2, openers: ['[TOOL_CALL]'] },
  function* (source, start, body) {
    const first = yield* source.skipSpace(body);
    if (source.text[first] !== '{') return undefined;
    const { at, needle } = yield* source.findFirst(['[/TOOL_CALL]', '[TOOL_CALL]'], body);
    const to = at === -1 ? source.text.length : at;
    const text = source.text
      .slice(body, to)
      .replaceAll(optionPattern, (whole, _quote, key?: string) => (key === undefined ? whole : `,${key}:`));
    // A closed section is complete, however the message ends.
    const inner = new GrowingText(source, text);
    if (at !== -1) inner.stopped = 'stop';
    const found = readToEnd(readJsonCalls(inner, 0, { closers: [], openers: [], isLikely: true }, noWatch));
    const end = to + (needle.startsWith('[/') ? needle.length : 0);
    const calls = found?.calls.map((call) => {
      // Where quotes are missing, an option may be part of a string.
      const isUnclear = call.repairs.some(({ code, risk }) => risk === 'lossy' && code !== 'unclosed');
      const ending = isUnclear || call.ending !== 'closed' ? ('cut' as const) : call.ending;
      return { ...call, ending, repairs: spanning(call.repairs, start, end) };
    });
    return calls && { end, calls };
  },
);
