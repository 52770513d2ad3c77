import type { Envelope } from '../envelope.ts';
import { readCallLiterals, type CallLiteralLayout } from '../read-call-literals.ts';
import { skipSpace } from '../text-span.ts';

/** What an envelope around calls written like code is made of. */
export interface CallEnvelopeParts {
  readonly name: string;
  readonly tier: 1 | 2;
  readonly openers: readonly string[];
  readonly closers: readonly string[];
  readonly layout?: CallLiteralLayout;
}

/** Makes an envelope whose body is calls written like code. */
export function callEnvelope(parts: CallEnvelopeParts): Envelope {
  return {
    name: parts.name,
    tier: parts.tier,
    openers: parts.openers,
    read: (source, _start, body) => {
      const found = readCallLiterals(source, body, parts.layout);
      if (found === undefined) return undefined;
      const after = skipSpace(source.text, found.end);
      const closer = parts.closers.find((candidate) => source.text.startsWith(candidate, after));
      return closer === undefined ? found : { ...found, end: after + closer.length };
    },
  };
}
