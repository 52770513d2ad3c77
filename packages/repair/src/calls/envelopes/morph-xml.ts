import type { Envelope } from '../envelope.ts';
import { growingEnvelope } from '../growing-envelope.ts';
import { needleAt } from '../growing-text.ts';
import { readTaggedCall } from '../read-tagged-call.ts';
import type { SectionLayout } from '../tagged-layout.ts';

function layoutFor(name: string): SectionLayout {
  return {
    call: new RegExp(`<(${name.replaceAll(/[^\w]/g, '\\$&')})\\s{0,9}/?>`, 'y'),
    callCloser: `</${name}>`,
    argument: /<([A-Za-z_][\w.-]{0,127})>/y,
    argumentOpener: '<',
    argumentCloser: (key) => `</${key}>`,
    nestedPrefix: '',
    trim: 'none',
    unknown: 'string',
    sectionOpeners: [],
    sectionClosers: [],
  };
}

const ENDS = ['>', '/>', ' />'];

/** `<weather_at><city>Sion</city></weather_at>`: the tags are the tool's own names. */
export const morphXml: Envelope = growingEnvelope(
  { name: 'morph-xml', tier: 2, openers: (tools) => tools.flatMap(({ name }) => ENDS.map((end) => `<${name}${end}`)) },
  function* (source, start, _body, watch) {
    const names = source.tools.flatMap(({ name }) => (source.text.startsWith(name, start + 1) ? [name] : []));
    for (const name of names) {
      if ((yield* needleAt(source, ENDS, start + 1 + name.length)) === undefined) continue;
      const one = yield* readTaggedCall(source, layoutFor(name), start, watch, '0');
      return one && { end: one.end, calls: [one.call] };
    }
    return undefined;
  },
);
