import { readCallLiterals } from '../notations/code/read-call-literals.ts';
import type { CodeLayout } from '../notations/code/read-parentheses.ts';
import type { JsonBounds } from '../notations/json/read-damaged-json.ts';
import { readJsonCalls } from '../notations/json/read-json-calls.ts';
import { readNamedCall } from '../notations/json/read-named-json-call.ts';
import { readTaggedCall } from '../notations/tags/read-tagged-call.ts';
import type { SectionLayout, TaggedLayout } from '../notations/tags/tagged-layout.ts';
import { argumentsShape, mayBeArguments } from '../contract/argument-shape.ts';
import { type Envelope, type Found, type PlacedCall, unreadable, type WrittenCall } from '../contract/envelope.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import type { CallWatch } from '../source/call-watch.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import { beforeResult } from '../source/agent-labels.ts';
import type { GrowingText, Reading } from '../source/growing-text.ts';

/** The parts of an envelope around calls in JSON. */
export interface JsonEnvelopeParts {
  readonly name: string;
  readonly tier: 1 | 2;
  readonly openers: readonly string[];
  /** The texts that end a call, or the whole body. Each may be missing in the text. */
  readonly closers: readonly string[];
}

/**
 * Makes an envelope whose body is one call object, several, or a list of them.
 *
 * @example
 * import { extractToolCalls, jsonEnvelope } from '@haft/repair';
 * const envelope = jsonEnvelope({ name: 'acme', tier: 1, openers: ['<|acme|>'], closers: ['<|/acme|>'] });
 * const text = '<|acme|>{"name": "ping", "arguments": {}}<|/acme|>';
 * extractToolCalls(text, { tools: [{ name: 'ping' }], envelopes: [envelope] }).calls.map(({ name }) => name); // => ['ping']
 */
export function jsonEnvelope({ name, tier, openers, closers }: JsonEnvelopeParts): Envelope {
  const place = { closers, openers, isLikely: true };
  return growingEnvelope({ name, tier, openers }, (source, _start, body, watch) =>
    readJsonCalls(source, body, place, watch),
  );
}

/** The parts of an envelope around calls written as code. */
export interface CodeEnvelopeParts extends JsonEnvelopeParts {
  readonly layout?: CodeLayout;
}

/**
 * Makes an envelope whose body is calls written as code, such as `f(a=1)`.
 *
 * @example
 * import { codeEnvelope } from '@haft/repair';
 * codeEnvelope({ name: 'acme-code', tier: 1, openers: ['<|code|>'], closers: ['<|end|>'] }).name; // => 'acme-code'
 */
export function codeEnvelope({ name, tier, openers, closers, layout = {} }: CodeEnvelopeParts): Envelope {
  return growingEnvelope({ name, tier, openers }, function* (source, _start, body, watch) {
    const found = yield* readCallLiterals(source, body, { layout, closers, isLikely: true }, watch);
    if (found === undefined || found.isInterrupted === true) return found;
    const end = yield* source.skipNeedle(closers, found.end);
    const last = found.calls.at(-1);
    if (last === undefined || end > found.end || !(yield* leavesText(source, end, { closers, openers })))
      return { ...found, end };
    return { ...found, calls: [...found.calls.slice(0, -1), { ...last, ending: 'cut' }] };
  });
}

const spaces = /[ \t]{1,99}/y;
const separators = /[ \t,;]{1,99}/y;

/** `[f(a=[1]], b=2)]`: returns whether text that may belong to the last call follows it on the line. */
function* leavesText(source: GrowingText, from: number, { closers, openers }: JsonBounds): Reading<boolean> {
  const at = yield* source.skipMatch(spaces, from);
  const next = source.text[at] ?? '\n';
  if ('\r\n<`#/'.includes(next)) return false;
  const ends = [...closers, ...openers, '\n'];
  const item = yield* source.skipMatch(separators, at);
  if ((yield* source.needleAt(ends, item)) !== undefined) return false;
  const stop = yield* source.findFirst(ends, at);
  const rest = source.text.slice(at, stop.at === -1 ? source.text.length : stop.at);
  if (!/\w/.test(rest)) return false;
  if (next === ',') return /^,\s*\w+\s*=/.test(rest);
  return ')]}"\''.includes(next) || /["'][^"']{0,99}[)\]]/.test(rest);
}

/** The parts of an envelope around calls that consist of a name and an object of arguments. */
export interface NamedEnvelopeParts extends JsonEnvelopeParts {
  /** Matches from the opener to the arguments; group 1 or 2 is the name. Sticky, and without unbounded repetition. */
  readonly call: RegExp;
  /** Whether the arguments may be text for the only argument, up to a closer. */
  readonly takesText?: boolean;
  /** The texts that end the section around the calls. */
  readonly sectionClosers?: readonly string[];
  /** Openers that are words rather than tokens, so that they do not end a call without arguments. Default: none. */
  readonly wordOpeners?: readonly string[];
  /** Matches the next call where its opener is a word. It ends a call without arguments. Sticky, like `call`. Default: none. */
  readonly nextCall?: RegExp;
  /** The label of arguments. If it follows a call again, it is not clear which call the arguments belong to. Default: none. */
  readonly argumentsLabel?: string;
}

/** Makes an envelope of one or more named calls in a row. */
export function namedEnvelope(parts: NamedEnvelopeParts): Envelope {
  const {
    name,
    tier,
    call,
    closers,
    takesText = false,
    sectionClosers = [],
    wordOpeners = [],
    nextCall,
    argumentsLabel,
  } = parts;
  const labels = argumentsLabel === undefined ? [] : [argumentsLabel];
  // Tokens that may follow a call without arguments.
  const ends = tier === 1 ? [...closers, ...sectionClosers, ...parts.openers] : [];
  // A tag with the name of a declared tool is a call of that tool.
  const openers: Envelope['openers'] = (tools) =>
    [...parts.openers, ...wordOpeners].filter((opener) => !tools.some((tool) => opener === `<${tool.name}>`));
  return growingEnvelope({ name, tier, openers }, function* (source, start, _body, watch) {
    const calls: WrittenCall[] = [];
    let end = start;
    for (let at = start; ; at = yield* source.skipSpace(end)) {
      const match = yield* source.matchAt(call, at);
      const called = match?.[1] ?? match?.[2];
      if (match === null || called === undefined) break;
      const from = at + match[0].length;
      const one =
        (yield* readNamedCall(source, called, from, closers, watch)) ??
        (yield* takesText
          ? readText(source, called, from, closers)
          : readNoArguments(source, called, from, ends, nextCall));
      if (one === undefined) break;
      end = yield* beforeResult(source, yield* source.skipNeedle(closers, one.end));
      // After names without arguments, it is not clear whose arguments follow.
      const isUnclear =
        Array.isArray(calls.at(-1)?.arguments) &&
        (!mayBeArguments(one.call.arguments, argumentsShape(source.tools, called)) ||
          (yield* source.needleAt(labels, yield* source.skipSpace(end))) !== undefined);
      calls.push(isUnclear ? unreadable : one.call);
      if (one.isInterrupted === true) return { end, calls, isInterrupted: true };
      if (one.call.ending !== 'closed') break;
    }
    return calls.length === 0 ? undefined : { end: yield* source.skipNeedle(sectionClosers, end), calls };
  });
}

/** Reads a call without arguments, before a token that ends it or begins another one. */
function* readNoArguments(
  source: GrowingText,
  name: string,
  from: number,
  ends: readonly string[],
  nextCall: RegExp | undefined,
): Reading<PlacedCall | undefined> {
  if (resolveName(source.tools, name) === undefined) return undefined;
  const end = yield* source.skipSpace(from);
  const isEnd =
    (yield* source.needleAt(ends, end)) !== undefined ||
    (nextCall !== undefined && (yield* source.matchAt(nextCall, end)) !== null);
  return isEnd ? { call: { name, arguments: [], ending: 'closed', risk: 'lossy', repairs: [] }, end } : undefined;
}

/** Reads arguments that are text: `<tool>search</tool><tool_input>tides</tool_input>`. */
function* readText(source: GrowingText, name: string, from: number, closers: readonly string[]): Reading<PlacedCall> {
  const stop = yield* source.findFirst(closers, from);
  const end = stop.at === -1 ? source.text.length : stop.at;
  const value = source.text.slice(from, end).trim();
  const ending = stop.at === -1 ? 'cut' : 'closed';
  return { call: { name, arguments: value, ending, risk: 'lossy', repairs: [] }, end: end + stop.needle.length };
}

/** The parts of an envelope around calls with a tag for each argument. */
export interface TaggedEnvelopeParts extends TaggedLayout, Partial<Omit<SectionLayout, keyof TaggedLayout>> {
  readonly name: string;
  readonly tier: 1 | 2;
  /** The texts that may open a call without a section around it. */
  readonly callOpeners: readonly string[];
}

/** Makes an envelope of one call, or of a section of calls, with a tag for each argument. */
export function taggedEnvelope(parts: TaggedEnvelopeParts): Envelope {
  const { name, tier, callOpeners } = parts;
  const layout = { sectionOpeners: [], sectionClosers: [], ...parts };
  const openers = [...layout.sectionOpeners, ...callOpeners];
  return growingEnvelope({ name, tier, openers }, (source, start, _body, watch) =>
    readTaggedCalls(source, layout, start, watch),
  );
}

/** Reads one call, or a section of calls, with a tag for each argument. */
export function* readTaggedCalls(
  source: GrowingText,
  layout: SectionLayout,
  start: number,
  watch: CallWatch,
): Reading<Found | undefined> {
  const section = layout.sectionOpeners.find((opener) => source.text.startsWith(opener, start));
  const calls: WrittenCall[] = [];
  let end = section === undefined ? start : start + section.length;
  for (;;) {
    const at = yield* source.skipSpace(end);
    const one = yield* readTaggedCall(source, layout, at, watch);
    if (one === undefined) break;
    calls.push(one.call);
    end = one.end;
    if (one.call.ending !== 'closed' || section === undefined) break;
  }
  return calls.length === 0 ? undefined : { end: yield* source.skipNeedle(layout.sectionClosers, end), calls };
}
