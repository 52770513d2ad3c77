import type { Envelope } from '../../contract/envelope.ts';
import { taggedEnvelope } from '../makers/tagged-envelope.ts';

/** `<|open|>call tool="ping" index="0"<|sep|><|open|>argument key="a" type="string"<|sep|>x<|close|>argument<|sep|>…` */
export const kimiK3: Envelope = taggedEnvelope({
  name: 'kimi-k3',
  tier: 1,
  sectionOpeners: ['<|open|>tools<|sep|>'],
  sectionClosers: ['<|close|>tools<|sep|>'],
  callOpeners: ['<|open|>call '],
  call: /<\|open\|>call\s{1,9}tool="([^"\n]{1,128})"(?:\s{1,9}index="\d{1,6}")?\s{0,9}<\|sep\|>/y,
  callCloser: '<|close|>call<|sep|>',
  argument: /<\|open\|>argument\s{1,9}key="([^"\n]{1,128})"(?:\s{1,9}type="(\w{1,16})")?\s{0,9}<\|sep\|>/y,
  argumentOpener: '<|open|>argument',
  argumentCloser: '<|close|>argument<|sep|>',
  trim: 'none',
  unknown: 'json',
});
