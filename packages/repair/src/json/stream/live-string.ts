import type { Machine, StringToken } from '../machine/machine.ts';
import { isWindowsPath } from '../lookahead/windows-path.ts';

const reach = 128;

/**
 * Returns the certain part of an unfinished string: decoded, and unchanged whatever follows. Text that could still turn
 * out to come after the string, such as a comma and a line break, is left for later.
 */
export function takeCertain(machine: Machine, token: StringToken): string {
  if (token.end !== -1 || token.maybe !== -1) return '';
  if (!token.isRaw && isWindowsPath(machine.text, token.begin)) return takeDrive(machine, token);
  const end = certainEnd(machine.text, token.run, token.at, machine.frame?.kind === 'array');
  let piece = token.text + machine.text.slice(token.run, end);
  let rest = '';
  const last = piece.charCodeAt(piece.length - 1);
  if (last >= 0xd800 && last < 0xdc00) {
    // Half of a surrogate pair waits for its other half.
    rest = piece.slice(-1);
    piece = piece.slice(0, -1);
  }
  token.head += piece;
  token.text = rest;
  token.run = end;
  return piece;
}

/** The drive of a possible path, whose backslashes may turn out not to be escapes. */
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
 * Returns the start of the closers, commas and white space at the end of the text from `from` to `to`. In a list, also
 * numbers and words between them.
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
