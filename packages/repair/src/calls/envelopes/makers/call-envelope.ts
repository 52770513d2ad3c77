import type { Envelope } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { needleAt, passSpace } from '../../source/growing-text.ts';
import type { CallLiteralLayout } from '../../arguments/code/literal-place.ts';
import { readCallLiterals } from '../../arguments/code/read-call-literals.ts';

/** What an envelope around calls written like code is made of. */
export interface CallEnvelopeParts {
  readonly name: string;
  readonly tier: 1 | 2;
  readonly openers: readonly string[];
  readonly closers: readonly string[];
  readonly layout?: CallLiteralLayout;
}

/** Makes an envelope whose body is calls written like code. */
export function callEnvelope({ name, tier, openers, closers, layout = {} }: CallEnvelopeParts): Envelope {
  return growingEnvelope({ name, tier, openers }, function* (source, _start, body, watch) {
    const found = yield* readCallLiterals(source, body, { layout, closers, isCertain: true }, watch);
    if (found === undefined || found.isInterrupted === true) return found;
    const after = yield* passSpace(source, found.end);
    const closer = yield* needleAt(source, closers, after);
    return closer === undefined ? found : { ...found, end: after + closer.length };
  });
}
