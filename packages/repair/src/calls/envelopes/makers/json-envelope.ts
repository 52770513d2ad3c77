import type { Envelope } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { readJsonCalls } from '../../arguments/json/read-json-calls.ts';

/** What an envelope around calls spelled as JSON is made of. */
export interface JsonEnvelopeParts {
  readonly name: string;
  readonly tier: 1 | 2;
  readonly openers: readonly string[];
  /** What ends it; may be missing in the text. */
  readonly closers: readonly string[];
}

/** Makes an envelope whose body is one call object, several, or a list of them. */
export function jsonEnvelope({ name, tier, openers, closers }: JsonEnvelopeParts): Envelope {
  const place = { closers, openers, isTagged: closers.length > 0, isCertain: true };
  return growingEnvelope({ name, tier, openers }, (source, _start, body, watch) =>
    readJsonCalls(source, body, place, watch),
  );
}
