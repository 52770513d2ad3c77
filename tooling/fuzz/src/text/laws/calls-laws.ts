import { extractToolCalls } from '@haft/repair';
import type { ExtractOptions, Extraction } from '@haft/repair';

import { fuzzedTools } from '../inputs/fuzzed-tools.ts';
import type { Broken, CheapOutcome, FuzzInput } from '../inputs/input.ts';
import { breaksCallStream } from './call-stream-law.ts';
import { depthOf, whyNotPlain } from './plain-data.ts';

const names = new Set(fuzzedTools.map(({ name }) => name));

/** Extracts the calls of a text, and returns the law that it breaks. Extracting again in chunks is expensive. */
export function checkCalls({ text, salt }: FuzzInput): CheapOutcome {
  const stopped = salt % 3 === 0 ? 'stop' : 'length';
  const limits = salt % 5 === 0 ? { depth: 4 } : {};
  const options: ExtractOptions = { tools: fuzzedTools, stopped, limits };
  const extraction = extractToolCalls(text, options);
  const broken = breaksSpans(text, extraction) ?? breaksCalls(text, extraction, stopped, limits);
  const traits = [
    ...extraction.calls.flatMap(({ envelope, risk, repairs }) => [
      `${envelope}/${risk}`,
      ...repairs.slice(0, 6).map(({ code }) => `${envelope}>${code}`),
    ]),
    ...extraction.rejected.map(({ reason }) => `rejected/${reason}`),
    `calls/${Math.min(3, extraction.calls.length)}/${Math.min(3, extraction.rejected.length)}`,
  ];
  const dear = (): Broken | undefined => breaksCallStream(text, salt, options, extraction);
  return broken === undefined ? { traits, dear } : { traits, broken, dear };
}

/** Only the calls that were read are removed from the text. */
export function breaksSpans(text: string, { calls, text: rest, rejected }: Extraction): Broken | undefined {
  let at = 0;
  let left = '';
  let last = { start: -1, end: 0 };
  for (const { start, end, name } of calls) {
    if (start === last.start && end === last.end) continue;
    if (start < at || end <= start || end > text.length) {
      return { law: 'spans stand within the text, in order and apart', detail: `${name} ${start}–${end} after ${at}` };
    }
    left += text.slice(at, start);
    at = end;
    last = { start, end };
  }
  left += text.slice(at);
  if (left !== rest) return { law: 'the text is what was not read', detail: JSON.stringify(rest).slice(0, 300) };
  for (const { start, end, reason } of rejected) {
    if (start < 0 || end < start || end > text.length) {
      return { law: 'spans stand within the text, in order and apart', detail: `${reason} ${start}–${end}` };
    }
    // One envelope may hold a call and text that is not a call. The text of both is removed.
    const other = calls.find((call) => start < call.end && call.start < end);
    if (other !== undefined && (other.start !== start || other.end !== end))
      return { law: 'what is rejected stays in the text', detail: `${reason} ${start}–${end}` };
  }
  return undefined;
}

export function breaksCalls(
  text: string,
  { calls }: Extraction,
  stopped: string,
  limits: { depth?: number },
): Broken | undefined {
  for (const { name, arguments: values, risk, complete, repairs, start, end } of calls) {
    if (!names.has(name)) return { law: 'only declared tools are called', detail: name };
    const unplain = Array.isArray(values) ? 'a list' : whyNotPlain(values);
    if (unplain !== undefined) return { law: 'arguments are a plain JSON object', detail: unplain };
    if (risk === 'truncated') return { law: 'no call was cut', detail: name };
    const isObserved = /Observation:\s*$/.test(text.slice(start, end)) || /^\s*Observation:/.test(text.slice(end));
    const isTagged = isObserved || /[>\]`~]\s*$/.test(text.slice(start, end));
    if (!complete && stopped !== 'stop' && !isTagged)
      return { law: 'only who stopped by himself, or a closing tag, leaves calls open', detail: name };
    if (depthOf(values) > (limits.depth ?? Infinity) + 1) return { law: 'limits are honoured', detail: name };
    for (const repair of repairs) {
      if (repair.start < start || repair.end > end || repair.end < repair.start) {
        return {
          law: 'repairs stand within their call',
          detail: `${repair.code} ${repair.start}–${repair.end} in ${start}–${end}`,
        };
      }
    }
  }
  return undefined;
}
