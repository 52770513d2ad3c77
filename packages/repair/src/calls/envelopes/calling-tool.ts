import type { Envelope } from '../envelope.ts';
import { callEnvelope } from './call-envelope.ts';

/** `[Calling tool: find_docs({"query": "cc"})]` */
export const callingTool: Envelope = callEnvelope({
  name: 'call-text',
  tier: 2,
  openers: ['[Calling tool:', '[Tool call:', '[tool_call:'],
  closers: [']'],
});
