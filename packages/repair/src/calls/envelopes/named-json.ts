import type { Envelope } from '../envelope.ts';
import { endOfName } from '../read-call-literals.ts';
import { readNamedCall } from '../read-named-call.ts';
import { resolveName } from '../resolve-name.ts';

const BETWEEN = /[ \t]*:?\s{0,20}(?=\{)/y;

/** `weather_at: {"city": "Ulm"}`: the name of a tool, and then its arguments. */
export const namedJson: Envelope = {
  name: 'named-json',
  tier: 3,
  openers: [],
  read: (source, _start, body) => {
    const nameEnd = endOfName(source.text, body);
    BETWEEN.lastIndex = nameEnd;
    if (nameEnd === body || !BETWEEN.test(source.text)) return undefined;
    const name = source.text.slice(body, nameEnd);
    const one = resolveName(source.tools, name) && readNamedCall(source, name, BETWEEN.lastIndex, []);
    return one?.call.name === undefined ? undefined : { end: one.end, calls: [one.call] };
  },
};
