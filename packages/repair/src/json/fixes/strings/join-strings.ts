import { afterBetween } from '../../lookahead/between.ts';
import * as char from '../../text/char.ts';
import { delimiterAt, mayOpenString } from '../../text/delimiters.ts';
import type { Fix } from '../../machine/fix.ts';
import type { JsonValue } from '../../result/json-value.ts';
import { codeAt, note, type Frame } from '../../machine/machine.ts';
import { beginString } from '../../machine/string-token.ts';

/** Strings added together. `{"a": "x" + "y"}` */
export const joinStrings: Fix = {
  code: 'joined-strings',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    const { frame } = machine;
    if (code !== char.plus || machine.last !== 'string' || frame === undefined) return undefined;
    const at = afterBetween(machine, machine.at + 1);
    const next = codeAt(machine, at);
    if (machine.needsMore || !mayOpenString(next)) return undefined;
    note(machine, fix.code, fix.risk, machine.at, at, '');
    const before = takeLast(frame);
    machine.at = at;
    const delimiter = delimiterAt(machine.text, at);
    beginString(machine, 'value', delimiter, at + delimiter.open.length, before);
    return 'readString';
  },
};

function takeLast(frame: Frame): string {
  if (frame.kind === 'array' || frame.key === undefined) return asText(frame.items.pop());
  const before = asText(frame.members[frame.key]);
  // Taken out, so that putting the whole string in is not mistaken for a second member of the same name.
  Reflect.deleteProperty(frame.members, frame.key);
  return before;
}

function asText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
