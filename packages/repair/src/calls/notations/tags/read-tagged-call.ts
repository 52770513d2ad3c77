import { repairAsDeclared } from '../../../json/document/repair-json.ts';
import type { JsonValue } from '../../../json/result/json-value.ts';
import { type Repair, spanning } from '../../../json/result/repair-result.ts';
import type { Shape } from '../../../json/result/declared-shape.ts';
import { argumentsShape } from '../../contract/argument-shape.ts';
import type { PlacedCall, WrittenCall } from '../../contract/envelope.ts';
import { beginsMatch } from '../../source/begins-match.ts';
import type { ArgumentsWatch, CallWatch } from '../../source/call-watch.ts';
import {
  type GrowingText,
  matchAt,
  skipMatches,
  needleAt,
  type Reading,
  skipSpace,
} from '../../source/growing-text.ts';
import { readNamedCall } from '../json/read-named-json-call.ts';
import { isOnlyText, readTextValue } from '../text-values.ts';
import { createLiveText, findValueEnd, type ArgumentEnd } from './find-value-end.ts';
import { decodeXml, readNestedTags } from './nested-tags.ts';
import {
  closerOf,
  closingTagPattern,
  marginAt,
  minHalf,
  missingTag,
  type SectionLayout,
  type TaggedLayout,
  trimValue,
  withoutCutCloser,
  withoutMargin,
} from './tagged-layout.ts';

const spaceAndComments = /\s{1,400}|<!--[^]{0,400}?-->/y;

/** Reads the call that opens at an offset. Returns undefined if no call opens there. */
export function* readTaggedCall(
  source: GrowingText,
  layout: SectionLayout,
  from: number,
  watch: CallWatch,
): Reading<PlacedCall | undefined> {
  const opened = yield* matchAt(source, layout.call, from);
  const name = opened?.[1] ?? opened?.[2];
  if (opened === null || name === undefined) return undefined;
  const first = from + opened[0].length;
  // `<function=ping><function=ping>`: the opener is written twice. In `<poem><poem>`, an argument may have the same name.
  const isTwice = opened[0] !== `<${name}>` && (yield* needleAt(source, [opened[0]], first)) !== undefined;
  const body = isTwice ? first + opened[0].length : first;
  const values = new Map<string, JsonValue>();
  const finished = (ending: WrittenCall['ending'], repairs: readonly Repair[]): WrittenCall => {
    const closed = repairs.some(({ risk }) => risk === 'lossy') ? 'lossy' : repairs.length > 0 ? 'safe' : 'none';
    const risks = { closed, open: 'lossy', cut: 'truncated' } as const;
    return { name, arguments: Object.fromEntries(values), ending, risk: risks[ending], repairs };
  };
  // `<invoke name="ping"/>`
  if (source.text.startsWith('/>', body - 2)) return { call: finished('closed', []), end: body };
  const inner = yield* skipSpace(source, body);
  if (source.text[inner] === '{') return yield* readNamedCall(source, name, inner, [layout.callCloser], watch);
  const declared = argumentsShape(source.tools, name);
  const repairs: Repair[] = isTwice
    ? [{ code: 'extra-tag', start: first, end: body, found: opened[0], assumed: '', risk: 'safe' }]
    : [];
  let begun: ArgumentsWatch | undefined;
  let at = body;
  const isDeclared = (key: string): boolean => declared?.hasMember(key) === true;
  const isDue = (key: string): boolean => isDeclared(key) && !values.has(key);
  for (;;) {
    at = yield* skipMatches(source, spaceAndComments, at);
    const close = yield* afterCloser(source, layout.callCloser, at);
    if (close !== -1) {
      if (values.size === 0) watch.begin(name);
      return { call: finished('closed', repairs), end: close };
    }
    const opening = yield* openingAt(source, layout, at, isDeclared);
    if (opening === undefined) {
      const stray = yield* afterStrayCloser(source, layout, at, values);
      if (stray === -1) break;
      repairs.push({ code: 'extra-tag', start: at, end: stray, found: '', assumed: '', risk: 'safe' });
      at = stray;
      continue;
    }
    const { key, begin, form } = opening;
    if (values.size === 0) begun = watch.begin(name);
    const shape = declared?.member(key);
    const margin = layout.trim === 'line-breaks' ? marginAt(source.text, at) : '';
    const argument = { ...opening, shape, isDue, margin };
    const isEmpty = source.text.startsWith('/>', begin - 2);
    const { end, resume } = isEmpty ? { end: begin, resume: begin } : yield* findEnd(source, argument, begun);
    if (end === -1) return { call: finished('cut', repairs), end: source.text.length };
    const isUnclosed = resume === end && !isEmpty;
    const closer = closerOf(form, key);
    if (isUnclosed) repairs.push(missingTag(closer, end));
    const written = source.text.slice(begin, end);
    const prose = source.text.slice(end + closer.length, resume).trim();
    if (prose !== '')
      repairs.push({ code: 'prose-after', start: end, end: resume, found: prose, assumed: '', risk: 'lossy' });
    const own = isUnclosed ? withoutCutCloser(written, closer, key) : withoutMargin(written, margin);
    const raw = trimValue(own, layout.trim);
    if (raw === '' && isUnclosed)
      repairs.push({ code: 'missing-value', start: begin, end, found: key, assumed: '', risk: 'lossy' });
    // The closer belongs to the value, or ends it, and the opener of the next argument is missing.
    const isInner = closer !== '' && raw.includes(closer);
    if (isInner) repairs.push({ code: 'inner-tag', start: begin, end, found: closer, assumed: closer, risk: 'lossy' });
    const nested = layout.nestedPrefix === undefined ? undefined : readNestedTags(raw, layout.nestedPrefix, shape);
    const text = layout.hasEntities === true ? decodeXml(raw) : raw;
    const value = nested ?? readOne(text, argument, layout, (own) => repairs.push(...spanning(own, begin, end)));
    // A closer on its own line ended an argument. If another declared argument is missing, its opener was lost.
    const isMerged = isInner && raw.includes(`\n${closer}\n`) && declared?.keys.some(isDue) === true;
    const isOutside = typeof value === 'string' || !JSON.stringify(value).includes(closer);
    // Outside strings, a value that is not text can't contain a tag, so the opener of the next argument is damaged.
    if (isMerged || (isInner && isOutside && shape?.kinds?.has('string') === false))
      repairs.push(missingTag(closer, end));
    // A copy, because a repeated argument is added to the list.
    if (addValue(values, argument, value)) begun?.member(key, Array.isArray(value) ? [...value] : value);
    else if (shape?.kinds?.has('array') === false)
      repairs.push({ code: 'repeated-tag', start: begin, end, found: key, assumed: '', risk: 'lossy' });
    at = resume;
  }
  // The closer may be cut, too.
  const isHalf = at + minHalf < source.text.length && layout.callCloser.startsWith(source.text.slice(at));
  if (at >= source.text.length || (isHalf && source.stopped === 'stop'))
    return { call: finished('open', repairs), end: source.text.length };
  // The call's own closer is missing. Only another closer or another call can end it.
  const isEnded =
    (yield* needleAt(source, layout.sectionClosers, at)) !== undefined ||
    (yield* matchAt(source, layout.call, at)) !== null;
  if (isEnded) {
    if (values.size === 0) watch.begin(name);
    repairs.push(missingTag(layout.callCloser, at));
    return { call: finished('closed', repairs), end: at };
  }
  const { text } = source;
  const isTagCut =
    layout.callCloser.startsWith(text.slice(at)) ||
    beginsMatch(layout.argument, text, at) ||
    beginsMatch(layout.call, text, at);
  if (isTagCut) return { call: finished('cut', repairs), end: text.length };
  return values.size > 0 ? { call: finished('cut', repairs), end: at } : undefined;
}

/** Returns the offset after a closer, which may have white space before its bracket, or -1. */
function* afterCloser(source: GrowingText, closer: string, at: number): Reading<number> {
  if ((yield* needleAt(source, [closer], at)) !== undefined) return at + closer.length;
  if ((yield* needleAt(source, [`${closer.slice(0, -1)} `], at)) === undefined) return -1;
  const end = yield* skipSpace(source, at + closer.length);
  return source.text[end] === '>' ? end + 1 : -1;
}

interface Opening {
  readonly key: string;
  /** The type that the tag declares. */
  readonly type: string | undefined;
  readonly begin: number;
  readonly form: SectionLayout;
}

function* openingAt(
  source: GrowingText,
  layout: SectionLayout,
  at: number,
  isDeclared: (key: string) => boolean,
): Reading<Opening | undefined> {
  const match = yield* matchAt(source, layout.argument, at);
  const own = match?.[1]?.trim();
  if (match !== null && own !== undefined) {
    return { key: own, type: match[2], begin: at + match[0].length, form: layout };
  }
  for (const dialect of layout.dialects ?? []) {
    const other = yield* matchAt(source, dialect.argument, at);
    const key = other?.[1]?.trim();
    if (other === null || key === undefined || (dialect.isDeclared === true && !isDeclared(key))) continue;
    const argumentOpener = dialect.isDeclared === true ? '<' : layout.argumentOpener;
    const form = { ...layout, argumentOpener, argumentCloser: dialect.closer ?? '' };
    return { key, type: undefined, begin: at + other[0].length, form };
  }
  return undefined;
}

/** Returns the offset after a second closer of an argument, or -1. */
function* afterStrayCloser(
  source: GrowingText,
  { argumentCloser }: SectionLayout,
  at: number,
  values: ReadonlyMap<string, JsonValue>,
): Reading<number> {
  if (typeof argumentCloser === 'string')
    return (yield* needleAt(source, [argumentCloser], at)) === undefined ? -1 : at + argumentCloser.length;
  const match = yield* matchAt(source, closingTagPattern, at);
  return match !== null && values.has(match[1] ?? '') ? at + match[0].length : -1;
}

interface Argument extends Opening {
  readonly shape: Shape | undefined;
  readonly isDue: (key: string) => boolean;
  /** The white space before its tag. */
  readonly margin: string;
}

function* findEnd(source: GrowingText, argument: Argument, begun: ArgumentsWatch | undefined): Reading<ArgumentEnd> {
  const { key, begin, form: layout } = argument;
  if (begun === undefined || !isCertainlyText(argument, layout))
    return yield* findValueEnd(source, layout, argument, begin);
  begun.beginText(key);
  const { argumentOpener, callCloser } = layout;
  const longest = Math.max(closerOf(layout, key).length, argumentOpener.length, callCloser.length, key.length + 20);
  const live = createLiveText(source, begin, layout, longest, begun);
  return yield* findValueEnd(source, layout, argument, begin, live);
}

/** Whether an argument is a string regardless of its content, and has no margin that its end decides about. */
function isCertainlyText({ type, shape, margin }: Argument, layout: TaggedLayout): boolean {
  if (margin !== '') return false;
  if (type !== undefined) return type === 'true' || type === 'string';
  return isOnlyText(shape, layout.nestedPrefix === undefined ? layout.unknown : 'json');
}

/** If the tag declares its type, a string is text and any other value is JSON. Otherwise, the declared shape decides. */
function readOne(
  text: string,
  { type, shape }: Argument,
  layout: TaggedLayout,
  repaired: (repairs: readonly Repair[]) => void,
): JsonValue {
  if (type === undefined) return readTextValue(text, shape, layout.unknown, repaired);
  if (type === 'true' || type === 'string') return text;
  const result = repairAsDeclared(text.trim(), { shape });
  if (!result.ok || !result.complete) return text;
  repaired(result.repairs);
  return result.value;
}

/** Adds an argument. A repeated argument becomes a list. Returns whether it is the first one with this name. */
function addValue(values: Map<string, JsonValue>, { key, shape }: Argument, value: JsonValue): boolean {
  const earlier = values.get(key);
  if (earlier === undefined) {
    values.set(key, value);
    return true;
  }
  const item = (one: JsonValue): JsonValue =>
    typeof one === 'string' ? readTextValue(one, shape?.item(0), 'string') : one;
  const list = Array.isArray(earlier) ? (earlier as JsonValue[]) : [item(earlier)];
  list.push(item(value));
  values.set(key, list);
  return false;
}
