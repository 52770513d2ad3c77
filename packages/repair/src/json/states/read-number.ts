import { deliverNumber, toNumber, endsNumber } from '../actions/numbers.ts';
import * as char from '../text/char.ts';
import { applyFirst } from '../machine/fix.ts';
import { opensNextAt } from '../lookahead/follow.ts';
import { numberFixes } from '../fixes/index.ts';
import { plainNumberEnd } from '../text/plain-text.ts';
import { codeAt, deliver, fail, type Machine, type State } from '../machine/machine.ts';
import { endOfText } from '../actions/end-of-text.ts';

const jsonNumberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const numberCharactersPattern = /[0-9+\-.eE]*/y;

/** A number, beginning at the cursor. `[|-1.5e3]` */
export function readNumber(machine: Machine): State | undefined {
  const { text, at } = machine;
  const plain = plainNumberEnd(text, at);
  if (plain !== -1) return deliverNumber(machine, at, plain);
  const end = endOfMatch(numberCharactersPattern, text, at);
  const next = codeAt(machine, end);
  if (machine.needsMore) return undefined;
  const longest = endOfMatch(jsonNumberPattern, text, at);
  if (next === char.end && machine.frames.length > 0) return cutNumber(machine, at, longest);
  // `2024/01/02`: a slash that begins no comment ends no number.
  const isSlashed =
    next === char.slash && codeAt(machine, end + 1) !== char.slash && codeAt(machine, end + 1) !== char.asterisk;
  if (machine.needsMore) return undefined;
  if (longest === end && longest > at && !isSlashed && (endsNumber(next) || opensNextAt(machine, end)))
    return deliverNumber(machine, at, end);
  return applyFirst(numberFixes, machine, text.charCodeAt(at)) ?? fail(machine, 'a number');
}

/** A number at the very end may be the beginning of a longer one: what there is of it is kept, as cut. */
function cutNumber(machine: Machine, at: number, longest: number): undefined {
  const value = toNumber(machine.text, at, longest);
  if (longest > at) deliver(machine, Number.isFinite(value) ? value : null, at);
  return endOfText(machine, 'cut', 'cut-number', at);
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
