import { repairJson } from '../../json/document/repair-json.ts';
import type { JsonObject } from '../../json/result/json-value.ts';
import { readNamedCall } from '../arguments/json/read-named-call.ts';
import { propertySchema } from '../arguments/text-values.ts';
import { readAssignments } from '../arguments/json/unwrapped-arguments.ts';
import type { CallableTool, Envelope } from '../contract/envelope.ts';
import { resolveName } from '../contract/resolve-name.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import { findFirst, matchAt, skipSpace } from '../source/growing-text.ts';

const actionPattern =
  /Action:[*]{0,2}[ \t]{0,9}[`*"]{0,3}([\w.:-]{1,128})[`*"]{0,3}[ \t]{0,9}\r?\n[ \t]{0,9}[*]{0,2}Action[ _][Ii]nput:[*]{0,2}[ \t]{0,9}(?:`(?!`))?/y;
const bracketPattern = /Action:[ \t]{0,9}([\w.:-]{1,128})\[(?=\{)/y;
const observation = '\nObservation:';

/** `Action: weather_at⏎Action Input: {"city": "Olbia"}⏎Observation:`, at the beginning of a line. */
export const react: Envelope = growingEnvelope(
  { name: 'react', tier: 2, openers: ['Action:'] },
  function* (source, start, _body, watch, { closers }) {
    // Matches at the beginning of a line, or after a closing tag of reasoning.
    if (start > 0 && source.text[start - 1] !== '\n' && source.text[start - 1] !== '>') return undefined;
    const match = (yield* matchAt(source, actionPattern, start)) ?? (yield* matchAt(source, bracketPattern, start));
    const name = match?.[1];
    if (match === null || name === undefined) return undefined;
    const body = start + match[0].length;
    const isBracketed = match[0].endsWith('[');
    const first = yield* skipSpace(source, body);
    if (source.text[first] === '{' || source.text[first] === '`') {
      const one = yield* readNamedCall(source, name, body, isBracketed ? [']'] : [observation.trim()], watch);
      if (one !== undefined) return { end: one.end, calls: [one.call] };
    }
    const stop = yield* findFirst(source, [observation, ...closers.map((closer) => `\n${closer}`)], body);
    const { text, stopped, tools } = source;
    const end = stop.at === -1 ? text.length : stop.at + (stop.needle === observation ? observation.length : 0);
    const value = onlyText(tools, name, text.slice(body, stop.at === -1 ? text.length : stop.at).trim());
    // Plain text ends with its line, or when the model stops by itself.
    const isFinished = stop.at !== -1 || stopped === 'stop' || /^[^`\n]+\n\s*$/.test(text.slice(first));
    const ending = isFinished ? 'closed' : 'cut';
    return { end, calls: [{ name, arguments: value, ending, risk: 'lossy', repairs: [] }] };
  },
);

/** Plain text is the only required argument of the tool, or its only argument. */
function onlyText(tools: readonly CallableTool[], name: string, text: string): JsonObject | string {
  const parameters = resolveName(tools, name)?.tool.parameters;
  if (typeof parameters !== 'object') return text;
  const assigned = readAssignments([text], { name, parameters });
  if (assigned !== undefined) return assigned;
  const required = Array.isArray(parameters.required) ? (parameters.required as readonly unknown[]) : [];
  // Lines with labels, such as `city: Bled`, are not one text.
  const label = /^([A-Za-z_]\w*)[ \t]*:/.exec(text)?.[1];
  if (label !== undefined && propertySchema(parameters, label) !== undefined) return text;
  const [key, ...others] = required.length > 0 ? required : Object.keys(parameters.properties ?? {});
  return typeof key === 'string' && others.length === 0 ? { [key]: withoutQuotes(text) } : text;
}

function withoutQuotes(text: string): string {
  if (!/^"(?:[^"\\]|\\.)*"$/.test(text)) return /^'[^'\\]*'$/.test(text) ? text.slice(1, -1) : text;
  const result = repairJson(text);
  return result.ok && typeof result.value === 'string' ? result.value : text;
}
