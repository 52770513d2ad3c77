import type { Envelope } from '../../contract/envelope.ts';
import { taggedEnvelope } from '../makers/tagged-envelope.ts';

/** `<tool_call>⏎<function=weather_at>⏎<parameter=city>⏎Bari⏎</parameter>⏎</function>⏎</tool_call>` */
export const qwen3Coder: Envelope = taggedEnvelope({
  name: 'qwen3-coder',
  tier: 2,
  sectionOpeners: ['<tool_call>', '<seed:tool_call>'],
  sectionClosers: ['</tool_call>', '</seed:tool_call>'],
  callOpeners: ['<function=', '<function name='],
  call: /<?function(?:=|\s{1,9}name=)["']?([^\s<>"'`{}()[\]|,;=]{1,128}?)["']?\s{0,9}\/?>|<function>\s{0,9}([^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}<\/function>(?=\s{0,9}<parameter)/y,
  callCloser: '</function>',
  argument: /<parameter(?:=|\s{1,9}name=)["']?([^>"'\n]{1,128}?)["']?\s{0,9}\/?>/y,
  dialects: [
    { argument: /<parameter>\s{0,9}([^\s<>]{1,128})\s{0,9}<\/parameter>/y },
    { argument: /<([A-Za-z_][\w.-]{0,127})>/y, closer: (key) => `</${key}>`, isDeclared: true },
  ],
  argumentOpener: '<parameter',
  argumentCloser: '</parameter>',
  trim: 'line-breaks',
  unknown: 'string',
});
