import type { Envelope } from '../../contract/envelope.ts';
import { taggedEnvelope } from '../makers/tagged-envelope.ts';

/** `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="weather_at">…</steptml:invoke><｜tool_call_end｜>` */
export const step3: Envelope = taggedEnvelope({
  name: 'step3',
  tier: 1,
  sectionOpeners: ['<｜tool_calls_begin｜>'],
  sectionClosers: [
    '<｜tool_call_end｜><｜tool_calls_end｜>',
    '<｜tool_call_end｜>\n<｜tool_calls_end｜>',
    '<｜tool_calls_end｜>',
  ],
  callOpeners: ['<｜tool_call_begin｜>', '<steptml:invoke '],
  call: /(?:<｜tool_call_end｜>\s{0,9})?(?:<｜tool_call_begin｜>function<｜tool_sep｜>)?<steptml:invoke\s{1,9}name="([^"\n]{1,128})"\s{0,9}>/y,
  callCloser: '</steptml:invoke>',
  argument: /<steptml:parameter\s{1,9}name="([^"\n]{1,128})"\s{0,9}>/y,
  argumentOpener: '<steptml:parameter',
  argumentCloser: '</steptml:parameter>',
  trim: 'all',
  unknown: 'string',
});
