import type { Envelope } from '../envelope.ts';
import { jsonEnvelope } from './json-envelope.ts';

/** `<TOOLCALL>[{"name": …}]</TOOLCALL>` */
export const nemotronToolcall: Envelope = jsonEnvelope({
  name: 'nemotron-toolcall',
  tier: 2,
  openers: ['<TOOLCALL>'],
  closers: ['</TOOLCALL>'],
});
