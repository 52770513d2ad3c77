import { isSame } from '../../../json/result/json-value.ts';
import type { Repair } from '../../../json/result/repair-result.ts';
import { type TextSpan, unreadable, type WrittenCall } from '../../contract/envelope.ts';
import type { ExtractedCall } from '../../contract/extraction.ts';
import { settleCall, type SettledCall } from '../../settle/settle-call.ts';
import { codesOf } from '../../settle/swallowed-call.ts';
import type { GrowingText } from '../../source/growing-text.ts';
import { isCallLike, type EnvelopeCalls } from '../found-calls/read-found-calls.ts';
import type { LiveCall } from './message-sink.ts';

/**
 * Calls that share one range of the message and are taken out of it together. The range and the offsets of repairs count
 * from the beginning of the message.
 */
export interface CallGroup extends TextSpan {
  readonly text: string;
  readonly found: readonly EnvelopeCalls[];
  /** The calls that were shown while they were written, in order. */
  readonly live: readonly LiveCall[];
}

/** The verdict on one call of a group. */
export type JudgedCall = SettledCall & { readonly live: LiveCall | undefined };

/** Creates a group of calls, with offsets that count from the beginning of the message. */
export function createGroup(
  source: GrowingText,
  span: TextSpan,
  found: readonly EnvelopeCalls[],
  live: readonly LiveCall[] = [],
): CallGroup {
  const { base, text } = source;
  const start = base + span.start;
  const moved = found.map((one) => moveRepairs(one, base));
  return { start, end: base + span.end, text: text.slice(span.start, span.end), found: moved, live };
}

/** Calls that share a list of repairs share the moved list too, so that long lists take linear time. */
function moveRepairs(found: EnvelopeCalls, by: number): EnvelopeCalls {
  const lists = new Map<readonly Repair[], readonly Repair[]>();
  const calls = found.calls.map((call) => {
    const repairs =
      lists.get(call.repairs) ??
      call.repairs.map((repair) => ({ ...repair, start: repair.start + by, end: repair.end + by }));
    lists.set(call.repairs, repairs);
    return { ...call, repairs };
  });
  return { ...found, calls };
}

/** Settles the calls of a group. */
export function judgeGroup(source: GrowingText, { found, start, end, live }: CallGroup): readonly JudgedCall[] {
  const judged: JudgedCall[] = [];
  const shown = [...live];
  for (const { calls, tier, envelope } of found) {
    let isSpoiled = false;
    for (const one of calls) {
      // A tool without arguments, next to another call.
      if (tier === 3 && !isCallLike(one) && !source.tools.some(({ name }) => name === one.name)) continue;
      // After code that cannot be read, strings can't be distinguished from code.
      const written: WrittenCall = isSpoiled ? unreadable : one;
      const settled = settleCall(source, written, { envelope, tier, start, end });
      isSpoiled ||= one.positional !== undefined && !settled.ok && settled.rejected.reason === 'invalid_json';
      const name = settled.ok ? settled.call.name : settled.rejected.name;
      const index = one.isUnseen === true ? -1 : shown.findIndex((shownCall) => shownCall.name === name);
      judged.push({ ...settled, live: index === -1 ? undefined : shown.splice(index, 1)[0] });
    }
  }
  return withoutStray(judged, shown);
}

/** Repeats the rejection of an unreadable body for each call that had started in it. */
function withoutStray(judged: readonly JudgedCall[], stray: LiveCall[]): readonly JudgedCall[] {
  return judged.flatMap((one): readonly JudgedCall[] => {
    if (one.ok || one.live !== undefined || stray.length === 0) return [one];
    return stray.splice(0).map((live) => ({ ...one, live }));
  });
}

/** The calls of a message so far, to recognise repetitions. */
export class Repeats {
  /** Whether the calls so far differ: identical calls in a row may all be meant. */
  isMixed = false;
  private readonly batch: ExtractedCall[] = [];

  /** Returns whether a call repeats the one before it in another notation. Otherwise adds it. */
  isRepeated(call: ExtractedCall): boolean {
    const last = this.batch.at(-1);
    const isTwin = last !== undefined && areSame(call, last);
    if (isTwin && notationOf(call) !== notationOf(last)) return true;
    if (last !== undefined && !isTwin) this.isMixed = true;
    this.batch.push(call);
    return false;
  }

  /** Compares following calls with all calls so far: a whole repetition, the beginning of one, or neither. */
  compare(calls: readonly ExtractedCall[]): 'again' | 'begun' | 'none' {
    const areEqual = calls.every((call, index) => {
      const earlier = this.batch[index];
      return earlier !== undefined && areSame(call, earlier);
    });
    return !areEqual ? 'none' : calls.length === this.batch.length ? 'again' : 'begun';
  }
}

function areSame(one: ExtractedCall, other: ExtractedCall): boolean {
  return one.name === other.name && isSame(one.arguments, other.arguments);
}

/** How a call was written: its envelope, and whether with single quotes. */
function notationOf({ envelope, repairs }: ExtractedCall): string {
  return `${envelope} ${codesOf(repairs).has('single-quotes')}`;
}
