import * as char from '../text/char.ts';
import { note, open, type Machine, type State } from '../machine/machine.ts';
import { afterKey } from './after-key.ts';
import { afterValue } from './after-value.ts';
import { beforeKey } from './before-key.ts';
import { beforeValue } from './before-value.ts';
import { readNumber } from './read-number.ts';
import { readString } from './read-string.ts';
import { readWord } from './read-word.ts';

/** An object whose opening brace is missing. */
function members(machine: Machine): State | undefined {
  if (!open(machine, 'object', char.closeBrace, machine.at)) return undefined;
  note(machine, 'missing-opener', 'safe', machine.at, machine.at, '{');
  return 'beforeKey';
}

/** The arguments of a call, behind its opening parenthesis. */
function callArguments(machine: Machine): State | undefined {
  return open(machine, 'call', char.closeParen, machine.at) ? 'beforeKey' : undefined;
}

/**
 * Runs one step of reading. It looks at the character at `machine.at`, and either moves on and names the next step, or returns
 * undefined: the value is finished, reading failed, or more text is needed. A switch, since looking functions up in a table
 * takes several per cent longer.
 */
function take(machine: Machine): State | undefined {
  switch (machine.state) {
    case 'afterValue':
      return afterValue(machine);
    case 'beforeKey':
      return beforeKey(machine);
    case 'readString':
      return readString(machine);
    case 'afterKey':
      return afterKey(machine);
    case 'beforeValue':
      return beforeValue(machine);
    case 'readNumber':
      return readNumber(machine);
    case 'readWord':
      return readWord(machine);
    case 'members':
      return members(machine);
    default:
      return callArguments(machine);
  }
}

/** Runs steps until the value is finished, reading fails, or more text is needed. `after` sees the machine after each step. */
export function advance(machine: Machine, after?: () => void): void {
  for (;;) {
    machine.needsMore = false;
    const next = take(machine);
    if (next !== undefined) machine.state = next;
    after?.();
    if (next === undefined) return;
  }
}
