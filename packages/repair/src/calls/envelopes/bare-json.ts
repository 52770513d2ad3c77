import type { Envelope } from '../envelope.ts';
import { readJsonCalls } from '../read-json-calls.ts';

/** `{"name": "ping", "arguments": {}}` with nothing around it: an object, several, or a list. */
export const bareJson: Envelope = {
  name: 'bare-json',
  tier: 3,
  openers: [],
  read: (source, _start, body) => readJsonCalls(source, body, []),
};
