import type { Envelope } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { needleAt, passSpace } from '../../source/growing-text.ts';
import { readCallLiterals } from '../../arguments/code/read-call-literals.ts';
import { readJsonCalls } from '../../arguments/json/read-json-calls.ts';

const OPENERS = ['<|tool_call_start|>'];
const CLOSERS = ['<|tool_call_end|>'];

/** `<|tool_call_start|>[weather_at(city="Agen")]<|tool_call_end|>`, or JSON between the same tokens. */
export const lfm2: Envelope = growingEnvelope(
  { name: 'lfm2', tier: 1, openers: OPENERS },
  function* (source, _start, body, watch) {
    const layout = { isList: true };
    const found = yield* readCallLiterals(source, body, { layout, closers: CLOSERS, isCertain: true }, watch);
    if (found === undefined) {
      const place = { closers: CLOSERS, openers: OPENERS, isTagged: true, isCertain: true };
      return yield* readJsonCalls(source, body, place, watch);
    }
    const after = yield* passSpace(source, found.end);
    const closer = yield* needleAt(source, CLOSERS, after);
    return closer === undefined ? found : { ...found, end: after + closer.length };
  },
);
