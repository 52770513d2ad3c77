import type { Envelope, WrittenCall } from '../envelope.ts';
import { readTaggedCall, type TaggedLayout } from '../read-tagged-call.ts';
import { skipSpace } from '../text-span.ts';

/** What an envelope is made of whose calls write every argument as a tag. */
export interface TaggedEnvelopeParts extends TaggedLayout {
  readonly name: string;
  readonly tier: 1 | 2;
  /** What may open a section around the calls. */
  readonly sectionOpeners: readonly string[];
  readonly sectionClosers: readonly string[];
  /** What may open a call with no section around it. */
  readonly callOpeners: readonly string[];
}

/** Makes an envelope of one or more calls, in a section of their own or not. */
export function taggedEnvelope(parts: TaggedEnvelopeParts): Envelope {
  return {
    name: parts.name,
    tier: parts.tier,
    openers: [...parts.sectionOpeners, ...parts.callOpeners],
    read: (source, start) => {
      const { text } = source;
      const section = parts.sectionOpeners.find((opener) => text.startsWith(opener, start));
      const calls: WrittenCall[] = [];
      let end = section === undefined ? start : start + section.length;
      for (;;) {
        const one = readTaggedCall(source, parts, skipSpace(text, end), parts.sectionClosers);
        if (one === undefined) break;
        calls.push(one.call);
        end = one.end;
        if (one.call.ending !== 'closed') break;
      }
      if (calls.length === 0) return undefined;
      const after = skipSpace(text, end);
      const closer = parts.sectionClosers.find((candidate) => text.startsWith(candidate, after));
      return { end: closer === undefined ? end : after + closer.length, calls };
    },
  };
}
