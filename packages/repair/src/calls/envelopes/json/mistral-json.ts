import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `[TOOL_CALLS] [{"name": …}]` */
export const mistralJson: Envelope = jsonEnvelope({
  name: 'mistral-json',
  tier: 1,
  openers: ['[TOOL_CALLS]'],
  closers: ['[/TOOL_CALLS]', '</s>'],
});
