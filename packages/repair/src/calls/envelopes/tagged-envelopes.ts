import { declares } from '../contract/argument-shape.ts';
import { type Envelope, unreadable } from '../contract/envelope.ts';
import { closingTags, openingTags, toolName } from '../notations/tags/tag-names.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import { taggedEnvelope } from './envelope-makers.ts';
import { declaredTag, dsmlEnvelopes, invokeEnvelopes } from './invoke-envelopes.ts';
import { keyedEnvelopes, longcat } from './keyed-envelopes.ts';

const minimaxMark = ']<]minimax[>[';

const namelessTags = ['tool_call', 'function_calls', 'function_call', 'tool_use', 'invoke', 'function'];

const firstArgument = new RegExp(
  String.raw`(?:<(?:invoke|function)(?!\s{1,9}name=)=?([^<>]{0,128})>\s{0,9})?(?:<(?:parameter|param|arg)(?:=|\s{1,9}name=)["']?([^<>"'\n]{1,128}?)["']?\s{0,9}>|<arg_key>([^<]{1,128})<\/arg_key>)`,
  'y',
);

/** `<tool_call><parameter=city>Bari</parameter></tool_call>`: a call with a declared argument and without the name of a tool, which is reported. */
export const nameless: Envelope = growingEnvelope(
  { name: 'nameless', tier: 2, openers: [...openingTags(namelessTags), '<function=>'] },
  function* (source, _start, body) {
    const argument = yield* source.matchAt(firstArgument, yield* source.skipSpace(body));
    const key = (argument?.[2] ?? argument?.[3])?.trim();
    if (key === undefined) return undefined;
    // `<function=grep -n>` names something that is not a tool.
    const isNamed = argument?.[1] !== undefined && argument[1] !== '';
    if (!isNamed && !source.tools.some((tool) => declares(tool, key))) return undefined;
    const { at, needle } = yield* source.findFirst(closingTags(namelessTags), body);
    const end = at === -1 ? source.text.length : at + needle.length;
    return { end, calls: [at === -1 ? { ...unreadable, ending: 'cut' } : unreadable] };
  },
);

/** Envelopes of calls with a tag for each argument, in the order in which they are tried. */
export const taggedEnvelopes: readonly Envelope[] = [
  // `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="weather_at">…</steptml:invoke><｜tool_call_end｜>`
  taggedEnvelope({
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
  }),
  // `<|open|>call tool="ping" index="0"<|sep|><|open|>argument key="a" type="string"<|sep|>x<|close|>argument<|sep|>…`
  taggedEnvelope({
    name: 'kimi-k3',
    tier: 1,
    sectionOpeners: ['<|open|>tools<|sep|>'],
    sectionClosers: ['<|close|>tools<|sep|>'],
    // A runtime may drop tokens: `<|open|>toolscall tool="ping"`.
    callOpeners: ['<|open|>call ', '<|open|>toolscall '],
    call: /<\|open\|>(?:tools)?call\s{1,9}tool="([^"\n]{1,128})"(?:\s{1,9}index="\d{1,6}")?\s{0,9}<\|sep\|>/y,
    callCloser: '<|close|>call<|sep|>',
    argument: /<\|open\|>argument\s{1,9}key="([^"\n]{1,128})"(?:\s{1,9}type="(\w{1,16})")?\s{0,9}<\|sep\|>/y,
    argumentOpener: '<|open|>argument',
    argumentCloser: '<|close|>argument<|sep|>',
    trim: 'none',
    unknown: 'json',
  }),
  ...dsmlEnvelopes,
  // `]<]minimax[>[<invoke name="weather_at">]<]minimax[>[<city>Ufa]<]minimax[>[</city>]<]minimax[>[</invoke>`
  taggedEnvelope({
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
  }),
  longcat,
  // `<tool_call>⏎<function=weather_at>⏎<parameter=city>⏎Bari⏎</parameter>⏎</function>⏎</tool_call>`. Some models write the
  // name as the first parameter, `<parameter=weather_at>`, in a tag of its own, `<name>weather_at</parameter>`, or alone.
  taggedEnvelope({
    name: 'qwen3-coder',
    tier: 2,
    sectionOpeners: ['<tool_call>', '<seed:tool_call>'],
    sectionClosers: ['</tool_call>', '</seed:tool_call>'],
    // Some quantized models lose the first bracket.
    callOpeners: ['<function=', 'function=', '<function name=', '<parameter=', '<name>'],
    call: new RegExp(
      String.raw`(?:<|(?=function=[^\s<>]{1,128}>\s{0,9}<(?:parameter|\/function)))function(?:=|\s{1,9}name=)["']?(${toolName}?)["']?(?:\s{0,9}\/?>|(?=\n\s{0,9}<parameter=))|(?:<(?:function>\s{0,9}|name>\s{0,9}|parameter=))?(${toolName})(?:\s{0,9}<\/(?:function|name|parameter)>(?=\s{0,9}<parameter)|>?(?=\s{0,9}<parameter=))`,
      'y',
    ),
    callCloser: '</function>',
    argument: /<parameter(?:=|\s{1,9}name=)["']?([^<>"'\n]{1,128}?)["']?\s{0,9}\/?>/y,
    dialects: [{ argument: /<parameter>\s{0,9}([^\s<>]{1,128})\s{0,9}<\/parameter>/y }, declaredTag],
    argumentOpener: '<parameter',
    argumentCloser: '</parameter>',
    trim: 'line-breaks',
    unknown: 'string',
  }),
  // `<function name="weather_at"><param name="city">Ipoh</param></function>`, `<function><name>weather_at</name><city>…`
  taggedEnvelope({
    name: 'minicpm5',
    tier: 2,
    callOpeners: ['<function name=', '<function>'],
    call: new RegExp(
      String.raw`<function\s{1,9}name=["'](${toolName})["']\s{0,9}>(?=\s{0,9}<(?:param\s|arguments>|\/function))(?:\s{0,9}<arguments>)?|<function>\s{0,9}<name>\s{0,9}(${toolName})\s{0,9}<\/name>(?=\s{0,9}<[A-Za-z])`,
      'y',
    ),
    callCloser: '</function>',
    argument: /<param\s{1,9}name=["']([^"'\n]{1,128})["']\s{0,9}>/y,
    dialects: [declaredTag],
    argumentOpener: '<param',
    argumentCloser: '</param>',
    trim: 'all',
    unknown: 'string',
  }),
  ...keyedEnvelopes,
  // `TOOL_NAME: weather_at⏎BEGIN_ARG: city⏎Lugo⏎END_ARG`, in a fence. The mark that ends the fence closes the call.
  taggedEnvelope({
    name: 'begin-arg',
    tier: 2,
    callOpeners: ['TOOL_NAME:'],
    call: new RegExp(
      String.raw`(?<=^|\n)TOOL_NAME:[ \t]{1,9}(${toolName})[ \t]{0,9}\r?\n(?=BEGIN_ARG:|\`\`\`(?!\w))`,
      'y',
    ),
    callCloser: '```',
    argument: /BEGIN_ARG:[ \t]{1,9}([\w.-]{1,128})[ \t]{0,9}\r?\n/y,
    argumentOpener: 'BEGIN_ARG:',
    argumentCloser: 'END_ARG',
    trim: 'line-breaks',
    unknown: 'string',
  }),
  ...invokeEnvelopes,
];
