import type { Envelope } from '../../contract/envelope.ts';
import { namedEnvelope } from '../makers/named-envelope.ts';

/** `<|tool_call_begin|>functions.weather_at:0<|tool_call_argument_begin|>{…}<|tool_call_end|>` */
export const kimiK2: Envelope = namedEnvelope({
  name: 'kimi-k2',
  tier: 1,
  openers: ['<|tool_calls_section_begin|>', '<|tool_call_begin|>'],
  call: /(?:<\|tool_calls_section_begin\|>\s{0,9})?<\|tool_call_begin\|>\s{0,9}([^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}<\|tool_call_argument_begin\|>\s{0,9}(?=\{)/y,
  closers: ['<|tool_call_end|>'],
  sectionClosers: ['<|tool_calls_section_end|>'],
});
