import type { Envelope } from '../../contract/envelope.ts';
import { taggedEnvelope } from '../makers/tagged-envelope.ts';

const MARK = ']<]minimax[>[';

/** `]<]minimax[>[<invoke name="weather_at">]<]minimax[>[<city>Ufa]<]minimax[>[</city>]<]minimax[>[</invoke>` */
export const minimaxM3: Envelope = taggedEnvelope({
  name: 'minimax-m3',
  tier: 1,
  sectionOpeners: [`${MARK}<tool_call>`],
  sectionClosers: [`${MARK}</tool_call>`],
  callOpeners: [`${MARK}<invoke `],
  call: /\]<\]minimax\[>\[<invoke\s{1,9}name="([^"\n]{1,128})"\s{0,9}>/y,
  callCloser: `${MARK}</invoke>`,
  argument: /\]<\]minimax\[>\[<([A-Za-z_][\w.-]{0,127})>/y,
  argumentOpener: `${MARK}<`,
  argumentCloser: (key) => `${MARK}</${key}>`,
  nestedPrefix: MARK,
  trim: 'none',
  unknown: 'json',
});
