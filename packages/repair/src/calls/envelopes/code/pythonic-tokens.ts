import type { Envelope } from '../../contract/envelope.ts';
import { callEnvelope } from '../makers/call-envelope.ts';

/** `<|python_start|>[ping()]<|python_end|>`, and code behind the token that promises JSON. */
export const pythonicTokens: Envelope = callEnvelope({
  name: 'pythonic',
  tier: 1,
  openers: ['<|python_start|>', '[TOOL_CALLS]'],
  closers: ['<|python_end|>', '[/TOOL_CALLS]', '</s>'],
  layout: { isList: true },
});
