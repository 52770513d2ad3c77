import * as char from '../text/char.ts';
import type { JsonValue } from '../result/json-value.ts';
import { createRepair, preview, type RepairErrorCode, type RepairRisk } from '../result/repair-result.ts';
import type { Shape } from '../result/declared-shape.ts';
import { graverRisk, type Frame, type Machine, type OpenObject, type State, type ValueKind } from './machine.ts';

/** Returns the character code at an offset. Beyond the text it is `char.end`, and more text could change the result. */
export function codeAt(machine: Machine, at: number): number {
  if (at < machine.text.length) return machine.text.charCodeAt(at);
  if (!machine.ended) machine.needsMore = true;
  return char.end;
}

/** Asks for more text if the character at an offset has not arrived. */
export function waitFor(machine: Machine, at: number): void {
  if (at >= machine.text.length) waitForEnd(machine);
}

/** Asks for the rest of the text. */
export function waitForEnd(machine: Machine): void {
  if (!machine.ended) machine.needsMore = true;
}

/** Returns whether a lookahead of a length is too long, so that many long ones take linear time in total. */
export const isSpent = ({ ended, lookaheadCost, text }: Machine, length: number): boolean =>
  ended && lookaheadCost + length > 20_000 + 2 * text.length;

/** Returns whether a text is at an offset. Records if more text could still complete it. */
export function startsAt(machine: Machine, needle: string, at: number): boolean {
  const { text } = machine;
  if (at + needle.length <= text.length || machine.ended) return text.startsWith(needle, at);
  if (needle.startsWith(text.slice(at))) machine.needsMore = true;
  return false;
}

/** `indexOf` that caches its last result, so that repeated searches take linear time in total. */
export function findFrom(machine: Machine, needle: string, from: number): number {
  const known = machine.finds.get(needle);
  if (known !== undefined && from >= known.from && (known.found === -1 || from <= known.found)) return known.found;
  const found = machine.text.indexOf(needle, from);
  if (found === -1 && !machine.ended) {
    machine.needsMore = true;
    return -1;
  }
  machine.finds.set(needle, { from, found });
  return found;
}

/** Records a repair. */
export function note(
  machine: Machine,
  code: string,
  risk: RepairRisk,
  start: number,
  end: number,
  assumed: string,
): void {
  machine.risk = graverRisk(machine.risk, risk);
  if (machine.repairs.length < machine.limits.repairs)
    machine.repairs.push(createRepair(machine.text, code, risk, start, end, assumed));
}

/** Fails, unless the value is complete or more text may help. */
export function fail(machine: Machine, expected: string, position: number = machine.at): undefined {
  if (machine.needsMore || machine.rootEnd !== -1) return undefined;
  return refuse(machine, 'INVALID_JSON', '', expected, position);
}

/** Ends reading, unless it has already failed. */
export function refuse(
  machine: Machine,
  code: RepairErrorCode,
  message: string,
  expected: string,
  position: number,
): undefined {
  machine.failure ??= { code, message, expected, position };
  return undefined;
}

const closers = { object: char.closeBrace, array: char.closeBracket, call: char.closeParen } as const;

// Shared and never written to: an object has no items, and a list has no members.
const noMembers: OpenObject = {};
const noItems: JsonValue[] = [];

/** Opens a container and attaches it to its parent, so that the value is complete at every moment. */
export function open(
  machine: Machine,
  kind: Frame['kind'],
  start: number,
  closer: number = closers[kind],
): Frame | undefined {
  const { depth } = machine.limits;
  if (machine.frames.length >= depth)
    return refuse(machine, 'JSON_TOO_DEEP', `Nesting is deeper than ${depth}`, 'less nesting', start);
  const frame: Frame = {
    kind,
    closer,
    start,
    members: kind === 'array' ? noMembers : {},
    items: kind === 'object' ? noItems : [],
    key: undefined,
    comma: -1,
    shape: machine.shape === undefined ? undefined : dueShape(machine),
    hasBareKeys: kind === 'call',
    isDoubled: false,
    keyBits: 0,
  };
  deliver(machine, kind === 'array' ? frame.items : frame.members, start);
  if (machine.failure !== undefined) return undefined;
  machine.frames.push(frame);
  return (machine.frame = frame);
}

/** Adds a value to the open list, to the open object under its key, or as the root. */
export function deliver(machine: Machine, value: JsonValue, start: number): void {
  const frame = machine.frame;
  if (frame === undefined) {
    machine.root = value;
  } else if (frame.key === undefined) {
    frame.items.push(value);
    frame.comma = -1;
  } else {
    setMember(machine, frame, frame.key, value, start);
  }
}

/** Adds a complete value and moves the cursor after it. Returns the next state. */
export function finishValue(
  machine: Machine,
  value: JsonValue,
  kind: ValueKind,
  start: number,
  end: number,
): State | undefined {
  deliver(machine, value, start);
  machine.at = end;
  machine.last = kind;
  machine.lastStart = start;
  return machine.failure === undefined ? 'afterValue' : undefined;
}

function setMember(machine: Machine, frame: Frame, key: string, value: JsonValue, start: number): void {
  const bit = 1 << ((key.length * 5 + key.charCodeAt(0) + key.charCodeAt(key.length - 1)) & 31);
  if ((frame.keyBits & bit) !== 0 && Object.hasOwn(frame.members, key)) {
    if (machine.limits.duplicateKeys === 'refuse') {
      const message = `The key ${JSON.stringify(key)} occurs twice in one object`;
      refuse(machine, 'DUPLICATE_KEY', message, 'each key once', start);
      return;
    }
    note(machine, 'duplicate-key', 'lossy', start, start, key);
    // A string with an uncertain end may have taken the text between two rows.
    const string = machine.ambiguous.at(-1);
    if (string !== undefined && string.start > frame.start) machine.isUncertain = true;
  }
  frame.keyBits |= bit;
  setOwn(frame.members, key, value);
}

/** Sets a member of an object. */
export function setOwn(members: OpenObject, key: string, value: JsonValue): void {
  // An assignment to `__proto__` would set the prototype. JSON.parse creates an ordinary member.
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Returns the last value of a frame. */
export function lastOf({ items, key, members }: Frame): JsonValue | undefined {
  return key === undefined ? items.at(-1) : members[key];
}

/** Removes the last value from its container. */
export function takeLast(frame: Frame): JsonValue | undefined {
  const last = lastOf(frame);
  if (frame.key === undefined) frame.items.pop();
  else Reflect.deleteProperty(frame.members, frame.key);
  return last;
}

/** Adds a value that does not count as read yet, or no longer. */
export function place(frame: Frame, value: JsonValue): void {
  if (frame.key === undefined) frame.items.push(value);
  else setOwn(frame.members, frame.key, value);
}

/** Replaces the last value of a container. */
export function replaceLast(frame: Frame, value: JsonValue): void {
  if (frame.key === undefined) frame.items[frame.items.length - 1] = value;
  else setOwn(frame.members, frame.key, value);
}

/** Closes the innermost container. */
export function close(machine: Machine, end: number): void {
  const frame = machine.frames.pop();
  machine.frame = machine.frames.at(-1);
  machine.last = 'container';
  machine.lastStart = frame?.start ?? end;
  if (machine.frame === undefined) {
    machine.rootEnd = end;
    if (frame?.kind === 'call') machine.positional = frame.items;
  }
}

/** Closes the containers above a level. */
export function closeTo(machine: Machine, level: number, end: number): void {
  while (machine.frames.length - 1 > level) close(machine, end);
}

/** Returns the expected closers of the frames above a level, innermost first; at most 60. */
export function dueClosers(machine: Machine, level: number): string {
  let due = '';
  for (let index = machine.frames.length - 1; index > level && due.length < preview; index -= 1) {
    due += String.fromCharCode(machine.frames[index]?.closer ?? 0);
  }
  return due;
}

/** Returns the declared shape of the next value. */
export function dueShape({ frame, shape }: Machine): Shape | undefined {
  if (frame === undefined) return shape;
  if (frame.kind === 'array') return frame.shape?.item(frame.items.length);
  return frame.key === undefined ? undefined : frame.shape?.member(frame.key);
}

/** Returns the types that are declared for the next value, if any are. */
export function dueKinds(machine: Machine): Shape['kinds'] {
  return machine.shape === undefined ? undefined : dueShape(machine)?.kinds;
}
