import type { Envelope, Found } from '../../contract/envelope.ts';
import { resolveName } from '../../contract/resolve-name.ts';
import { endOfName } from '../../arguments/code/end-of-name.ts';
import { propertySchema } from '../../arguments/text-values.ts';
import { growingEnvelope } from '../../source/growing-envelope.ts';
import { matchAt, passSpace, type Reading } from '../../source/growing-text.ts';
import { readTaggedCall } from '../../arguments/tags/read-tagged-call.ts';
import { layoutFor } from './morph-xml.ts';

const FIRST = /<([A-Za-z_][\w.-]{0,127})>/y;

/** `weather_at⏎<city>Ulm</city>⏎</weather_at>`: the brackets of the first tag are missing. */
export const halfTagged: Envelope = growingEnvelope(
  { name: 'half-tagged', tier: 3, openers: [] },
  function* (source, _start, body, watch): Reading<Found | undefined> {
    const nameEnd = yield* endOfName(source, body);
    if (nameEnd === body) return undefined;
    const tool = resolveName(source.tools, source.text.slice(body, nameEnd))?.tool;
    const first = yield* passSpace(source, nameEnd);
    const key = tool === undefined ? undefined : (yield* matchAt(source, FIRST, first))?.[1];
    if (tool === undefined || key === undefined || propertySchema(tool.parameters, key) === undefined) return undefined;
    const layout = { ...layoutFor(tool.name), call: NAME };
    const one = yield* readTaggedCall(source, layout, body, watch, '0');
    if (one === undefined || !source.text.slice(0, one.end).endsWith('>')) return undefined;
    return { end: one.end, calls: [one.call] };
  },
);

const NAME = /([^\s<>"'`{}()[\]|,;=]{1,128})(?=\s{0,9}<)/y;
