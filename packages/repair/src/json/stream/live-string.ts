import type { JsonValue } from '../result/json-value.ts';
import type { Frame, Machine, StringToken } from '../machine/machine.ts';
import { isWindowsPath } from '../lookahead/windows-path.ts';

const reach = 128;

/**
 * Takes what is certain of a string that is being read: decoded, and not to be taken back whatever follows. What could
 * still turn out to stand behind its end, such as a comma and a line break, is left for later.
 */
export function takeCertain(machine: Machine, token: StringToken): string {
  if (token.end !== -1 || token.maybe !== -1) return '';
  if (!token.isRaw && isWindowsPath(machine.text, token.begin)) return takeDrive(machine, token);
  const end = certainEnd(machine.text, token.run, token.at, machine.frame?.kind === 'array');
  let piece = token.text + machine.text.slice(token.run, end);
  let rest = '';
  const last = piece.charCodeAt(piece.length - 1);
  if (last >= 0xd800 && last < 0xdc00) {
    // Half a surrogate pair waits for its other half.
    rest = piece.slice(-1);
    piece = piece.slice(0, -1);
  }
  token.head += piece;
  token.text = rest;
  token.run = end;
  return piece;
}

/** The drive of what may be a path whose backslashes turn out to be no escapes. */
function takeDrive({ text }: Machine, token: StringToken): string {
  const missing = 2 - token.head.length;
  if (missing <= 0 || token.prefix !== '') return '';
  let piece = token.text.slice(0, missing);
  token.text = token.text.slice(missing);
  if (piece === '') {
    piece = text.slice(token.run, token.run + missing);
    token.run += missing;
  }
  token.head += piece;
  return piece;
}

/**
 * Where closers, commas and white space begin that end what has been read from `from` to `to`; in a list also numbers and
 * words between them.
 */
export function certainEnd(text: string, from: number, to: number, isInList: boolean): number {
  const least = Math.max(from, to - reach);
  let end = to;
  while (end > least && ' \t\r\n,]}{'.includes(text[end - 1] ?? 'x')) end -= 1;
  if (!isInList) return end;
  let comma = end;
  for (let at = to; at > least && isScalarPart(text.charCodeAt(at - 1)); at -= 1) {
    if (text[at - 1] === ',') comma = at - 1;
  }
  while (comma > least && ' \t\r\n'.includes(text[comma - 1] ?? 'x')) comma -= 1;
  return Math.min(end, comma);
}

function isScalarPart(code: number): boolean {
  return (
    code <= 0x20 ||
    (code >= 0x2c && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5d ||
    code === 0x7d ||
    code === 0x7b
  );
}

/** Puts a string that is being read where it will stand. */
export function place(machine: Machine, value: string): void {
  const { frame } = machine;
  if (frame === undefined) return;
  if (frame.kind === 'array' || frame.key === undefined) frame.items.push(value);
  else setOwn(frame, frame.key, value);
}

function setOwn({ members }: Frame, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    members[key] = value;
  }
}

/** Puts more of it in the place of what stands there. */
export function replace({ frame }: Machine, value: string): void {
  if (frame === undefined) return;
  if (frame.kind === 'array' || frame.key === undefined) frame.items[frame.items.length - 1] = value;
  else setOwn(frame, frame.key, value);
}

/** Takes it out of a list again, where its end would be put beside it rather than in its place. */
export function unplace({ frame }: Machine): void {
  if (frame !== undefined && (frame.kind === 'array' || frame.key === undefined)) frame.items.pop();
}
