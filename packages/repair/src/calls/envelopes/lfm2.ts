import type { Envelope } from '../envelope.ts';
import { readCallLiterals } from '../read-call-literals.ts';
import { readJsonCalls } from '../read-json-calls.ts';
import { skipSpace } from '../text-span.ts';

const CLOSER = '<|tool_call_end|>';

/** `<|tool_call_start|>[weather_at(city="Agen")]<|tool_call_end|>`, or JSON between the same tokens. */
export const lfm2: Envelope = {
  name: 'lfm2',
  tier: 1,
  openers: ['<|tool_call_start|>'],
  read: (source, _start, body) => {
    const found = readCallLiterals(source, body, { isList: true });
    if (found === undefined) return readJsonCalls(source, body, [CLOSER]);
    const end = skipSpace(source.text, found.end);
    return source.text.startsWith(CLOSER, end) ? { ...found, end: end + CLOSER.length } : found;
  },
};
