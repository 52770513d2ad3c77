import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<|START_ACTION|>[{"tool_name": …, "parameters": …}]<|END_ACTION|>` */
export const cohereAction: Envelope = jsonEnvelope({
  name: 'cohere-action',
  tier: 1,
  openers: ['<|START_ACTION|>'],
  closers: ['<|END_ACTION|>'],
});
