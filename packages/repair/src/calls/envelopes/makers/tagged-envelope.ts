import type { Envelope, WrittenCall } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { needleAt, passSpace } from '../../source/growing-text.ts';
import { readTaggedCall } from '../../arguments/tags/read-tagged-call.ts';
import type { TaggedLayout } from '../../arguments/tags/tagged-layout.ts';

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
  const { name, tier, sectionOpeners, sectionClosers, callOpeners } = parts;
  const openers = [...sectionOpeners, ...callOpeners];
  return growingEnvelope({ name, tier, openers }, function* (source, start, _body, watch) {
    const section = sectionOpeners.find((opener) => source.text.startsWith(opener, start));
    const calls: WrittenCall[] = [];
    let end = section === undefined ? start : start + section.length;
    for (;;) {
      const at = yield* passSpace(source, end);
      const one = yield* readTaggedCall(source, parts, at, watch, String(calls.length));
      if (one === undefined) break;
      calls.push(one.call);
      end = one.end;
      if (one.call.ending !== 'closed' || section === undefined) break;
    }
    if (calls.length === 0) return undefined;
    const after = yield* passSpace(source, end);
    const closer = yield* needleAt(source, sectionClosers, after);
    return { end: closer === undefined ? end : after + closer.length, calls };
  });
}
