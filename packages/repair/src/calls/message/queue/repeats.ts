import { codesOf } from '../../contract/repair-codes.ts';
import { isSame } from '../../../json/result/is-same.ts';
import type { ExtractedCall } from '../../contract/extraction.ts';

/** Remembers the calls of a message, to tell when a model says the same again. */
export interface Repeats {
  /** Whether a call repeats the one before in another notation, or what opened the message. Remembers it if it does not. */
  readonly isRepeated: (call: ExtractedCall, isHead: boolean) => boolean;
  /** Whether different calls have been made, so that a batch of calls may repeat them. */
  readonly mayRepeat: () => boolean;
  /** Whether calls that come next say all so far over `again`, have `begun` to do so, or neither. */
  readonly compare: (calls: readonly ExtractedCall[]) => 'again' | 'begun' | 'none';
}

/** Makes a memory without calls. */
export function createRepeats(): Repeats {
  const heads = new Set<string>();
  const batch: ExtractedCall[] = [];
  /** Whether the calls so far are not all the same: of twins nobody knows how many are meant. */
  let isMixed = false;
  return {
    isRepeated: (call, isHead) => {
      const key = isHead || heads.size > 0 ? JSON.stringify([call.name, call.arguments]) : '';
      const last = batch.at(-1);
      const isTwin = last !== undefined && areSame(call, last);
      if ((!isHead && heads.has(key)) || (isTwin && notationOf(call) !== notationOf(last))) return true;
      if (isHead) heads.add(key);
      if (last !== undefined && !isTwin) isMixed = true;
      batch.push(call);
      return false;
    },
    mayRepeat: () => isMixed,
    compare: (calls) => {
      if (calls.length > batch.length) return 'none';
      for (const [index, call] of calls.entries()) {
        const earlier = batch[index];
        if (earlier === undefined || !areSame(call, earlier)) return 'none';
      }
      return calls.length === batch.length ? 'again' : 'begun';
    },
  };
}

function areSame(one: ExtractedCall, other: ExtractedCall): boolean {
  return one.name === other.name && isSame(one.arguments, other.arguments);
}

/** How a call was written: the envelope, and whether it was JSON as it should be. */
function notationOf({ envelope, repairs }: ExtractedCall): string {
  return `${envelope} ${codesOf(repairs).has('single-quotes')}`;
}
