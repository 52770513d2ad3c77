import type { Envelope } from '../contract/envelope.ts';
import type { ArgumentDialect } from '../notations/tags/tagged-layout.ts';
import { taggedEnvelope, type TaggedEnvelopeParts } from './envelope-makers.ts';
import { tagsOfArguments } from './tool-tag-envelope.ts';
import { closingTags, openingTags, tagNames, toolName } from '../notations/tags/tag-names.ts';

// Further information about an argument in its tag.
const otherAttributes = '(?:\\s{1,9}[\\w-]{1,32}=(?:"[^"<>\\n]{0,99}"|\'[^\'<>\\n]{0,99}\')){0,4}';

/** `<city>Bari</city>` */
export const declaredTag: ArgumentDialect = {
  argument: /<([A-Za-z_][\w.-]{0,127})>/y,
  closer: (key) => `</${key}>`,
  isDeclared: true,
};

/** `<invoke name="…">` with a prefix before all of its tags. */
function invokeWith(
  prefix: string,
  sections: readonly string[],
  tag = 'invoke',
  parts: Pick<TaggedEnvelopeParts, 'name' | 'tier' | 'unknown'> = { name: 'invoke-xml', tier: 2, unknown: 'string' },
): Envelope {
  const opener = `<${prefix.replaceAll('|', '\\|')}`;
  return taggedEnvelope({
    ...parts,
    sectionOpeners: openingTags(sections),
    sectionClosers: closingTags(sections),
    callOpeners: [`<${prefix}${tag} name=`],
    call: new RegExp(
      `${opener}${tag}\\s{1,9}name=["']?\\s{0,9}([^\\s<>"'{}()|,;=]{1,128}?)\\s{0,9}["']?\\s{0,9}/?>`,
      'y',
    ),
    callCloser: `</${prefix}${tag}>`,
    argument: new RegExp(
      `${opener}parameter\\s{1,9}name=["']?([^>"'\\n]{1,128})["']?(?:\\s{1,9}string="(true|false)")?${otherAttributes}\\s{0,9}>`,
      'y',
    ),
    dialects: [
      declaredTag,
      ...['param', 'arg', 'argument'].map((word) => ({
        argument: new RegExp(`<${word}\\s{1,9}name=["']([^>"'\\n]{1,128})["']\\s{0,9}>`, 'y'),
        closer: `</${word}>`,
        isDeclared: true,
      })),
    ],
    argumentOpener: `<${prefix}parameter`,
    argumentCloser: `</${prefix}parameter>`,
    trim: 'none',
  });
}

/** `<function_calls><invoke name="weather_at"><parameter name="city">Bari</parameter></invoke></function_calls>` */
const invokeXml = invokeWith('', ['function_calls', 'minimax:tool_call']);

/** The same with other names, `<tool name="weather_at"><parameter name="city">Bari</parameter></tool>`. */
const invokeXmlRenamed = tagNames.parameters.map((tag) => invokeWith('', [], tag));

/** The same with a prefix, `<antml:invoke name="weather_at">`. */
const invokeXmlPrefixed = ['antml:', 'atem:'].map((prefix) => invokeWith(prefix, [`${prefix}function_calls`]));

/** `<｜DSML｜invoke name="weather_at">…</｜DSML｜invoke>`. Some models write other bars, one bar, or a space before each word. */
export const dsmlEnvelopes: readonly Envelope[] = [
  ...['｜', '｜｜', '|', '||', '‖'].flatMap((bar) => ['', ' '].map((space) => `${bar}DSML${bar}${space}`)),
  'DSML|',
  'DSML｜',
  'dsml|',
  '|DSML ',
].map((prefix) => {
  const sections = ['function_calls', 'tool_calls', 'calls'].map((section) => `${prefix}${section}`);
  return invokeWith(prefix, sections, 'invoke', { name: 'dsml', tier: 1, unknown: 'json' });
});

const nameTag = String.raw`<(?:(?:tool_)?name|tool|function)>\s{0,9}(${toolName})\s{0,9}<\/(?:(?:tool_)?name|tool|function)>`;

/** `<invoke><tool_name>weather_at</tool_name><parameters><city>Nuuk</city></parameters></invoke>`, the oldest form. */
function nameTags(section: string): Envelope {
  return taggedEnvelope({
    ...tagsOfArguments,
    name: 'invoke-xml',
    tier: 2,
    trim: 'none',
    sectionOpeners: ['<function_calls>'],
    sectionClosers: [
      '</invoke></function_calls>',
      '</invoke>\n</function_calls>',
      ...closingTags(tagNames.nameAndTags),
    ],
    callOpeners: openingTags(tagNames.nameAndTags),
    call: new RegExp(
      String.raw`(?:<\/invoke>\s{0,9})?<(?:${tagNames.nameAndTags.join('|')})>\s{0,9}${nameTag}\s{0,9}<${section}>`,
      'y',
    ),
    callCloser: `</${section}>`,
  });
}

/** `<tool_call><name>weather_at</name><city>Nuuk</city></tool_call>`. `<tool>` is not among them, because a list of tools has it too. */
const nameTagsAlone = ['tool_call', 'function_call', 'tool_use', 'invoke'].map((tag) =>
  taggedEnvelope({
    ...tagsOfArguments,
    name: 'invoke-xml',
    tier: 2,
    trim: 'none',
    callOpeners: [`<${tag}>`],
    call: new RegExp(String.raw`<${tag}>\s{0,9}${nameTag}(?=\s{0,9}<[A-Za-z_])`, 'y'),
    callCloser: `</${tag}>`,
    argument: /<parameter\s{1,9}name="([^">\n]{1,128})">/y,
    argumentCloser: '</parameter>',
    dialects: [declaredTag],
  }),
);

/** Envelopes with a tag that names the tool in an attribute or in another tag, in the order in which they are tried. */
export const invokeEnvelopes: readonly Envelope[] = [
  invokeXml,
  ...invokeXmlRenamed,
  ...invokeXmlPrefixed,
  ...['parameters', 'arguments', 'args'].map(nameTags),
  ...nameTagsAlone,
];
