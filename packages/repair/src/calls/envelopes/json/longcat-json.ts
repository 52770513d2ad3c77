import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<longcat_tool_call>{"name": …}</longcat_tool_call>` */
export const longcatJson: Envelope = jsonEnvelope({
  name: 'longcat',
  tier: 1,
  openers: ['<longcat_tool_call>'],
  closers: ['</longcat_tool_call>'],
});
