import { allEnvelopes, type CallableTool, type ExtractedCall, type RejectedCall, type Repair } from '@haft/repair';
import { explainRepair } from '../../../../src/contract/explain-repair.ts';
import { changeOf } from '../../../../src/contract/replacement-of.ts';
import { reasonInWords, riskName, withVisibleBlanks } from './plain-words.ts';
import type { Reading } from './read-text.ts';

/** What the page says about a marked range of the text. */
export interface Explanation {
  /** What the text holds, and what was read. */
  readonly title: string;
  /** Why. */
  readonly why: string;
}

/** Explains the span of a reading: a call, a rejected call, a repair, or the place where reading stopped. */
export function explainSpan({ value, extraction }: Reading, text: string, id: string): Explanation | undefined {
  const [kind = '', first = '', second] = id.split('-');
  const at = Number(first);
  if (kind === 'stopped') return value.ok ? undefined : { title: 'Reading stopped here', why: value.message };
  if (kind === 'value') return value.ok ? ofRepair(value.repairs[at]) : undefined;
  if (kind === 'rejected') return ofRejected(extraction.rejected[at]);
  const call = extraction.calls[at];
  if (call === undefined) return undefined;
  return second === undefined
    ? { title: `A call of ${call.name}`, why: explainCall(call, text) }
    : ofRepair(call.repairs[Number(second)]);
}

function ofRepair(repair: Repair | undefined): Explanation | undefined {
  if (repair === undefined) return undefined;
  const { from, to } = changeOf(repair);
  const read = to === undefined ? '' : ` → ${to === '' ? 'left out' : withVisibleBlanks(to)}`;
  const title = `${from === '' ? 'nothing' : withVisibleBlanks(from)}${read} (${riskName[repair.risk]})`;
  return { title, why: explainRepair(repair) };
}

function ofRejected(call: RejectedCall | undefined): Explanation | undefined {
  if (call === undefined) return undefined;
  const name = call.name === undefined ? 'A call without a name' : `A call of ${call.name}`;
  return { title: `${name} was not read`, why: `It was rejected, because ${reasonInWords(call.reason)}.` };
}

/** Explains why a range of the text counts as a call. */
export function explainCall({ envelope, start, end }: ExtractedCall, text: string): string {
  const { tier = 3, openers = [] } = allEnvelopes.find(({ name }) => name === envelope) ?? {};
  const written = typeof openers === 'function' ? openers(noTools) : openers;
  const opener = written.find((one) => one.trim() !== '' && text.startsWith(one, start));
  const mark = opener === undefined ? `the mark of the format ${envelope}` : opener.trim();
  if (tier === 1) return `It begins with ${mark}. Models write this token for calls only, so it counts at any place.`;
  if (tier === 2)
    return `It begins with ${mark}. This counts as a call, except in the middle of a sentence or as an example.`;
  return `It has no mark around it. It counts, because it names a declared tool with every required argument, and ${placeOf(text, start, end)}.`;
}

const noTools: readonly CallableTool[] = [];

function placeOf(text: string, start: number, end: number): string {
  const isFirst = text.slice(0, start).trim() === '';
  const isLast = text.slice(end).trim() === '';
  if (isFirst) return isLast ? 'nothing else is in the text' : 'the text begins with it';
  return isLast ? 'the text ends with it' : 'it is on lines of its own';
}
