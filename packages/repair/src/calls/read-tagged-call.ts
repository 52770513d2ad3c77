import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { repairJson } from '../json/repair-json.ts';
import type { Repair } from '../json/repair-result.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { Source, WrittenCall } from './envelope.ts';
import { findNext } from './find-next.ts';
import { readNestedTags } from './nested-tags.ts';
import { readNamedCall, type NamedCall } from './read-named-call.ts';
import { resolveName } from './resolve-name.ts';
import { skipSpace } from './text-span.ts';
import { propertySchema, readTextValue } from './text-values.ts';

/** How a format writes a call whose arguments are a tag each. Patterns are sticky and without unbounded repetition. */
export interface TaggedLayout {
  /** What opens a call; group 1 is the name. */
  readonly call: RegExp;
  readonly callCloser: string;
  /** What opens an argument; group 1 is the key, group 2 the type where the tag says it. */
  readonly argument: RegExp;
  /** The texts that every argument's opener begins with. */
  readonly argumentOpener: string;
  readonly argumentCloser: string | ((key: string) => string);
  /** The text before every tag of a nested value, where values nest by tags. */
  readonly nestedPrefix?: string;
  /** What of the white space around a value belongs to the format. */
  readonly trim: 'line-breaks' | 'all' | 'none';
  /** What text becomes that no schema speaks of. */
  readonly unknown: 'string' | 'json';
}

/** Reads the call that opens at an offset; `undefined` when none does. */
export function readTaggedCall(
  source: Source,
  layout: TaggedLayout,
  from: number,
  sectionClosers: readonly string[] = [],
): NamedCall | undefined {
  const { text } = source;
  const name = matchAt(layout.call, text, from)?.[1];
  if (name === undefined) return undefined;
  let at = layout.call.lastIndex;
  // `<invoke name="ping"/>`
  if (text.startsWith('/>', at - 2)) return { call: finished(name, {}, 'closed', []), end: at };
  if (text[skipSpace(text, at)] === '{') return readNamedCall(source, name, at, [layout.callCloser]);
  const tool = resolveName(source.tools, name)?.tool;
  const values: [string, JsonValue][] = [];
  const repairs: Repair[] = [];
  for (;;) {
    at = skipSpace(text, at);
    if (text.startsWith(layout.callCloser, at)) {
      return { call: finished(name, toObject(values), 'closed', repairs), end: at + layout.callCloser.length };
    }
    const match = matchAt(layout.argument, text, at);
    const key = match?.[1]?.trim();
    if (key === undefined) break;
    const begin = layout.argument.lastIndex;
    const closer = typeof layout.argumentCloser === 'string' ? layout.argumentCloser : layout.argumentCloser(key);
    const value = endOfValue(source, layout, closer, begin);
    if (value.end === -1) return { call: finished(name, toObject(values), 'cut', repairs), end: text.length };
    if (value.resume === value.end) repairs.push(missing(closer, value.end));
    const raw = trimValue(text.slice(begin, value.end), layout.trim);
    const schema = propertySchema(tool?.parameters, key);
    const nested = layout.nestedPrefix === undefined ? undefined : readNestedTags(raw, layout.nestedPrefix, schema);
    addValue(values, key, nested ?? readOne(raw, match?.[2], schema, layout));
    at = value.resume;
  }
  if (at >= text.length) return { call: finished(name, toObject(values), 'open', repairs), end: at };
  // The call's own closer is missing, which only another closer or call can make up for.
  const isEnded =
    sectionClosers.some((closer) => text.startsWith(closer, at)) || matchAt(layout.call, text, at) !== null;
  if (isEnded) {
    repairs.push(missing(layout.callCloser, at));
    return { call: finished(name, toObject(values), 'closed', repairs), end: at };
  }
  const isTagCut = text[at] === '<' && text.indexOf('>', at) === -1;
  return values.length > 0 || isTagCut
    ? { call: finished(name, toObject(values), 'cut', repairs), end: text.length }
    : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Where a value ends and where reading goes on: at the first closer after which an argument, the call's closer or the
 * end of the text comes, so that a closer inside a value is text; or, when the closer is missing, at the next of these.
 */
function endOfValue(
  source: Source,
  layout: TaggedLayout,
  argumentCloser: string,
  from: number,
): { end: number; resume: number } {
  const { text } = source;
  const { argumentOpener, callCloser } = layout;
  const isNamedCloser = typeof layout.argumentCloser !== 'string';
  let closer = findNext(source, argumentCloser, from);
  const argument = findNext(source, argumentOpener, from);
  const callEnd = findNext(source, callCloser, from);
  while (closer !== -1) {
    const resume = closer + argumentCloser.length;
    const next = skipSpace(text, resume);
    const comesFirst = argument !== -1 && argument < closer && text[argument - 1] === '\n' && !isNamedCloser;
    if (comesFirst && matchAt(layout.argument, text, argument) !== null) return { end: argument, resume: argument };
    const canFollow =
      next >= text.length ||
      text.startsWith(callCloser, next) ||
      text.startsWith(argumentOpener, next) ||
      text.startsWith('</', next);
    if (canFollow || callEnd === -1 || source.budget < 0) return { end: closer, resume };
    closer = text.indexOf(argumentCloser, resume);
    source.budget -= (closer === -1 ? text.length : closer) - resume;
  }
  const isArgument = argument !== -1 && !isNamedCloser && matchAt(layout.argument, text, argument) !== null;
  const bound = Math.min(isArgument ? argument : text.length, callEnd === -1 || isNamedCloser ? text.length : callEnd);
  return bound === text.length ? { end: -1, resume: -1 } : { end: bound, resume: bound };
}

function trimValue(text: string, trim: TaggedLayout['trim']): string {
  if (text.trim().startsWith('<![CDATA[') && text.trim().endsWith(']]>')) return text.trim().slice(9, -3);
  if (trim === 'all') return text.trim();
  return trim === 'none' ? text : text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}

/** A value whose tag says its type is text where it says so and JSON otherwise; any other is read by its schema. */
function readOne(
  text: string,
  type: string | undefined,
  schema: JsonSchema | undefined,
  layout: TaggedLayout,
): JsonValue {
  if (type === undefined) return readTextValue(text, schema, layout.unknown);
  if (type === 'true' || type === 'string') return text;
  const result = repairJson(text.trim());
  return result.ok && result.complete ? result.value : text;
}

/** An argument that is written twice is a list. */
function addValue(values: [string, JsonValue][], key: string, value: JsonValue): void {
  const earlier = values.find(([name]) => name === key);
  if (earlier === undefined) values.push([key, value]);
  else earlier[1] = Array.isArray(earlier[1]) ? [...(earlier[1] as readonly JsonValue[]), value] : [earlier[1], value];
}

function toObject(values: readonly [string, JsonValue][]): JsonObject {
  return Object.fromEntries(values);
}

function missing(closer: string, at: number): Repair {
  return { code: 'missing-tag', start: at, end: at, found: '', assumed: closer, risk: 'safe' };
}

function finished(
  name: string,
  value: JsonObject,
  ending: WrittenCall['ending'],
  repairs: readonly Repair[],
): WrittenCall {
  const risks = { closed: repairs.length > 0 ? 'safe' : 'none', open: 'lossy', cut: 'truncated' } as const;
  return { name, arguments: value, ending, risk: risks[ending], repairs };
}
