import type { Envelope } from '../../contract/envelope.ts';
import { namedEnvelope } from '../makers/named-envelope.ts';

/** `<start_function_call>call:weather_at{city:<escape>Bray<escape>}<end_function_call>` */
export const functiongemma: Envelope = namedEnvelope({
  name: 'functiongemma',
  tier: 1,
  openers: ['<start_function_call>'],
  call: /(?:<start_function_call>)?\s{0,9}call:([^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}(?=\{)/y,
  closers: ['<end_function_call>'],
});

/** `<|tool_call>call:weather_at{city:<|"|>Sète<|"|>,days:2}<tool_call|>` */
export const gemma4: Envelope = namedEnvelope({
  name: 'gemma4',
  tier: 1,
  openers: ['<|tool_call>'],
  call: /(?:<\|tool_call>)?\s{0,9}call:([^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}(?=\{)/y,
  closers: ['<tool_call|>'],
});
