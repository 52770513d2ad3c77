import type { JsonValue } from '../../../json/result/json-value.ts';
import { type Repair, spanning } from '../../../json/result/repair-result.ts';
import type { Shape } from '../../../json/result/declared-shape.ts';
import { argumentsShape } from '../../contract/argument-shape.ts';
import type { PlacedCall } from '../../contract/envelope.ts';
import { beginsMatch } from '../../source/begins-match.ts';
import { type ArgumentsWatch, type CallWatch, showFrom } from '../../source/call-watch.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { readNamedCall } from '../json/read-named-json-call.ts';
import { isOnlyText, readTextValue, readWhole } from '../text-values.ts';
import { findValueEnd, type ArgumentEnd } from './find-value-end.ts';
import { createLiveText } from './live-text.ts';
import { decodeXml, readNestedTags } from './nested-tags.ts';
import { TaggedCall } from './tagged-call.ts';
import {
  type ArgumentDialect,
  closerOf,
  closingTagPattern,
  hasHalfOpener,
  marginAt,
  minHalf,
  missingTag,
  opensAgain,
  type SectionLayout,
  spaceAndComments,
  type TaggedLayout,
  trimValue,
  withoutCutCloser,
} from './tagged-layout.ts';

/** Reads the call that opens at an offset. Returns undefined if no call opens there. */
export function* readTaggedCall(
  source: GrowingText,
  layout: SectionLayout,
  from: number,
  watch: CallWatch,
): Reading<PlacedCall | undefined> {
  const opened = yield* source.matchAt(layout.call, from);
  const name = opened?.[1] ?? opened?.[2];
  if (opened === null || name === undefined) return undefined;
  const first = from + opened[0].length;
  // `<function=ping><function=ping>`: the opener is written twice. In `<poem><poem>`, an argument may have the same name.
  const isTwice = opened[0] !== `<${name}>` && (yield* source.needleAt([opened[0]], first)) !== undefined;
  const body = isTwice ? first + opened[0].length : first;
  const call = new TaggedCall(name, opened[0], marginAt(source.text, from), argumentsShape(source.tools, name));
  // `<invoke name="ping"/>`
  if (source.text.startsWith('/>', body - 2)) return { call: call.finish('closed'), end: body };
  const inner = yield* source.skipSpace(body);
  if (source.text[inner] === '{') return yield* readNamedCall(source, name, inner, [layout.callCloser], watch);
  if (isTwice) call.note('extra-tag', first, body, opened[0], 'safe');
  let begun: ArgumentsWatch | undefined;
  for (let at = body; ;) {
    at = yield* source.skipMatches(spaceAndComments, at);
    const close = yield* afterCloser(source, layout.callCloser, at);
    if (close !== -1) {
      if (call.values.size === 0) watch.begin(name);
      return { call: call.finish('closed'), end: close };
    }
    const argument = yield* argumentAt(source, layout, at, call);
    if (argument === undefined) {
      const stray = yield* afterStrayCloser(source, layout, at, call.values);
      if (stray === -1) return yield* endWithoutCloser(source, layout, call, at, watch);
      call.note('extra-tag', at, stray, '', 'safe');
      at = stray;
    } else {
      if (call.values.size === 0) begun = watch.begin(name);
      at = yield* readArgument(source, layout, call, argument, begun);
      if (at === -1) return { call: call.finish('cut'), end: source.text.length };
    }
  }
}

/** Reads the argument after its opener, and adds it to the call. Returns the offset after it, or -1 if it is cut. */
function* readArgument(
  source: GrowingText,
  layout: SectionLayout,
  call: TaggedCall,
  argument: Argument,
  begun: ArgumentsWatch | undefined,
): Reading<number> {
  const { key, begin, form, shape } = argument;
  const isEmpty = source.text.startsWith('/>', begin - 2);
  const found: ArgumentEnd = isEmpty ? { end: begin, resume: begin } : yield* findEnd(source, argument, begun);
  const { end, resume, quotes } = found;
  if (end === -1) return -1;
  const isUnclosed = resume === end && !isEmpty;
  const closer = closerOf(form, key);
  if (isUnclosed) call.repairs.push(missingTag(closer, end));
  const written = source.text.slice(begin, end);
  const prose = source.text.slice(end + closer.length, resume).trim();
  if (prose !== '') call.note('prose-after', end, resume, prose, 'lossy');
  const own = isUnclosed
    ? withoutCutCloser(written, closer, layout.callCloser, key)
    : call.withoutMargin(written, argument.margin);
  const raw = trimValue(own, layout.trim);
  if (raw === '' && isUnclosed) call.note('missing-value', begin, end, key, 'lossy');
  // The closer belongs to the value, or ends it, and the opener of the next argument is missing.
  const isInner = closer !== '' && quotes !== 'calls' && raw.includes(closer);
  if (isInner) call.note('inner-tag', begin, end, closer, 'lossy', closer);
  const value = readWritten(raw, argument, layout, (repairs) => call.repairs.push(...spanning(repairs, begin, end)));
  // A closer on its own line ended an argument. If another declared argument is missing, its opener was lost.
  const isMerged =
    isInner &&
    (hasHalfOpener(raw, closer, argument.isDue) ||
      (raw.includes(`\n${closer}\n`) && call.shape?.keys.some(argument.isDue) === true));
  const isOutside = typeof value === 'string' || !JSON.stringify(value).includes(closer);
  // Outside strings, a value that is not text can't contain a tag, so the opener of the next argument is damaged.
  if (isMerged || (isInner && isOutside && shape?.kinds?.has('string') === false))
    call.repairs.push(missingTag(closer, end));
  const opener = source.text.slice(argument.at, begin);
  const withNext = isUnclosed ? source.text.slice(begin, end + opener.length) : written;
  if (quotes === 'part' || (quotes === undefined && opensAgain(withNext, call.opener, opener, closer))) {
    call.note('inner-tag', begin, end, call.opener, 'lossy');
    call.repairs.push(missingTag(closer, end));
  }
  // A copy, because a repeated argument is added to the list.
  if (call.add(key, value)) begun?.member(key, Array.isArray(value) ? [...value] : value);
  else if (shape?.kinds?.has('array') === false) call.note('repeated-tag', begin, end, key, 'lossy');
  return resume;
}

/** Ends a call at an offset where neither its closer nor an argument follows. Without arguments, it may be no call. */
function* endWithoutCloser(
  source: GrowingText,
  layout: SectionLayout,
  call: TaggedCall,
  at: number,
  watch: CallWatch,
): Reading<PlacedCall | undefined> {
  // The closer may be cut, too. In `</function`, only its bracket is missing.
  const isHalf = at + minHalf < source.text.length && layout.callCloser.startsWith(source.text.slice(at));
  const isWritten = isHalf && source.stopped !== 'length' && source.text.length - at === layout.callCloser.length - 1;
  if (at >= source.text.length || (isHalf && !isWritten && source.stopped === 'stop'))
    return { call: call.finish('open'), end: source.text.length };
  // The call's own closer is missing. Only another closer or another call can end it.
  const isEnded =
    isWritten ||
    (yield* source.needleAt(layout.sectionClosers, at)) !== undefined ||
    (yield* source.matchAt(layout.call, at)) !== null;
  const { text } = source;
  if (isEnded) {
    if (call.values.size === 0) watch.begin(call.name);
    call.repairs.push(missingTag(layout.callCloser, at));
    return { call: call.finish('closed'), end: isWritten ? text.length : at };
  }
  const isTagCut =
    layout.callCloser.startsWith(text.slice(at)) ||
    beginsMatch(layout.argument, text, at) ||
    beginsMatch(layout.call, text, at);
  if (isTagCut) return { call: call.finish('cut'), end: text.length };
  return call.values.size > 0 ? { call: call.finish('cut'), end: at } : undefined;
}

/** Returns the offset after a closer, which may have white space before its bracket, or -1. */
function* afterCloser(source: GrowingText, closer: string, at: number): Reading<number> {
  if ((yield* source.needleAt([closer], at)) !== undefined) return at + closer.length;
  if ((yield* source.needleAt([`${closer.slice(0, -1)} `], at)) === undefined) return -1;
  const end = yield* source.skipSpace(at + closer.length);
  return source.text[end] === '>' ? end + 1 : -1;
}

interface Argument {
  readonly key: string;
  readonly at: number;
  /** The type that the tag declares. */
  readonly type: string | undefined;
  readonly begin: number;
  /** The layout with the notation of this argument. */
  readonly form: SectionLayout;
  readonly shape: Shape | undefined;
  readonly isDue: (key: string) => boolean;
  /** The white space before its tag. */
  readonly margin: string;
}

function* argumentAt(
  source: GrowingText,
  layout: SectionLayout,
  at: number,
  call: TaggedCall,
): Reading<Argument | undefined> {
  const own: ArgumentDialect = { argument: layout.argument, closer: layout.argumentCloser };
  for (const { argument, closer = '', isDeclared = false } of [own, ...(layout.dialects ?? [])]) {
    const match = yield* source.matchAt(argument, at);
    const key = match?.[1]?.trim();
    if (match === null || key === undefined || (isDeclared && !call.declares(key))) continue;
    const argumentOpener = isDeclared ? '<' : layout.argumentOpener;
    const form = { ...layout, argumentOpener, argumentCloser: closer };
    const margin = layout.trim === 'line-breaks' ? marginAt(source.text, at) : '';
    const isDue = (one: string): boolean => call.isDue(one);
    const shape = call.shape?.member(key);
    return { key, at, type: match[2], begin: at + match[0].length, form, shape, isDue, margin };
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
    return (yield* source.needleAt([argumentCloser], at)) === undefined ? -1 : at + argumentCloser.length;
  const match = yield* source.matchAt(closingTagPattern, at);
  return match !== null && values.has(match[1] ?? '') ? at + match[0].length : -1;
}

function* findEnd(source: GrowingText, argument: Argument, begun: ArgumentsWatch | undefined): Reading<ArgumentEnd> {
  const { key, begin, form: layout } = argument;
  if (begun === undefined || !isCertainlyText(argument, layout))
    return yield* findValueEnd(source, layout, argument, begin);
  begun.beginText(key);
  return yield* findValueEnd(
    source,
    layout,
    argument,
    begin,
    showFrom(source, begin, createLiveText(layout, key, begun)),
  );
}

/** Whether an argument is a string regardless of its content, and has no margin that its end decides about. */
function isCertainlyText({ type, shape, margin }: Argument, layout: TaggedLayout): boolean {
  if (margin !== '') return false;
  if (type !== undefined) return type === 'true' || type === 'string';
  return isOnlyText(shape, layout.nestedPrefix === undefined ? layout.unknown : 'json');
}

/** If the tag declares its type, a string is text and any other value is JSON. Otherwise, the declared shape decides. */
function readWritten(
  raw: string,
  { type, shape }: Argument,
  layout: TaggedLayout,
  repaired: (repairs: readonly Repair[]) => void,
): JsonValue {
  const nested = layout.nestedPrefix === undefined ? undefined : readNestedTags(raw, layout.nestedPrefix, shape);
  if (nested !== undefined) return nested;
  const text = layout.nestedPrefix === '' ? decodeXml(raw) : raw;
  if (type === undefined) return readTextValue(text, shape, layout.unknown, repaired);
  if (type === 'true' || type === 'string') return text;
  const whole = readWhole(text.trim(), shape);
  if (whole === undefined) return text;
  repaired(whole.repairs);
  return whole.value;
}
