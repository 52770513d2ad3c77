import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

/** `<TOOLCALL>[{"name": …}]</TOOLCALL>` */
export const nemotronToolcall: Envelope = jsonEnvelope({
  name: 'nemotron-toolcall',
  tier: 2,
  openers: ['<TOOLCALL>'],
  closers: ['</TOOLCALL>'],
});
