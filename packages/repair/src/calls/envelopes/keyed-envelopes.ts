import { declares } from '../contract/argument-shape.ts';
import type { Envelope } from '../contract/envelope.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import type { SectionLayout } from '../notations/tags/tagged-layout.ts';
import { closingTags, openingTags, toolName } from '../notations/tags/tag-names.ts';
import { readTaggedCalls, taggedEnvelope, type TaggedEnvelopeParts } from './envelope-makers.ts';

/** A name, and then a tag for each key and each value. Some checkpoints write a suffix in every tag. */
export function keyedLayout(name: string, call: string, suffix = '', prefix = ''): TaggedEnvelopeParts & SectionLayout {
  const sections = name === 'hunyuan-v3' ? [`tool_calls${suffix}`] : [];
  const key = `([^<{}]{1,128})(?:</${prefix}arg_key${suffix}>\\s{0,9}){1,2}`;
  return {
    name,
    tier: 2,
    sectionOpeners: openingTags(sections),
    sectionClosers: closingTags(sections),
    callOpeners: [`<${prefix}tool_call${suffix}>`],
    call: new RegExp(`<${prefix}tool_call${suffix}>\\s{0,9}${call}`, 'y'),
    callCloser: `</${prefix}tool_call${suffix}>`,
    argument: new RegExp(`(?:<${prefix}arg_key${suffix}>){1,2}${key}<${prefix}arg_value${suffix}>`, 'y'),
    argumentOpener: `<${prefix}arg_key${suffix}>`,
    argumentCloser: `</${prefix}arg_value${suffix}>`,
    dialects: [
      {
        argument: new RegExp(`<${prefix}arg_key${suffix}>${key}(?!<${prefix}arg_value${suffix}>)`, 'y'),
        closer: `</${prefix}arg_value${suffix}>`,
      },
    ],
    trim: 'none',
    unknown: 'json',
  };
}

/** `<tool_call>weather_at⏎<arg_key>city</arg_key>⏎<arg_value>Yalta</arg_value>⏎</tool_call>` */
const glm = taggedEnvelope(keyedLayout('glm', String.raw`(${toolName})(?=\s{0,9}(?:<arg_key>|<\/tool_call>|\{|\n))`));

const keyAfterName = /\s?(?:<tool_call>)?([^\s<>{}]{1,128})<\/arg_key>/y;

/** `<tool_call>weather_atcity</arg_key>…`: the opener of the first key is missing, or is a second `<tool_call>`. */
const glmJoined = growingEnvelope(
  { name: 'glm', tier: 2, openers: ['<tool_call>'] },
  function* (source, start, body, watch) {
    const at = yield* source.skipSpace(body);
    for (const tool of source.tools) {
      if ((yield* source.needleAt([tool.name], at)) === undefined) continue;
      const key = (yield* source.matchAt(keyAfterName, at + tool.name.length))?.[1];
      if (key === undefined || !declares(tool, key)) continue;
      const name = tool.name.replaceAll(/\W/g, String.raw`\$&`);
      const layout = keyedLayout('glm', String.raw`(${name})\s?(?:<tool_call>)?`);
      const argument = new RegExp(layout.argument.source.replace('{1,2}', '{0,2}'), 'y');
      return yield* readTaggedCalls(source, { ...layout, argument }, start, watch);
    }
    return undefined;
  },
);

/** `<tool_calls><tool_call>weather_at<tool_sep>…</tool_call></tool_calls>` */
const hunyuan = taggedEnvelope(keyedLayout('hunyuan-v3', String.raw`(${toolName})\s{0,9}<tool_sep>`));

const suffixPattern = /<tool_calls?(:\w{1,32})>/y;

/** The same with the suffix of a checkpoint in every tag, `<tool_call:6124c78e>weather_at<tool_sep:6124c78e>…` */
const hunyuanSuffixed = growingEnvelope(
  { name: 'hunyuan-v3', tier: 2, openers: ['<tool_calls:', '<tool_call:'] },
  function* (source, start, _body, watch) {
    const suffix = (yield* source.matchAt(suffixPattern, start))?.[1];
    if (suffix === undefined) return undefined;
    const layout = keyedLayout('hunyuan-v3', String.raw`(${toolName})\s{0,9}(?:<tool_sep${suffix}>)?`, suffix);
    return yield* readTaggedCalls(source, layout, start, watch);
  },
);

/** Envelopes with `<arg_key>` and `<arg_value>`, in the order in which they are tried. */
export const keyedEnvelopes: readonly Envelope[] = [hunyuan, hunyuanSuffixed, glm, glmJoined];

/** The same with the name of the model in every tag, `<longcat_tool_call>weather_at<longcat_arg_key>city</longcat_arg_key>…` */
export const longcat: Envelope = taggedEnvelope({
  ...keyedLayout('longcat', `(${toolName})`, '', 'longcat_'),
  tier: 1,
  trim: 'line-breaks',
});
