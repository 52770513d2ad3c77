import { createJsonStream, repairJson } from '@haft/repair';
import type { RepairOptions, RepairResult } from '@haft/repair';

import { isSameValue } from '@haft-tooling/corpora/same-value';
import type { Broken } from '../inputs/input.ts';
import { whyNotPlain } from './plain-data.ts';
import { show } from './show.ts';

/** A text that is pushed chunk by chunk. */
export interface Streamed {
  readonly text: string;
  readonly salt: number;
  readonly options: RepairOptions;
  /** The result of reading it at once. */
  readonly whole: RepairResult;
  /** Its value, if it is valid JSON and an object or a list. */
  readonly document: object | undefined;
}

/** Returns the offsets at which a text is cut into chunks. */
export function cutsOf(length: number, salt: number): readonly number[] {
  const cuts: number[] = [];
  for (let index = salt % 7; index > 0; index -= 1)
    cuts.push((Math.imul(salt + index, 0x9e3779b1) >>> 0) % (length + 1));
  cuts.sort((left, right) => left - right);
  cuts.push(length);
  return cuts;
}

/**
 * A stream ends like the whole text for any chunks, shows plain data, and for valid JSON never shows a value that the
 * text does not contain.
 */
export function breaksStream({ text, salt, options, whole, document }: Streamed): Broken | undefined {
  const deltas: [string, string][] = [];
  const stream = createJsonStream({
    ...options,
    onDelta: ({ path, text }) => void deltas.push([JSON.stringify(path), text]),
  });
  // For a duplicate key, the first value is shown until the second arrives.
  const isPlain = document !== undefined && repairJson(text, { limits: { duplicateKeys: 'refuse' } }).ok;
  let from = 0;
  for (const to of cutsOf(text.length, salt)) {
    stream.push(text.slice(from, to));
    from = to;
    const live = stream.value;
    const unplain = live === undefined ? undefined : whyNotPlain(live);
    if (unplain !== undefined) return { law: 'a live value is plain JSON data', detail: unplain };
    if (isPlain && live !== undefined && !isPartOf(live, document))
      return { law: 'a stream shows nothing that is not there', detail: show(live) };
  }
  const wrong = isPlain ? breaksDeltas(deltas, document) : undefined;
  if (wrong !== undefined) return wrong;
  const end = stream.end();
  if (isSameResult(end, whole)) return undefined;
  // V8 itself may read an escaped key differently the second time: https://github.com/nodejs/node/issues/63785
  const isMisread = (): boolean =>
    !isSameValue(JSON.parse(text), document) || isSameResult(end, repairJson(text, options));
  if (document !== undefined && isMisread()) return undefined;
  return { law: 'a stream ends as the whole text does', detail: show(end) };
}

function isSameResult(one: RepairResult, other: RepairResult): boolean {
  if (!one.ok || !other.ok) return show(one) === show(other);
  const { risk, complete, repairs } = one;
  const isMarkedAlike = risk === other.risk && complete === other.complete && repairs.length === other.repairs.length;
  return isMarkedAlike && isSameValue(one.value, other.value) && isSameValue(repairs, other.repairs);
}

/** The joined deltas of a string are a prefix of that string. */
function breaksDeltas(deltas: readonly (readonly [string, string])[], document: object): Broken | undefined {
  const joined = new Map<string, string>();
  for (const [place, text] of deltas) joined.set(place, (joined.get(place) ?? '') + text);
  for (const [place, text] of joined) {
    const path = JSON.parse(place) as readonly (string | number)[];
    const value = path.reduce<unknown>((part, key) => Object(part)[key] as unknown, document);
    if (typeof value !== 'string' || !value.startsWith(text))
      return { law: 'the deltas of a string are the string', detail: `${place} ${show(text)}` };
  }
  return undefined;
}

/** Whether a value is the beginning of another: its members and items exist there, and its strings are prefixes. */
function isPartOf(live: unknown, whole: unknown): boolean {
  const open: [unknown, unknown][] = [[live, whole]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [part, all] = pair;
    if (typeof part === 'string') {
      if (typeof all !== 'string' || !all.startsWith(part)) return false;
    } else if (typeof part !== 'object' || part === null) {
      // A number that no double can represent is shown as null.
      const isTooLarge = part === null && typeof all === 'number' && !Number.isFinite(all);
      if (part !== all && !isTooLarge) return false;
    } else {
      if (typeof all !== 'object' || all === null || Array.isArray(part) !== Array.isArray(all)) return false;
      for (const [key, inner] of Object.entries(part)) {
        if (!Object.hasOwn(all, key)) return false;
        open.push([inner, (all as Record<string, unknown>)[key]]);
      }
    }
  }
  return true;
}
