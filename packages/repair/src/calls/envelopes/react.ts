import type { JsonObject } from '../../json/json-value.ts';
import type { Envelope, Source } from '../envelope.ts';
import { readNamedCall } from '../read-named-call.ts';
import { resolveName } from '../resolve-name.ts';
import { skipSpace } from '../text-span.ts';
import { findNext } from '../find-next.ts';

const NAME = /Action:[ \t]{0,9}([\w.:-]{1,128})[ \t]{0,9}\r?\n[ \t]{0,9}Action Input:[ \t]{0,9}/y;
const END = '\nObservation:';

/** `Action: weather_at⏎Action Input: {"city": "Olbia"}⏎Observation:`, at the beginning of a line. */
export const react: Envelope = {
  name: 'react',
  tier: 2,
  openers: ['Action:'],
  read: (source, start) => {
    const { text } = source;
    if (start > 0 && text[start - 1] !== '\n') return undefined;
    NAME.lastIndex = start;
    const name = NAME.exec(text)?.[1];
    if (name === undefined) return undefined;
    const body = NAME.lastIndex;
    const one = text[skipSpace(text, body)] === '{' ? readNamedCall(source, name, body, [END.trim()]) : undefined;
    if (one !== undefined) return { end: one.end, calls: [one.call] };
    const stop = findNext(source, END, body);
    const end = stop === -1 ? text.length : stop + END.length;
    const value = onlyText(source, name, text.slice(body, stop === -1 ? text.length : stop).trim());
    // Nothing closes plain text but the end of its line, or a model that stopped by itself.
    const isFinished = stop !== -1 || source.stopped === 'stop' || text.endsWith('\n');
    const ending = isFinished ? 'closed' : 'cut';
    return { end, calls: [{ name, arguments: value, ending, risk: 'lossy', repairs: [] }] };
  },
};

/** Plain text is the one argument that the tool requires. */
function onlyText(source: Source, name: string, text: string): JsonObject | string {
  const parameters = resolveName(source.tools, name)?.tool.parameters;
  const required: unknown = typeof parameters === 'object' ? parameters.required : undefined;
  const [key] = Array.isArray(required) && required.length === 1 ? required : [];
  return typeof key === 'string' ? { [key]: text } : text;
}
