import type { Envelope, Found } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { matchAt, needleAt, passSpace, type Reading } from '../../source/growing-text.ts';
import { endOfName } from '../../arguments/code/end-of-name.ts';
import { isDefinition } from '../../arguments/json/is-definition.ts';
import { readNamedCall } from '../../arguments/json/read-named-call.ts';
import { resolveName } from '../../contract/resolve-name.ts';

const BETWEEN = /[ \t]{0,9}(?:arguments|args|parameters)?[ \t]{0,9}:?\s{0,20}(?=\{)/y;

/** `weather_at: {"city": "Ulm"}`, `(weather_at arguments: {"city": "Ulm"})`: the name of a tool, and then its arguments. */
export const namedJson: Envelope = growingEnvelope(
  { name: 'named-json', tier: 3, openers: [] },
  function* (source, _start, body, watch, { closers, isCertain }): Reading<Found | undefined> {
    const isEnclosed = source.text[body] === '(';
    const begin = isEnclosed ? body + 1 : body;
    const nameEnd = yield* endOfName(source, begin);
    if (nameEnd === begin) return undefined;
    const between = yield* matchAt(source, BETWEEN, nameEnd);
    const name = source.text.slice(begin, nameEnd);
    const tool = resolveName(source.tools, name)?.tool;
    if (between === null || tool === undefined) return undefined;
    const from = nameEnd + between[0].length;
    const one = yield* readNamedCall(source, name, from, closers, watch, '0');
    if (one === undefined || (one.call.name === undefined && !isCertain)) return undefined;
    const call = { ...one.call, isDefinition: isDefinition({}, one.call.arguments, tool) };
    const after = isEnclosed ? yield* passSpace(source, one.end) : one.end;
    const isClosed = isEnclosed && (yield* needleAt(source, [')'], after)) !== undefined;
    return { end: isClosed ? after + 1 : one.end, calls: [call], isInterrupted: one.isInterrupted === true };
  },
);
