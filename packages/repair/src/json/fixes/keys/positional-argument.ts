import * as char from '../../text/char.ts';
import { isNameStart, toNarrow } from '../../text/characters.ts';
import { afterBetween } from '../../lookahead/between.ts';
import { mayOpenString } from '../../text/delimiters.ts';
import type { Fix } from '../../machine/fix.ts';
import { certain, quotedKeyAt } from '../../lookahead/key-at.ts';
import { codeAt } from '../../machine/machine.ts';
import { wordEnd } from '../../actions/words.ts';

/** A value without a key between the parentheses of a call, which is how calls are written. `f(|1, b=2)` */
export const positionalArgument: Fix = {
  code: 'positional-argument',
  risk: 'safe',
  attempt: (machine, code) => {
    const { at, frame } = machine;
    if (frame?.kind !== 'call') return undefined;
    if (isNameStart(code)) {
      const next = toNarrow(codeAt(machine, afterBetween(machine, wordEnd(machine, at))));
      if (next === char.equals || next === char.colon) return undefined;
    }
    if (mayOpenString(code) && quotedKeyAt(machine, at, true) === certain) return undefined;
    if (machine.needsMore) return undefined;
    frame.key = undefined;
    if (code === char.asterisk && codeAt(machine, at + 1) === char.asterisk) machine.at += 2;
    return 'beforeValue';
  },
};
