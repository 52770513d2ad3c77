import type { Envelope } from '../envelope.ts';
import { readJsonCalls } from '../read-json-calls.ts';

/** What an envelope around calls spelled as JSON is made of. */
export interface JsonEnvelopeParts {
  readonly name: string;
  readonly tier: 1 | 2;
  readonly openers: readonly string[];
  /** What ends it; may be missing in the text. */
  readonly closers: readonly string[];
}

/** Makes an envelope whose body is one call object, several, or a list of them. */
export function jsonEnvelope(parts: JsonEnvelopeParts): Envelope {
  return {
    name: parts.name,
    tier: parts.tier,
    openers: parts.openers,
    read: (source, _start, body) => readJsonCalls(source, body, parts.closers, parts.openers),
  };
}
