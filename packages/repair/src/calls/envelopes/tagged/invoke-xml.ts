import type { Envelope } from '../../contract/envelope.ts';
import { taggedEnvelope } from '../makers/tagged-envelope.ts';

// What else a tag may say of an argument.
const ATTRIBUTES = '(?:\\s{1,9}[\\w-]{1,32}=(?:"[^"<>\\n]{0,99}"|\'[^\'<>\\n]{0,99}\')){0,4}';

/** `<invoke name="…">` with one prefix before all of its tags. */
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
    argument: new RegExp(`<${prefix}parameter\\s{1,9}name=["']?([^>"'\\n]{1,128})["']?${ATTRIBUTES}\\s{0,9}>`, 'y'),
    argumentOpener: `<${prefix}parameter`,
    argumentCloser: `</${prefix}parameter>`,
    trim: 'none',
    unknown: 'string',
  });
}

/** `<function_calls><invoke name="weather_at"><parameter name="city">Bari</parameter></invoke></function_calls>` */
export const invokeXml: Envelope = invokeWith('', ['function_calls', 'minimax:tool_call']);

/** The same under other names, `<tool name="weather_at"><parameter name="city">Bari</parameter></tool>`. */
export const invokeXmlRenamed: readonly Envelope[] = ['tool', 'tool_call', 'function'].map((tag) =>
  invokeWith('', [], tag),
);

/** The same with a prefix, `<atem:invoke name="weather_at">`. */
export const invokeXmlPrefixed: Envelope = invokeWith('atem:', ['atem:function_calls']);

/** The oldest form: `<invoke><tool_name>weather_at</tool_name><parameters><city>Nuuk</city></parameters></invoke>` */
export const invokeXmlOldest: Envelope = taggedEnvelope({
  name: 'invoke-xml',
  tier: 2,
  sectionOpeners: ['<function_calls>'],
  sectionClosers: ['</invoke></function_calls>', '</invoke>\n</function_calls>', '</invoke>'],
  callOpeners: ['<invoke>'],
  call: /(?:<\/invoke>\s{0,9})?<invoke>\s{0,9}<tool_name>\s{0,9}([^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}<\/tool_name>\s{0,9}<parameters>/y,
  callCloser: '</parameters>',
  argument: /<([A-Za-z_][\w.-]{0,127})>/y,
  argumentOpener: '<',
  argumentCloser: (key) => `</${key}>`,
  nestedPrefix: '',
  trim: 'none',
  unknown: 'string',
});
