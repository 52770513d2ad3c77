import { skipBetween } from '../lookahead/between.ts';
import * as char from '../text/char.ts';
import { isDigit } from '../text/characters.ts';
import { isBracketOfText } from '../lookahead/declared-text.ts';
import { doubleQuote, followsEmptyString } from '../text/delimiters.ts';
import { applyFirst } from '../machine/fix.ts';
import { quotedValueFixes, valueFixes } from '../fixes/index.ts';
import { codeAt, fail, open, type Machine, type State } from '../machine/machine.ts';
import { closeFrame } from '../actions/close-frame.ts';
import { endOfText } from '../actions/end-of-text.ts';
import { readStrict } from './read-strict.ts';
import { beginString } from '../machine/string-token.ts';

/** Where a value is due. `{"a": |1}` `[|1]` */
export function beforeValue(machine: Machine): State | undefined {
  const code = skipBetween(machine);
  if (machine.needsMore) return undefined;
  const { frame } = machine;
  if (
    (code === char.openBracket || (code === char.openBrace && machine.shape !== undefined)) &&
    isBracketOfText(machine, code)
  )
    return applyFirst(valueFixes, machine, code) ?? fail(machine, 'a value');
  if (code === char.openBrace)
    return open(machine, 'object', char.closeBrace, machine.at) ? step(machine, 'beforeKey') : undefined;
  if (machine.mayShorten && frame?.kind === 'array') {
    const { at } = machine;
    const next = readStrict(machine, 'beforeValue');
    if (machine.at !== at || next !== 'beforeValue') return next;
  }
  if (code === char.quote) {
    if (codeAt(machine, machine.at + 1) === char.quote && !followsEmptyString(codeAt(machine, machine.at + 2))) {
      const next = applyFirst(quotedValueFixes, machine, code);
      if (next !== undefined || machine.needsMore) return next;
    }
    if (machine.needsMore) return undefined;
    beginString(machine, 'value', doubleQuote);
    return 'readString';
  }
  if (code === char.openBracket)
    return open(machine, 'array', char.closeBracket, machine.at) ? step(machine, 'beforeValue') : undefined;
  if (isDigit(code) || code === char.minus) return 'readNumber';
  if (code === frame?.closer && frame.kind === 'array') return closeFrame(machine);
  if (code === 0x74 || code === 0x66 || code === 0x6e) return 'readWord';
  if (code === char.end) return endOfText(machine, 'cut');
  return applyFirst(valueFixes, machine, code) ?? fail(machine, 'a value');
}

function step(machine: Machine, next: State): State {
  machine.at += 1;
  return next;
}
