import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>` */
export const hermes: Envelope = jsonEnvelope({
  name: 'hermes',
  tier: 2,
  openers: ['<tool_call>'],
  closers: ['</tool_call>'],
});
