import type { Envelope } from '../../contract/envelope.ts';
import { namedEnvelope } from '../makers/named-envelope.ts';

/** `<function=weather_at>{"city": "Vaduz"}</function>`, inside `<tool_call>` or not. */
export const functionEqJson: Envelope = namedEnvelope({
  name: 'function-eq-json',
  tier: 2,
  openers: ['<tool_call>', '<function=', '<function name='],
  call: /(?:<tool_call>\s{0,9})?<function(?:=|\s{1,9}name=)"?([^\s<>"'`{}()[\]|,;=]{1,128})"?\s{0,9}>\s{0,9}(?=\{)/y,
  closers: ['</function>'],
  sectionClosers: ['</tool_call>'],
});
