import * as char from '../../text/char.ts';
import type { Fix } from '../../machine/fix.ts';
import { followAt } from '../../lookahead/follow.ts';
import { certain } from '../../lookahead/key-at.ts';
import { note } from '../../machine/machine.ts';

/** A quote after a value that has none before it. `{"a": 1", "b": 2}` */
export const strayQuote: Fix = {
  code: 'stray-quote',
  risk: 'lossy',
  attempt: (machine, code, fix) => {
    const { at, frames } = machine;
    if (code !== char.quote || followAt(machine, at + 1, frames.length - 1, false) !== certain || machine.needsMore)
      return undefined;
    note(machine, fix.code, fix.risk, at, at + 1, '');
    machine.at += 1;
    return 'afterValue';
  },
};

/** The same right behind another quote, where it opens nothing: what can follow a value follows it. `["x"", "y"]` */
export const secondQuote: Fix = {
  ...strayQuote,
  attempt: (machine, code, fix) =>
    machine.last === 'string' && machine.text.charCodeAt(machine.at - 1) === char.quote
      ? strayQuote.attempt(machine, code, fix)
      : undefined,
};
