import type { Envelope, WrittenCall } from '../envelope.ts';
import { readNamedCall } from '../read-named-call.ts';
import { skipSpace } from '../text-span.ts';

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
  return {
    name: parts.name,
    tier: parts.tier,
    openers: parts.openers,
    read: (source, start) => {
      const { text } = source;
      const calls: WrittenCall[] = [];
      let end = start;
      for (let at = start; ; at = skipSpace(text, end)) {
        parts.call.lastIndex = at;
        const match = parts.call.exec(text);
        const name = match?.[1] ?? match?.[2];
        const one = name === undefined ? undefined : readNamedCall(source, name, parts.call.lastIndex, parts.closers);
        if (one === undefined) break;
        calls.push(one.call);
        end = one.end;
        if (one.call.ending !== 'closed') break;
      }
      const after = skipSpace(text, end);
      const closer = parts.sectionClosers?.find((candidate) => text.startsWith(candidate, after));
      return { end: closer === undefined ? end : after + closer.length, calls };
    },
  };
}
