import type { Envelope } from '../envelope.ts';
import { jsonEnvelope } from './json-envelope.ts';

/** `[TOOL_CALLS] [{"name": …}]` */
export const mistralJson: Envelope = jsonEnvelope({
  name: 'mistral-json',
  tier: 1,
  openers: ['[TOOL_CALLS]'],
  closers: ['[/TOOL_CALLS]', '</s>'],
});
