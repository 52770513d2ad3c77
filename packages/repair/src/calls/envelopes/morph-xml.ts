import type { Envelope } from '../envelope.ts';
import { readTaggedCall, type TaggedLayout } from '../read-tagged-call.ts';

function layoutFor(name: string): TaggedLayout {
  return {
    call: new RegExp(`<(${name.replaceAll(/[^\w]/g, '\\$&')})\\s{0,9}/?>`, 'y'),
    callCloser: `</${name}>`,
    argument: /<([A-Za-z_][\w.-]{0,127})>/y,
    argumentOpener: '<',
    argumentCloser: (key) => `</${key}>`,
    nestedPrefix: '',
    trim: 'none',
    unknown: 'string',
  };
}

/** `<weather_at><city>Sion</city></weather_at>`: the tags are the tool's own names. */
export const morphXml: Envelope = {
  name: 'morph-xml',
  tier: 2,
  openers: (tools) => tools.flatMap(({ name }) => [`<${name}>`, `<${name}/>`, `<${name} />`]),
  read: (source, start) => {
    const { text, tools } = source;
    const tool = tools.find(
      ({ name }) =>
        text.startsWith(`<${name}>`, start) ||
        text.startsWith(`<${name}/`, start) ||
        text.startsWith(`<${name} /`, start),
    );
    const one = tool === undefined ? undefined : readTaggedCall(source, layoutFor(tool.name), start);
    return one && { end: one.end, calls: [one.call] };
  },
};
