import { CLOSE_PAREN, OPEN_PAREN } from '../characters.ts';
import type { Fix } from '../fix.ts';
import { note, open } from '../machine.ts';
import { beforeValue } from '../states/before-value.ts';

/** A list in parentheses, as Python writes tuples. `{"a": (1, 2)}` */
export const tuple: Fix = {
  code: 'tuple',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    if (code !== OPEN_PAREN || machine.frame === undefined) return undefined;
    if (!open(machine, 'array', CLOSE_PAREN, machine.at)) return undefined;
    note(machine, fix.code, fix.risk, machine.at, machine.at + 1, '[');
    machine.at += 1;
    return beforeValue;
  },
};
