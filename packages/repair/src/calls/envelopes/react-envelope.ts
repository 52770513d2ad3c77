import { readNamedCall } from '../notations/json/read-named-json-call.ts';
import type { Envelope } from '../contract/envelope.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import { findFirst, type GrowingText, matchAt, type Reading, skipSpace } from '../source/growing-text.ts';

const actionPattern =
  /Action:[*]{0,2}[ \t]{0,9}[`*"]{0,3}([\w.:-]{1,128})[`*"]{0,3}[ \t]{0,9}\r?\n[ \t]{0,9}[*]{0,2}Action[ _][Ii]nput:[*]{0,2}[ \t]{0,9}(?:`(?!`))?/y;
const bracketPattern = /Action:[ \t]{0,9}([\w.:-]{1,128})[ \t]{0,3}[[(](?=\{)/y;
const observation = '\nObservation:';
const resultPattern = /[ \t]{0,9}[^\s`]/y;

/** Returns the offset before the line of a result, if the model made up a result, or the given offset. */
function* beforeResult(source: GrowingText, end: number): Reading<number> {
  const start = end - observation.length;
  if (!source.text.startsWith(observation, start)) return end;
  return (yield* matchAt(source, resultPattern, end)) === null ? end : start;
}

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
    const isBracketed = /[[(]$/.test(match[0]);
    const first = yield* skipSpace(source, body);
    if (source.text[first] === '{' || source.text[first] === '`') {
      const one = yield* readNamedCall(source, name, body, isBracketed ? [']', ')'] : [observation.trim()], watch);
      if (one !== undefined) {
        const end = yield* beforeResult(source, one.end);
        // Missing closers were added at the line of the result.
        const repairs = one.call.repairs.map((repair) =>
          repair.start > end ? { ...repair, start: end, end } : repair,
        );
        return { end, calls: [{ ...one.call, repairs }] };
      }
    }
    const stop = yield* findFirst(source, [observation, ...closers.map((closer) => `\n${closer}`)], body);
    const { text, stopped } = source;
    const end = stop.at === -1 ? text.length : stop.at + (stop.needle === observation ? observation.length : 0);
    const value = text.slice(body, stop.at === -1 ? text.length : stop.at).trim();
    // Plain text ends with its line, or when the model stops by itself.
    const isFinished = stop.at !== -1 || stopped === 'stop' || /^[^`\n]+\n\s*$/.test(text.slice(first));
    const ending = isFinished ? 'closed' : 'cut';
    return {
      end: yield* beforeResult(source, end),
      calls: [{ name, arguments: value, ending, risk: 'lossy', repairs: [] }],
    };
  },
);
