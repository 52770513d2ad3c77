import { afterBetween } from '../between.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PAREN, COMMA, END, SEMICOLON, toNarrow } from '../characters.ts';
import type { Fix } from '../fix.ts';
import { MAYBE, NO, SURE, followAt, type Chance } from '../follow.ts';
import { close, codeAt, dueClosers, note, type Machine } from '../machine.ts';
import { afterValue } from '../states/after-value.ts';
import { closeFrame } from '../states/close-frame.ts';

/**
 * A closer that does not fit the innermost container. Either closers before it are missing, or it was meant as another
 * one, or it is one too many: whichever leaves the most possible text after it. `{"a": [1, 2}` `{"a": [1, 2}}` `{"a": 1]}`
 */
export const wrongCloser: Fix = {
  code: 'wrong-closer',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at, frames } = machine;
    const closer = toNarrow(code);
    if (closer !== CLOSE_BRACE && closer !== CLOSE_BRACKET && closer !== CLOSE_PAREN) return undefined;
    const top = frames.length - 1;
    if (top < 0) return undefined;
    let fitting = top;
    while (fitting >= 0 && frames[fitting]?.closer !== closer) fitting -= 1;
    const through = fitting < 0 ? -1 : throughTo(machine, at + 1, fitting);
    const instead = followAt(machine, at + 1, top - 1, true);
    const without = followAt(machine, at + 1, top, true);
    if (machine.starved) return undefined;
    const best = Math.max(through, instead, without);
    if (best === NO) return undefined;
    if (through === best) {
      if (fitting === top) {
        note(machine, 'full-width', 'safe', at, at + 1, String.fromCharCode(closer));
        return closeFrame(machine);
      }
      note(machine, 'missing-closer', fix.risk, at, at, dueClosers(machine, fitting));
      while (machine.frames.length - 1 > fitting) close(machine, at);
      return closeFrame(machine);
    }
    if (instead === best) {
      note(machine, fix.code, fix.risk, at, at + 1, String.fromCharCode(frames[top]?.closer ?? closer));
      return closeFrame(machine);
    }
    note(machine, 'extra-closer', fix.risk, at, at + 1, '');
    machine.at += 1;
    return afterValue;
  },
};

/** How likely it is that the closer ends the container at a level. The root ends only where nothing goes on after it. */
function throughTo(machine: Machine, after: number, level: number): Chance {
  const chance = followAt(machine, after, level - 1, true);
  if (level > 0 || chance !== SURE) return chance;
  const at = afterBetween(machine, after);
  const code = toNarrow(codeAt(machine, at));
  if (code !== COMMA && code !== SEMICOLON) return chance;
  return codeAt(machine, afterBetween(machine, at + 1)) === END ? chance : MAYBE;
}
