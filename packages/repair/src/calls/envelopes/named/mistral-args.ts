import type { Envelope } from '../../contract/envelope.ts';
import { namedEnvelope } from '../makers/named-envelope.ts';

/** `[TOOL_CALLS]weather_at[CALL_ID]Ab3dE6gH9[ARGS]{"city": "Brest"}` */
export const mistralArgs: Envelope = namedEnvelope({
  name: 'mistral-args',
  tier: 1,
  openers: ['[TOOL_CALLS]'],
  call: /(?:\[TOOL_CALLS\])?\s?([^\s<>"'`{}()[\]|,;=]{1,128})(?:\[CALL_ID\]\w{1,64})?(?:\[ARGS\])?(?=\s{0,9}\{)/y,
  closers: [],
  sectionClosers: ['[/TOOL_CALLS]', '</s>'],
});
