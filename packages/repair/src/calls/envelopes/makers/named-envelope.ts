import type { Envelope, WrittenCall } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { matchAt, needleAt, passSpace } from '../../source/growing-text.ts';
import { readNamedCall } from '../../arguments/json/read-named-call.ts';

/** What an envelope is made of whose calls are a name and then an object of arguments. */
export interface NamedEnvelopeParts {
  readonly name: string;
  readonly tier: 1 | 2;
  readonly openers: readonly string[];
  /** From where the opener begins to where the arguments begin; group 1 or 2 is the name. Sticky, and without unbounded repetition. */
  readonly call: RegExp;
  /** What ends one call. */
  readonly closers: readonly string[];
  /** What ends the section that the calls stand in. */
  readonly sectionClosers?: readonly string[];
}

/** Makes an envelope of one or more named calls in a row. */
export function namedEnvelope(parts: NamedEnvelopeParts): Envelope {
  const { name, tier, openers, call, closers, sectionClosers = [] } = parts;
  return growingEnvelope({ name, tier, openers }, function* (source, start, _body, watch) {
    const calls: WrittenCall[] = [];
    let end = start;
    for (let at = start; ; at = yield* passSpace(source, end)) {
      const match = yield* matchAt(source, call, at);
      const called = match?.[1] ?? match?.[2];
      if (match === null || called === undefined) break;
      const one = yield* readNamedCall(source, called, at + match[0].length, closers, watch, String(calls.length));
      if (one === undefined) break;
      calls.push(one.call);
      end = one.end;
      if (one.isInterrupted === true) return { end, calls, isInterrupted: true };
      if (one.call.ending !== 'closed') break;
    }
    if (calls.length === 0) return { end, calls };
    const after = yield* passSpace(source, end);
    const closer = yield* needleAt(source, sectionClosers, after);
    return { end: closer === undefined ? end : after + closer.length, calls };
  });
}
