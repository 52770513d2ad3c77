import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import { argumentsShape } from '../../contract/argument-shape.ts';
import { type Found, unreadable, type WrittenCall } from '../../contract/envelope.ts';
import type { CallWatch } from '../../source/call-watch.ts';
import type { Surroundings } from '../../source/growing-envelope.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { readAsDeclared, shapeAround } from './read-json-as-declared.ts';
import { CallFollower } from './json-call-follower.ts';
import { isKeyOf } from './json-call-keys.ts';
import { looseArguments } from './unwrapped-arguments.ts';
import { resolveName } from '../../contract/resolve-tool-name.ts';
import { callsOf, isDefinition, lacksName, type ShapedCall } from './json-call-shapes.ts';
import type { JsonBounds } from './read-damaged-json.ts';
import { type JsonReading, readJsonValue } from './read-json-value.ts';

/** Reads the calls in JSON from an offset up to one of the closers, which may be missing. */
export function* readJsonCalls(
  source: GrowingText,
  from: number,
  place: JsonBounds & Surroundings,
  watch: CallWatch,
): Reading<Found | undefined> {
  const calls: WrittenCall[] = [];
  // A value without tags has no openers, and in a fence it has a closer.
  const isInTags = place.closers.length > 0 && place.openers.length > 0;
  let kind = 'bare-json';
  const starts: number[] = [];
  let damaged = 0;
  const separators = isInTags ? separatorsInTags : plainSeparators;
  let at = yield* source.skipMatches(separators, from);
  // A template doubles braces: `{{"name": …}}`.
  const outer = (yield* source.matchAt(doubledBrace, at)) === null ? 0 : 1;
  at += outer;
  if (place.closers.length === 0 && source.barren.has(source.base + at)) return undefined;
  for (;;) {
    if (!source.mayGuess(at)) {
      if (starts.length > 0) return { end: at, calls, shape: kind };
      if (!isInTags) return undefined;
    }
    const opener = source.text[at];
    if (opener !== '{' && opener !== '[') return undefined;
    const follower = new CallFollower(watch);
    const written = yield* readJsonValue(source, at, place, follower.show, follower.root);
    const spelled = callsOf(written.root, source.tools);
    const reading = readAsDeclared(source, at, written, shapeAround(written.root, spelled, source.tools));
    if (reading.failedAt !== undefined) {
      const next = isInTags ? yield* afterBrokenLine(source, at, reading) : -1;
      if (next !== -1) {
        calls.push(unreadable);
        at = next;
        continue;
      }
      if (follower.hasSeenCall && place.isLikely) calls.push(unreadable);
      else if (starts.length > 0) return { end: at, calls, shape: kind };
      else if (isInTags) calls.push(unreadable);
      else return undefined;
      const end = isInTags ? yield* endOfUnreadable(source, reading, place) : reading.end;
      return { end, calls, shape: kind };
    }
    const found = reading === written ? spelled : callsOf(reading.root, source.tools);
    if (found.some(({ isWrapped }) => isWrapped === true)) kind = 'openai-object';
    else if (opener === '[') kind = 'bare-array';
    calls.push(...writtenCalls(reading, found, source, follower, place.openers.length > 0));
    const mayBeNameless = isInTags && !answerTag.test(source.text.slice(Math.max(0, from - maxAnswerTag), from));
    if (mayBeNameless && found.length === 0 && lacksName(reading.root, source.tools)) {
      calls.push(reading.ending === 'cut' ? { ...unreadable, ending: 'cut' } : unreadable);
    }
    starts.push(source.base + at);
    if (reading.risk === 'lossy' || reading.risk === 'truncated') damaged = starts.length;
    if (reading.isInterrupted) return { end: reading.end, calls, shape: kind, isInterrupted: true };
    const next = yield* source.skipMatches(separators, reading.end);
    const isNext = source.text[next] === '{' || source.text[next] === '[';
    if (!isNext || (yield* source.needleAt([...place.closers, ...place.openers], next)) !== undefined) {
      const inner = source.text.startsWith('}', reading.end) ? reading.end + outer : reading.end;
      const after = isInTags ? yield* source.skipMatches(strayClosers, inner) : inner;
      const closer = isInTags ? yield* source.needleAt(place.closers, after) : undefined;
      const end = closer === undefined ? inner : after + closer.length;
      if (!isInTags && calls.length === 0) for (const start of starts.slice(0, damaged)) source.barren.add(start);
      return { end, calls, shape: kind, mayBeProse: damaged > 0 };
    }
    at = next;
  }
}

/** Returns the offset of an object on the line after an unreadable but complete one, or -1. */
function* afterBrokenLine(source: GrowingText, at: number, { end }: JsonReading): Reading<number> {
  const line = yield* source.findFirst(['\n'], at);
  if (line.at === -1 || end > line.at || !/^\{[^{}\n]*\}[ \t,]*$/.test(source.text.slice(at, line.at))) return -1;
  const next = yield* source.skipMatches(separatorsInTags, line.at);
  return source.text[next] === '{' ? next : -1;
}

/** Returns the end of a body that can't be read: after its closer, if it comes before another opener. */
function* endOfUnreadable(
  source: GrowingText,
  reading: JsonReading,
  { closers, openers }: JsonBounds,
): Reading<number> {
  if (reading.isInterrupted) return reading.end;
  const { at, needle } = yield* source.findFirst([...closers, ...openers], reading.end);
  return closers.includes(needle) ? at + needle.length : reading.end;
}

/** Returns the repairs of closed arguments: if only the text around them is open, the call itself is complete. */
function repairsOfClosed({ repairs, risk }: JsonReading): Pick<WrittenCall, 'risk' | 'repairs'> {
  if (risk !== 'truncated') return { repairs, risk };
  const harmless = repairs.map((repair) =>
    repair.risk === 'truncated' ? { ...repair, risk: 'safe' as const } : repair,
  );
  return { repairs: harmless, risk: harmless.some((repair) => repair.risk === 'lossy') ? 'lossy' : 'safe' };
}

/**
 * `{"name": "f", "arguments": {"a": 1}, "b": 2}`: returns whether a declared argument is beside the arguments instead of
 * among them, or other arguments are.
 */
function hasArgumentsBeside(
  { holder, nameKey, argumentsKey, arguments: value, name }: ShapedCall,
  { tools }: GrowingText,
): boolean {
  if (argumentsKey === undefined || !isJsonObject(holder) || !isJsonObject(value)) return false;
  const shape = argumentsShape(tools, name);
  const keys = Object.keys(holder);
  const isOther = (one: JsonValue | undefined): boolean =>
    isJsonObject(one) &&
    Object.keys(one).some((key) => shape?.hasMember(key) === true && !isAlike(one[key], value[key]));
  if (keys.some((key) => isKeyOf('arguments', key) && isOther(holder[key]))) return true;
  // An identifier or a type belongs to the call unless the tool needs it, and so does a second name.
  const isPart = (key: string, member: JsonValue | undefined): boolean =>
    key === nameKey ||
    isKeyOf('arguments', key) ||
    (isKeyOf('meta', key) && (Object.hasOwn(value, key) || shape?.required.includes(key) !== true)) ||
    (isKeyOf('name', key) && typeof member === 'string' && resolveName(tools, member) !== undefined);
  return keys.some((key, index) => {
    const member = holder[key];
    if (shape?.hasMember(key) !== true || member === null || member === '' || isPart(key, member)) return false;
    // Before the arguments, text such as a thought may have the name of an argument.
    return !Object.hasOwn(value, key) || (index > keys.indexOf(argumentsKey) && !isAlike(member, value[key]));
  });
}

/** Returns whether two values are the same, or would be if numbers and words were written as text. */
function isAlike(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one ?? null).replaceAll('"', '') === JSON.stringify(other ?? null).replaceAll('"', '');
}

function writtenCalls(
  reading: JsonReading,
  found: readonly ShapedCall[],
  source: GrowingText,
  { hasTwoMeanings, hasShownCall }: CallFollower,
  isInEnvelope: boolean,
): readonly WrittenCall[] {
  const { risk, repairs, hasClosingTag } = reading;
  const whole = repairsOfClosed(reading);
  const twice = new Set(repairs.flatMap(({ code, assumed }) => (code === 'duplicate-key' ? [assumed] : [])));
  return found.map((call): WrittenCall => {
    const { name, nameKey = '', argumentsKey = '' } = call;
    if (hasTwoMeanings || twice.has(nameKey) || twice.has(argumentsKey)) return unreadable;
    // The beginning of a name may be the whole name of another tool.
    if (reading.ending === 'cut' && reading.unclosed.at(-1) === call.holder && reading.cutKey === call.nameKey) {
      return { name: undefined, arguments: call.arguments, ending: 'cut', risk, repairs };
    }
    const tool = isInEnvelope && argumentsKey === '' ? resolveName(source.tools, name) : undefined;
    const { holder } = call;
    const isLoose = tool !== undefined && isJsonObject(holder) && call.arguments === undefined;
    const loose = isLoose ? looseArguments(holder, call.nameKey, tool, source.tools) : undefined;
    // The arguments are not all where they belong, so the call must be sent again in full.
    const isElsewhere = isLoose ? loose === undefined : hasArgumentsBeside(call, source);
    const ending = isElsewhere ? 'cut' : endingOf(reading, call);
    const account = ending === 'closed' ? whole : { risk, repairs };
    const isDescribed = isLoose && isDefinition(loose, tool, { ...holder, description: null });
    // Only an object of arguments is shown while it arrives.
    const isSeen = hasShownCall && call.argumentsKey !== undefined && isJsonObject(call.arguments);
    const seen = isSeen ? {} : { isUnseen: true };
    return {
      name,
      arguments: loose ?? call.arguments,
      ending,
      hasClosingTag,
      isDefinition: isDescribed || call.isDefinition === true,
      ...seen,
      ...account,
    };
  });
}

/** Returns whether the arguments themselves are complete, regardless of the objects around them. */
function endingOf(reading: JsonReading, { holder, argumentsKey, arguments: value }: ShapedCall): WrittenCall['ending'] {
  const { ending, unclosed } = reading;
  if (reading.hasAmbiguousEnd) return 'cut';
  if (ending === 'closed' || !unclosed.includes(holder)) return 'closed';
  // Arguments that are spread over several members are complete only with the object or list around them.
  const isScattered = argumentsKey === undefined && !(Array.isArray(holder) && holder.includes(value ?? null));
  if (isScattered) return 'cut';
  const isOpen =
    typeof value === 'object' && value !== null
      ? unclosed.includes(value)
      : unclosed.at(-1) === holder && reading.cutKey === argumentsKey;
  return isOpen ? ending : 'closed';
}

// Tags around an answer, which may have the keys of arguments.
const answerTag = /<(?:json|xml|response)>$/i;
const maxAnswerTag = 12;

const doubledBrace = /\{(?=\{\s{0,9}["'])/y;
const plainSeparators = /[\s,;]{1,400}/y;
// A fence counts only inside tags, where it can't be a fence of the message.
const separatorsInTags = /[\s,;]{1,400}|```[\w$.-]{0,64}/y;
const strayClosers = /[\s,;}\]]{1,400}|```[\w$.-]{0,64}/y;
