import { spanning } from '../../json/result/repair-result.ts';
import type { Envelope } from '../contract/envelope.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
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

const templateTokenTexts =
  '<|im_start|> <|im_end|> <|start_header_id|> <|end_header_id|> <|eot_id|> <|eom_id|> <|end_of_text|> <|endoftext|> <|assistant|>'.split(
    ' ',
  );

// `<tool_call>` without its first bracket, at the beginning of a line.
const halfTags = ['tool_call>', 'function_call>'];

const declaration = String.raw`<\?(?:xml[^<>?]{0,99})?\s{0,9}\?>|<!--\s{0,9}-->`;
const declarationPattern = new RegExp(declaration, 'y');

const closerPattern = new RegExp(
  String.raw`\s{0,9}(?:<\|[a-z_]{2,20}\|>|<\/(?:tool|function)_call>|${declaration})(?![^\n])(?!\s{1,9}[{[])`,
  'y',
);

/** `<|im_start|>⏎{"name": …}⏎<|im_end|>`: counts only if calls of declared tools with arguments follow immediately. */
export const templateTokens: Envelope = growingEnvelope(
  { name: 'template-tokens', tier: 2, openers: [...templateTokenTexts, ...halfTags, '<?', '<!--'] },
  function* (source, start, body) {
    const isHalf = source.text[start] !== '<';
    if (isHalf && start > 0 && source.text[start - 1] !== '\n') return undefined;
    const isToken = isHalf || source.text[start + 1] === '|';
    const declared = isToken ? null : yield* source.matchAt(declarationPattern, start);
    if (!isToken && declared === null) return undefined;
    const at = declared === null ? body : start + declared[0].length;
    const place = { closers: [], openers: [], isLikely: true };
    // Only when all calls have been read is it known whether they are calls, so none is shown earlier.
    const found = yield* readJsonCalls(source, at, place, noWatch);
    const areCalls = found?.calls.every(
      ({ name, arguments: value, isDefinition }) =>
        value !== undefined && isDefinition !== true && resolveName(source.tools, name) !== undefined,
    );
    if (found === undefined || found.calls.length === 0 || areCalls !== true) return undefined;
    return { ...found, end: yield* source.skipMatch(closerPattern, found.end) };
  },
);
