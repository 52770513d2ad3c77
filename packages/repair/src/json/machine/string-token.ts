import { StringToken, type Machine, type State } from './machine.ts';
import * as char from '../text/char.ts';
import type { Delimiter } from '../text/delimiters.ts';
import { isTerminalCode } from '../text/plain-text.ts';

/** Begins a string whose opening delimiter is at the cursor. `prefix` is text that it continues. Returns the next state. */
export function beginString(
  machine: Machine,
  role: StringToken['role'],
  delimiter: Delimiter,
  begin: number = machine.at + delimiter.open.length,
  prefix = '',
): State {
  const mark = { repairs: machine.repairs.length, risk: machine.risk };
  machine.token = new StringToken({ role, delimiter, start: machine.at, begin, prefix, mark });
  return 'readString';
}

/** Reads the same string again, with what is known of it by now. Returns the next state. */
export function rereadString(
  machine: Machine,
  token: StringToken,
  known: Partial<Pick<StringToken, 'end' | 'resume' | 'isRaw' | 'isDamaged'>>,
): State {
  machine.repairs.length = token.mark.repairs;
  machine.risk = token.mark.risk;
  const { end, resume, isRaw } = token;
  machine.token = Object.assign(new StringToken(token), { end, resume, isRaw }, known);
  return 'readString';
}

const bracketPattern = /[[\]{}\\]/;

/** Returns the number of open braces and brackets in the content up to an offset. */
export function depthAt({ text }: Machine, token: Pick<StringToken, 'counted' | 'depth'>, at: number): number {
  // A regular expression searches a long text several times faster than a loop.
  const isFlat = at <= token.counted || !bracketPattern.test(text.slice(token.counted, at));
  for (let index = isFlat ? at : token.counted; index < at; index += 1) {
    const code = text.charCodeAt(index);
    if (code === char.openBrace || (code === char.openBracket && !isTerminalCode(text, index))) token.depth += 1;
    else if (code === char.closeBrace || code === char.closeBracket) token.depth -= 1;
    else if (code === char.backslash) index += 1;
  }
  token.counted = Math.max(token.counted, at);
  return token.depth;
}
