import { isNamePart, isWhitespace } from '../../text/characters.ts';
import type { Fix } from '../../machine/fix.ts';
import type { Frame } from '../../machine/machine.ts';
import { unquotedString } from './unquoted-string.ts';

/** Text without quotes that begins like a number or a word. `{"a": 10 apples, "b": 1 + 2}` */
export const barePhrase: Fix = {
  code: 'unquoted-string',
  risk: 'lossy',
  attempt: (machine, code) => {
    const { frame, last, lastStart, text, at } = machine;
    if (frame === undefined || (last !== 'number' && last !== 'word')) return undefined;
    if (!isNamePart(code) && !'\\+*/%'.includes(String.fromCharCode(code))) return undefined;
    if (at === lastStart || !isWhitespace(text.charCodeAt(at - 1)) || text.slice(lastStart, at).includes('\n'))
      return undefined;
    const value = takeLast(frame);
    machine.at = lastStart;
    const next = unquotedString.attempt(machine, text.charCodeAt(lastStart), unquotedString);
    if (next !== undefined || machine.rootEnd !== -1 || value === undefined) return next;
    machine.at = at;
    putBack(frame, value);
    return undefined;
  },
};

function takeLast(frame: Frame): Frame['items'][number] | undefined {
  if (frame.kind === 'array' || frame.key === undefined) return frame.items.pop();
  const value = frame.members[frame.key];
  Reflect.deleteProperty(frame.members, frame.key);
  return value;
}

function putBack(frame: Frame, value: Frame['items'][number]): void {
  if (frame.kind === 'array' || frame.key === undefined) frame.items.push(value);
  else frame.members[frame.key] = value;
}
