import type { ExtractedCall, RejectedCall } from '../../contract/extraction.ts';
import type { GrowingText } from '../../source/growing-text.ts';
import type { LiveCall } from './message-sink.ts';
import { isCallLike, type PlacedCalls } from '../scan/read-body.ts';
import { unreadable, type WrittenCall } from '../../contract/envelope.ts';
import { settleCall } from '../../settle/settle-call.ts';
import type { TextSpan } from '../../source/text-span.ts';

/** Calls that stand in one stretch of the message and are taken out of it together. Offsets count from its beginning. */
export interface CallGroup extends TextSpan {
  /** The stretch itself. */
  readonly text: string;
  readonly placed: readonly PlacedCalls[];
  /** The calls that were shown while they were written, in order. */
  readonly live: readonly LiveCall[];
}

/** One call of a group, judged. */
export type JudgedCall =
  | { readonly ok: true; readonly call: ExtractedCall; readonly live: LiveCall | undefined }
  | { readonly ok: false; readonly rejected: RejectedCall; readonly live: LiveCall | undefined };

/** Makes a group of calls that were placed in a text which does not begin where the message does. */
export function createGroup(
  source: GrowingText,
  span: TextSpan,
  placed: readonly PlacedCalls[],
  live: readonly LiveCall[] = [],
): CallGroup {
  const { base, text } = source;
  const start = base + span.start;
  const moved = base === 0 ? placed : placed.map((one) => moveRepairs(one, base));
  return { start, end: base + span.end, text: text.slice(span.start, span.end), placed: moved, live };
}

function moveRepairs(placed: PlacedCalls, by: number): PlacedCalls {
  const calls = placed.calls.map((call) => ({
    ...call,
    repairs: call.repairs.map((repair) => ({ ...repair, start: repair.start + by, end: repair.end + by })),
  }));
  return { ...placed, calls };
}

/** Judges the calls of a group. */
export function judgeGroup(source: GrowingText, { placed, start, end, live }: CallGroup): readonly JudgedCall[] {
  const judged: JudgedCall[] = [];
  const shown = [...live];
  for (const { calls, tier, envelope } of placed) {
    let isSpoiled = false;
    for (const one of calls) {
      if (tier === 3 && !isCallLike(one)) continue;
      // Behind code that cannot be read, nobody knows what is a string and what is not.
      const written: WrittenCall = isSpoiled ? unreadable : one;
      const settled = settleCall(source, written, { envelope, tier, start, end });
      isSpoiled ||= one.positional !== undefined && !settled.ok && settled.rejected.reason === 'invalid_json';
      const name = settled.ok ? settled.call.name : settled.rejected.name;
      const index = shown.findIndex((shownCall) => shownCall.name === name);
      judged.push({ ...settled, live: index === -1 ? undefined : shown.splice(index, 1)[0] });
    }
  }
  return shown.length === 0 ? judged : withoutStray(judged, shown);
}

/** Where a body turned out to be unreadable, one rejection stands for all calls that had begun in it. */
function withoutStray(judged: readonly JudgedCall[], stray: LiveCall[]): readonly JudgedCall[] {
  return judged.flatMap((one): readonly JudgedCall[] => {
    if (one.ok || one.live !== undefined || stray.length === 0) return [one];
    return stray.splice(0).map((live) => ({ ...one, live }));
  });
}
