import type { Envelope } from '../contract/envelope.ts';
import { taggedEnvelope } from './envelope-makers.ts';

/** `<｜DSML｜invoke name="weather_at"><｜DSML｜parameter name="days" string="false">5</｜DSML｜parameter></｜DSML｜invoke>` */
const dsml: Envelope = taggedEnvelope({
  name: 'dsml',
  tier: 1,
  sectionOpeners: ['<｜DSML｜function_calls>', '<｜DSML｜tool_calls>'],
  sectionClosers: ['</｜DSML｜function_calls>', '</｜DSML｜tool_calls>'],
  callOpeners: ['<｜DSML｜invoke '],
  call: /<｜DSML｜invoke\s{1,9}name="([^"\n]{1,128})"\s{0,9}\/?>/y,
  callCloser: '</｜DSML｜invoke>',
  argument: /<｜DSML｜parameter\s{1,9}name="([^"\n]{1,128})"(?:\s{1,9}string="(true|false)")?\s{0,9}>/y,
  argumentOpener: '<｜DSML｜parameter',
  argumentCloser: '</｜DSML｜parameter>',
  trim: 'none',
  unknown: 'json',
});

const minimaxMark = ']<]minimax[>[';

/** `]<]minimax[>[<invoke name="weather_at">]<]minimax[>[<city>Ufa]<]minimax[>[</city>]<]minimax[>[</invoke>` */
const minimaxM3: Envelope = taggedEnvelope({
  name: 'minimax-m3',
  tier: 1,
  sectionOpeners: [`${minimaxMark}<tool_call>`],
  sectionClosers: [`${minimaxMark}</tool_call>`],
  callOpeners: [`${minimaxMark}<invoke `],
  call: /\]<\]minimax\[>\[<invoke\s{1,9}name="([^"\n]{1,128})"\s{0,9}>/y,
  callCloser: `${minimaxMark}</invoke>`,
  argument: /\]<\]minimax\[>\[<([A-Za-z_][\w.-]{0,127})>/y,
  argumentOpener: `${minimaxMark}<`,
  argumentCloser: (key) => `${minimaxMark}</${key}>`,
  nestedPrefix: minimaxMark,
  trim: 'none',
  unknown: 'json',
});

/** `<|open|>call tool="ping" index="0"<|sep|><|open|>argument key="a" type="string"<|sep|>x<|close|>argument<|sep|>…` */
const kimiK3 = taggedEnvelope({
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

/** `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="weather_at">…</steptml:invoke><｜tool_call_end｜>` */
const step3 = taggedEnvelope({
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

/** `<tool_call>⏎<function=weather_at>⏎<parameter=city>⏎Bari⏎</parameter>⏎</function>⏎</tool_call>` */
const qwen3Coder = taggedEnvelope({
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

/** `<function name="weather_at"><param name="city">Ipoh</param></function>` */
const minicpm5 = taggedEnvelope({
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

const glmArguments = {
  argument: /<arg_key>([^<]{1,128})<\/arg_key>\s{0,9}<arg_value>/y,
  argumentOpener: '<arg_key>',
  argumentCloser: '</arg_value>',
  dialects: [{ argument: /<arg_key>([^<]{1,128})<\/arg_key>\s{0,9}(?!<arg_value>)/y, closer: '</arg_value>' }],
  trim: 'none',
  unknown: 'json',
} as const;

/** `<tool_call>weather_at⏎<arg_key>city</arg_key>⏎<arg_value>Yalta</arg_value>⏎</tool_call>` */
const glm = taggedEnvelope({
  ...glmArguments,
  name: 'glm',
  tier: 2,
  sectionOpeners: [],
  sectionClosers: [],
  callOpeners: ['<tool_call>'],
  call: /<tool_call>\s{0,9}((?!\{)[^\s<>"'`{}()[\]|,;=]{1,128})(?=\s{0,9}(?:<arg_key>|<\/tool_call>|\{|\n))/y,
  callCloser: '</tool_call>',
});

/** `<tool_calls><tool_call>weather_at<tool_sep>…</tool_call></tool_calls>` */
const hunyuanV3 = taggedEnvelope({
  ...glmArguments,
  name: 'hunyuan-v3',
  tier: 2,
  sectionOpeners: ['<tool_calls>'],
  sectionClosers: ['</tool_calls>'],
  callOpeners: ['<tool_call>'],
  call: /<tool_call(?::\w{1,32})?>\s{0,9}((?!\{)[^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}<tool_sep>/y,
  callCloser: '</tool_call>',
});

/** `<longcat_tool_call>weather_at<longcat_arg_key>city</longcat_arg_key><longcat_arg_value>Kobe</longcat_arg_value>…` */
const longcatTagged = taggedEnvelope({
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

// Further information about an argument in its tag.
const otherAttributes = '(?:\\s{1,9}[\\w-]{1,32}=(?:"[^"<>\\n]{0,99}"|\'[^\'<>\\n]{0,99}\')){0,4}';

/** `<invoke name="…">` with a prefix before all of its tags. */
function invokeWith(prefix: string, sections: readonly string[], tag = 'invoke'): Envelope {
  return taggedEnvelope({
    name: 'invoke-xml',
    tier: 2,
    sectionOpeners: sections.map((section) => `<${section}>`),
    sectionClosers: sections.map((section) => `</${section}>`),
    callOpeners: [`<${prefix}${tag} name=`],
    call: new RegExp(
      `<${prefix}${tag}\\s{1,9}name=["']?\\s{0,9}([^\\s<>"'{}()|,;=]{1,128}?)\\s{0,9}["']?\\s{0,9}/?>`,
      'y',
    ),
    callCloser: `</${prefix}${tag}>`,
    argument: new RegExp(
      `<${prefix}parameter\\s{1,9}name=["']?([^>"'\\n]{1,128})["']?${otherAttributes}\\s{0,9}>`,
      'y',
    ),
    dialects: [
      { argument: /<([A-Za-z_][\w.-]{0,127})>/y, closer: (key) => `</${key}>`, isDeclared: true },
      ...['param', 'arg', 'argument'].map((word) => ({
        argument: new RegExp(`<${word}\\s{1,9}name=["']([^>"'\\n]{1,128})["']\\s{0,9}>`, 'y'),
        closer: `</${word}>`,
        isDeclared: true,
      })),
    ],
    argumentOpener: `<${prefix}parameter`,
    argumentCloser: `</${prefix}parameter>`,
    trim: 'none',
    unknown: 'string',
  });
}

/** `<function_calls><invoke name="weather_at"><parameter name="city">Bari</parameter></invoke></function_calls>` */
const invokeXml = invokeWith('', ['function_calls', 'minimax:tool_call']);

/** The same with other names, `<tool name="weather_at"><parameter name="city">Bari</parameter></tool>`. */
const invokeXmlRenamed = ['tool', 'tool_call', 'function', 'use_tool', 'call_tool', 'tool_use', 'function_call'].map(
  (tag) => invokeWith('', [], tag),
);

/** The same with a prefix, `<antml:invoke name="weather_at">`. */
const invokeXmlPrefixed = ['antml:', 'atem:'].map((prefix) => invokeWith(prefix, [`${prefix}function_calls`]));

const nameTagged = ['invoke', 'tool_call', 'tool_use', 'function_call', 'tool'];

/** `<invoke><tool_name>weather_at</tool_name><parameters><city>Nuuk</city></parameters></invoke>`, the oldest form. */
function nameTags(section: string): Envelope {
  return taggedEnvelope({
    name: 'invoke-xml',
    tier: 2,
    sectionOpeners: ['<function_calls>'],
    sectionClosers: [
      '</invoke></function_calls>',
      '</invoke>\n</function_calls>',
      ...nameTagged.map((tag) => `</${tag}>`),
    ],
    callOpeners: nameTagged.map((tag) => `<${tag}>`),
    call: new RegExp(
      String.raw`(?:<\/invoke>\s{0,9})?<(?:${nameTagged.join('|')})>\s{0,9}<(?:tool_)?name>\s{0,9}([^\s<>"'\`{}()[\]|,;=]{1,128})\s{0,9}<\/(?:tool_)?name>\s{0,9}<${section}>`,
      'y',
    ),
    callCloser: `</${section}>`,
    argument: /<([A-Za-z_][\w.-]{0,127})>/y,
    argumentOpener: '<',
    argumentCloser: (key) => `</${key}>`,
    nestedPrefix: '',
    trim: 'none',
    unknown: 'string',
  });
}

/** Envelopes of calls with a tag for each argument, in the order in which they are tried. */
export const taggedEnvelopes: readonly Envelope[] = [
  step3,
  kimiK3,
  dsml,
  minimaxM3,
  longcatTagged,
  qwen3Coder,
  minicpm5,
  hunyuanV3,
  glm,
  invokeXml,
  ...invokeXmlRenamed,
  ...invokeXmlPrefixed,
  ...['parameters', 'arguments'].map(nameTags),
];
