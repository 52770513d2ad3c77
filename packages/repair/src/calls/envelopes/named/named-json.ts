import type { Envelope, Found } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { matchAt, type Reading } from '../../source/growing-text.ts';
import { endOfName } from '../../arguments/code/end-of-name.ts';
import { readNamedCall } from '../../arguments/json/read-named-call.ts';
import { resolveName } from '../../contract/resolve-name.ts';

const BETWEEN = /[ \t]{0,9}:?\s{0,20}(?=\{)/y;

/** `weather_at: {"city": "Ulm"}`: the name of a tool, and then its arguments. */
export const namedJson: Envelope = growingEnvelope(
  { name: 'named-json', tier: 3, openers: [] },
  function* (source, _start, body, watch, { closers, isCertain }): Reading<Found | undefined> {
    const nameEnd = yield* endOfName(source, body);
    if (nameEnd === body) return undefined;
    const between = yield* matchAt(source, BETWEEN, nameEnd);
    const name = source.text.slice(body, nameEnd);
    if (between === null || resolveName(source.tools, name) === undefined) return undefined;
    const from = nameEnd + between[0].length;
    const one = yield* readNamedCall(source, name, from, closers, watch, '0');
    if (one === undefined || (one.call.name === undefined && !isCertain)) return undefined;
    return { end: one.end, calls: [one.call], isInterrupted: one.isInterrupted === true };
  },
);
