import type { Envelope } from '../../contract/envelope.ts';
import { taggedEnvelope } from '../makers/tagged-envelope.ts';

/** `<function name="weather_at"><param name="city">Ipoh</param></function>` */
export const minicpm5: Envelope = taggedEnvelope({
  name: 'minicpm5',
  tier: 2,
  sectionOpeners: [],
  sectionClosers: [],
  callOpeners: ['<function name='],
  call: /<function\s{1,9}name=["']([^\s<>"'`{}()[\]|,;=]{1,128})["']\s{0,9}>(?=\s{0,9}<(?:param\s|arguments>|\/function))(?:\s{0,9}<arguments>)?/y,
  callCloser: '</function>',
  argument: /<param\s{1,9}name=["']([^"'\n]{1,128})["']\s{0,9}>/y,
  argumentOpener: '<param',
  argumentCloser: '</param>',
  trim: 'all',
  unknown: 'string',
});
