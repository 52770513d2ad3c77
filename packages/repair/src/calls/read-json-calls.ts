import { isNamePart, isWhitespace } from '../json/characters.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Machine } from '../json/machine.ts';
import { readValue } from '../json/read-value.ts';
import type { Repair } from '../json/repair-result.ts';
import { callsOf, type ShapedCall } from './call-shapes.ts';
import type { Found, Source, WrittenCall } from './envelope.ts';
import { isDoubtful } from './is-doubtful.ts';
import { firstOf } from './find-next.ts';

/** Reads the calls spelled as JSON from `from` on, up to one of the closers, which may be missing. */
export function readJsonCalls(
  source: Source,
  from: number,
  closers: readonly string[],
  openers: readonly string[] = [],
): Found | undefined {
  const { text } = source;
  const calls: WrittenCall[] = [];
  let shape = 'bare-json';
  const isTagged = closers.length > 0;
  let at = skipSeparators(text, from, isTagged);
  let isRead = false;
  while (text[at] === '{' || text[at] === '[') {
    const machine = readBounded(source, at, closers, openers);
    // Without a value, as where the next opener stands, reading would never get on.
    if (machine.failure !== undefined || machine.root === undefined)
      return isRead ? { end: at, calls, shape } : unreadable(source, machine, closers, openers);
    isRead = true;
    const found = callsOf(machine.root ?? null, source.tools);
    shape = found.find((call) => call.shape === 'openai-object')?.shape ?? (text[at] === '[' ? 'bare-array' : shape);
    const whole = accountOf(machine, 'closed');
    const parts = accountOf(machine, 'cut');
    const isCut = isDoubtful(source, machine);
    for (const call of found)
      calls.push({ ...written(machine, call, whole, parts), ...(isCut ? { ending: 'cut' } : {}) });
    at = machine.rootEnd;
    const next = skipSeparators(text, at, isTagged);
    if (text[next] !== '{' && text[next] !== '[') break;
    at = next;
  }
  if (!isRead) return undefined;
  const end = isTagged ? endOfCloser(text, at, closers) : at;
  return { end, calls, shape };
}

/** A body that no reading holds for is reported as one call without a name. */
function unreadable(
  source: Source,
  machine: Machine,
  closers: readonly string[],
  openers: readonly string[],
): Found | undefined {
  if (closers.length === 0) return undefined;
  const position = machine.failure?.position ?? machine.at;
  const closer = firstOf(source, closers, position);
  const opener = firstOf(source, openers, position);
  const isClosed = closer.at !== -1 && (opener.at === -1 || closer.at < opener.at);
  const repairs: Repair[] = [];
  const call: WrittenCall = { name: undefined, arguments: undefined, ending: 'closed', risk: 'lossy', repairs };
  return { end: isClosed ? closer.at + closer.length : position, calls: [call] };
}

/**
 * Reads one value, first as if the nearest closer ended the text. What reads cleanly so is that; otherwise the closer
 * may stand inside a string, and the value is read without that bound.
 */
export function readBounded(
  source: Source,
  at: number,
  closers: readonly string[],
  openers: readonly string[],
): Machine {
  const { text, stopped, limits } = source;
  const options = { ...(stopped === undefined ? {} : { stopped }), ...(limits === undefined ? {} : { limits }) };
  const closer = firstOf(source, closers, at).at;
  const opener = firstOf(source, openers, at).at;
  const bound = Math.min(closer === -1 ? text.length : closer, opener === -1 ? text.length : opener);
  if (bound === text.length) return readValue(text, at, 'value', options);
  const bounded = readValue(text.slice(0, bound), at, 'value', { ...options, stopped: 'stop' });
  if (isClean(bounded) || source.budget < 0) return bounded;
  // A reading to the end of the text is dear: it may take back little.
  const unbounded = readValue(text, at, 'value', { ...options, limits: { ...limits, backtracks: 2 } });
  source.budget -= Math.max(unbounded.rootEnd, unbounded.failure?.position ?? 0) - at;
  if (isClean(unbounded) || !isUsable(bounded)) return isUsable(unbounded) ? unbounded : bounded;
  return bounded;
}

function isUsable(machine: Machine): boolean {
  return machine.failure === undefined && machine.ending === 'closed';
}

function isClean(machine: Machine): boolean {
  return isUsable(machine) && (machine.risk === 'none' || machine.risk === 'safe');
}

/** The repairs of a value, shared by all calls in it. */
type Account = Pick<WrittenCall, 'risk' | 'repairs'>;

/** When only what lies around the arguments is open, nothing of the call is missing. */
function accountOf({ repairs, risk }: Machine, ending: WrittenCall['ending']): Account {
  if (ending !== 'closed' || risk !== 'truncated') return { repairs, risk };
  const harmless = repairs.map((repair) =>
    repair.risk === 'truncated' ? { ...repair, risk: 'safe' as const } : repair,
  );
  return { repairs: harmless, risk: harmless.some((repair) => repair.risk === 'lossy') ? 'lossy' : 'safe' };
}

function written(machine: Machine, call: ShapedCall, whole: Account, parts: Account): WrittenCall {
  // Half a name can be another tool's whole name.
  if (machine.ending === 'cut' && isInnermost(machine, call.holder) && machine.cutKey === call.nameKey) {
    return { name: undefined, arguments: call.arguments, ending: 'cut', ...parts };
  }
  const ending = endingOf(machine, call);
  return { name: call.name, arguments: call.arguments, ending, ...(ending === 'closed' ? whole : parts) };
}

/** Whether the arguments themselves were finished, whatever became of the objects around them. */
function endingOf(machine: Machine, call: ShapedCall): WrittenCall['ending'] {
  if (machine.ending === 'closed' || !isUnclosed(machine, call.holder)) return 'closed';
  const value = call.arguments;
  if (typeof value === 'object' && value !== null) return isUnclosed(machine, value) ? machine.ending : 'closed';
  if (call.argumentsKey === undefined) return 'cut';
  const isLast = isInnermost(machine, call.holder) && machine.cutKey === call.argumentsKey;
  return isLast ? machine.ending : 'closed';
}

function isUnclosed(machine: Machine, value: JsonValue): boolean {
  return machine.unclosed.includes(value);
}

function isInnermost(machine: Machine, value: JsonValue): boolean {
  return machine.unclosed.at(-1) === value;
}

/** Passes what may stand between calls; a fence only inside tags, where it cannot be one of the message. */
function skipSeparators(text: string, from: number, isTagged: boolean): number {
  let at = from;
  for (;;) {
    if (isWhitespace(text.charCodeAt(at)) || text[at] === ',' || text[at] === ';') at += 1;
    else if (isTagged && text.startsWith('```', at)) {
      at += 3;
      while (isNamePart(text.charCodeAt(at))) at += 1;
    } else return at;
  }
}

/** Where the closer after a body ends; without one, where the body ends. */
function endOfCloser(text: string, from: number, closers: readonly string[]): number {
  let at = skipSeparators(text, from, true);
  while (text[at] === '}' || text[at] === ']') at = skipSeparators(text, at + 1, true);
  const closer = closers.find((candidate) => text.startsWith(candidate, at));
  return closer === undefined ? from : at + closer.length;
}
