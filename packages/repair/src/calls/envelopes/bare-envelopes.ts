import { readCallLiterals } from '../notations/code/read-call-literals.ts';
import { endOfName } from '../notations/code/statement-bounds.ts';
import { isDefinition } from '../notations/json/json-call-shapes.ts';
import { readJsonCalls } from '../notations/json/read-json-calls.ts';
import { readNamedCall } from '../notations/json/read-named-json-call.ts';
import { readTaggedCall } from '../notations/tags/read-tagged-call.ts';
import { hasRequired } from '../../json/result/declared-shape.ts';
import { declares, mayBeArguments, shapeOf } from '../contract/argument-shape.ts';
import type { Envelope, Found } from '../contract/envelope.ts';
import { isJsonObject } from '../../json/result/json-value.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import { noWatch } from '../source/call-watch.ts';
import { bareEnvelope } from '../source/growing-envelope.ts';
import type { Reading } from '../source/growing-text.ts';
import { toolName } from '../notations/tags/tag-names.ts';
import { keyedLayout } from './keyed-envelopes.ts';
import { layoutFor } from './tool-tag-envelope.ts';

/** `{"name": "ping", "arguments": {}}`: one object, several, or a list. */
export const bareJson: Envelope = bareEnvelope('bare-json', (source, _start, body, watch, surroundings) =>
  readJsonCalls(source, body, { ...surroundings, openers: [] }, watch),
);

/** `[weather_at(city="Ulm", days=2), ping()]` */
export const pythonic: Envelope = bareEnvelope(
  'pythonic',
  function* (source, _start, body, _watch, { closers }): Reading<Found | undefined> {
    if ((yield* source.needleAt(['[', '\\[', '{', 'return ', 'call '], body)) === undefined) return undefined;
    return yield* readCallLiterals(source, body, { layout: { isList: true }, closers, isLikely: false });
  },
);

/** `functions.ping({})` or `ping()` on their own lines. */
export const callText: Envelope = bareEnvelope('call-text', (source, _start, body, _watch, { closers }) =>
  readCallLiterals(source, body, { layout: {}, closers, isLikely: false }),
);

// The second form consists of tokens whose section has been lost, `weather_at:0<|tool_call_argument_begin|>{…}`, or of
// Functionary, `weather_at⏎<|content|>{…}`.
const between =
  /(?:["'`]?\]?\*{0,2}[ \t]{0,9}(?:with[ \t]{0,9})?(?:arguments|args|parameters)?[ \t]{0,9}(?::|=>?|->)?\*{0,2}|["'`],|(?::\d{1,6}>?)?(?:\s?(?:<\|(?:tool_call_argument_begin|content)\|>|\[ARGS\]))?)\s{0,20}(?=\{|```)/y;
const lostSectionClosers = ['<|tool_call_end|>', '<|tool_calls_section_end|>'];
// The prefixes of names: `functions:`, `default_api:`, `call:files:`.
const nameMark =
  /(?:\*\*|#{1,4} |\/|@|\[(?:(?:[Tt]ool [Cc]all|Calling tool): )?|\(|(?:Invoking|Calling|Using)(?: tool| function)?:? )?["'`]?(?:(?:(?:tool|function)(?:s|_calls?)?|default_api|declaration):|call:(?:[a-z]\w{0,23}:){0,3}){0,2}/y;

/** `weather_at: {"city": "Ulm"}`, `(weather_at arguments: {"city": "Ulm"})` */
export const namedJson: Envelope = bareEnvelope(
  'named-json',
  function* (source, _start, body, watch, { closers, isLikely }): Reading<Found | undefined> {
    const mark = (yield* source.matchAt(nameMark, body))?.[0] ?? '';
    const begin = body + mark.length;
    const closer = mark.startsWith('(') ? ')' : mark.startsWith('[') ? ']' : undefined;
    const nameEnd = yield* endOfName(source, begin);
    if (nameEnd === begin) return undefined;
    const gap = yield* source.matchAt(between, nameEnd);
    const name = source.text.slice(begin, nameEnd);
    const tool = resolveName(source.tools, name);
    // A capitalized word before a colon is a label.
    const isLabel = tool?.name !== name && gap?.[0].includes(':') === true && /^[A-Z][a-z]+$/.test(name);
    if (gap === null || tool === undefined || isLabel) return undefined;
    const from = nameEnd + gap[0].length;
    const one = yield* readNamedCall(source, name, from, [...closers, ...lostSectionClosers], watch);
    if (one === undefined || (one.call.name === undefined && !isLikely)) return undefined;
    const { arguments: value, ending } = one.call;
    const shape = shapeOf(tool);
    const isWhole = shape !== undefined && hasRequired(isJsonObject(value) ? value : {}, shape);
    const isData = isWhole && ending === 'closed' && !mayBeArguments(value, shape);
    const call = { ...one.call, isDefinition: isData || isDefinition(value, tool) };
    const end = closer === undefined ? one.end : yield* source.skipNeedle([closer], one.end);
    return { end, calls: [call], isInterrupted: one.isInterrupted === true };
  },
);

const firstTag = /<([A-Za-z_][\w.-]{0,127})>(?:([^<]{1,128})<\/arg_key>)?/y;

/** `weather_at⏎<city>Ulm</city>⏎</weather_at>`, `weather_at<arg_key>city</arg_key>…`: the first tag is incomplete. */
export const halfTagged: Envelope = bareEnvelope('half-tagged', function* (source, _start, body): Reading<
  Found | undefined
> {
  const nameEnd = yield* endOfName(source, body);
  if (nameEnd === body) return undefined;
  const tool = resolveName(source.tools, source.text.slice(body, nameEnd));
  const first = yield* source.skipSpace(nameEnd);
  const [, tag = '', keyed] = (tool === undefined ? null : yield* source.matchAt(firstTag, first)) ?? [];
  if (tool === undefined || !declares(tool, keyed ?? tag)) return undefined;
  const layout = { ...(keyed === undefined ? layoutFor(tool.name) : keyedLayout('glm', '')), call: nameBeforeTag };
  // Shown only at its end, because a text that ends within a tag is no call.
  const one = yield* readTaggedCall(source, layout, body, noWatch);
  if (one === undefined || !source.text.slice(0, one.end).endsWith('>')) return undefined;
  return { end: one.end, calls: [one.call] };
});

const nameBeforeTag = new RegExp(String.raw`(${toolName})(?=\s{0,9}<)`, 'y');
