import type { Envelope } from '../../contract/envelope.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { readJsonCalls } from '../../arguments/json/read-json-calls.ts';

/** `{"name": "ping", "arguments": {}}` with nothing around it: an object, several, or a list. */
export const bareJson: Envelope = growingEnvelope(
  { name: 'bare-json', tier: 3, openers: [] },
  (source, _start, body, watch, { closers, isCertain }) =>
    readJsonCalls(source, body, { closers, openers: [], isTagged: false, isCertain }, watch),
);
