import type { Envelope } from '../../contract/envelope.ts';
import { callEnvelope } from '../makers/call-envelope.ts';

/** `[Calling tool: find_docs({"query": "cc"})]` */
export const callingTool: Envelope = callEnvelope({
  name: 'call-text',
  tier: 2,
  openers: ['[Calling tool:', '[Tool call:', '[tool_call:'],
  closers: [']'],
});
