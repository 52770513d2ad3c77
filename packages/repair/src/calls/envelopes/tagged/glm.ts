import type { Envelope } from '../../contract/envelope.ts';
import { taggedEnvelope } from '../makers/tagged-envelope.ts';

const shared = {
  argument: /<arg_key>([^<]{1,128})<\/arg_key>\s{0,9}<arg_value>/y,
  argumentOpener: '<arg_key>',
  argumentCloser: '</arg_value>',
  dialects: [{ argument: /<arg_key>([^<]{1,128})<\/arg_key>\s{0,9}(?!<arg_value>)/y, closer: '</arg_value>' }],
  trim: 'none',
  unknown: 'json',
} as const;

/** `<tool_call>weather_at⏎<arg_key>city</arg_key>⏎<arg_value>Yalta</arg_value>⏎</tool_call>` */
export const glm: Envelope = taggedEnvelope({
  ...shared,
  name: 'glm',
  tier: 2,
  sectionOpeners: [],
  sectionClosers: [],
  callOpeners: ['<tool_call>'],
  call: /<tool_call>\s{0,9}((?!\{)[^\s<>"'`{}()[\]|,;=]{1,128})(?=\s{0,9}(?:<arg_key>|<\/tool_call>|\{|\n))/y,
  callCloser: '</tool_call>',
});

/** `<tool_calls><tool_call>weather_at<tool_sep>…</tool_call></tool_calls>` */
export const hunyuanV3: Envelope = taggedEnvelope({
  ...shared,
  name: 'hunyuan-v3',
  tier: 2,
  sectionOpeners: ['<tool_calls>'],
  sectionClosers: ['</tool_calls>'],
  callOpeners: ['<tool_call>'],
  call: /<tool_call(?::\w{1,32})?>\s{0,9}((?!\{)[^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}<tool_sep>/y,
  callCloser: '</tool_call>',
});

/** `<longcat_tool_call>weather_at<longcat_arg_key>city</longcat_arg_key><longcat_arg_value>Kobe</longcat_arg_value>…` */
export const longcatTagged: Envelope = taggedEnvelope({
  name: 'longcat',
  tier: 1,
  sectionOpeners: [],
  sectionClosers: [],
  callOpeners: ['<longcat_tool_call>'],
  call: /<longcat_tool_call>\s{0,9}((?!\{)[^\s<>"'`{}()[\]|,;=]{1,128})/y,
  callCloser: '</longcat_tool_call>',
  argument: /<longcat_arg_key>([^<]{1,128})<\/longcat_arg_key>\s{0,9}<longcat_arg_value>/y,
  argumentOpener: '<longcat_arg_key>',
  argumentCloser: '</longcat_arg_value>',
  trim: 'line-breaks',
  unknown: 'json',
});
