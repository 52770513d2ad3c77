import * as char from '../text/char.ts';
import { isQuotedKeyAt, nameAt } from '../lookahead/key-at.ts';
import { nextToken } from '../lookahead/next-token.ts';
import type { Machine, State } from '../machine/machine.ts';
import { close, lastOf, note, open, takeLast, waitForEnd } from '../machine/operations.ts';
import { isDeeperThan, isJsonObject } from '../result/json-value.ts';
import { replace, type Fix } from './fix.ts';

/** A brace where a key is expected: the row of a list before it was not closed. `[{"a": 1, {"a": 2}]` */
export const rowWithoutCloser: Fix = replace('missing-closer', 'lossy', '}', closeRow, ({ frame, frames }, code) => {
  return code === char.openBrace && frame?.comma !== -1 && frames.at(-2)?.kind === 'array' && 0;
});

function closeRow(machine: Machine, start: number): State {
  close(machine, start);
  return 'beforeValue';
}

/**
 * A brace where a key is expected, with a key that the object before it has: the opening bracket of their list is
 * missing. `{"a": {"b": 1}, {"b": 2}}`
 */
export const rowsWithoutList: Fix = (machine, code) => {
  const { at, frame, frames, lastStart, limits } = machine;
  if (code !== char.openBrace || frame?.kind !== 'object' || frame.comma === -1) return undefined;
  const row = lastOf(frame);
  const key = nextToken(machine, at + 1);
  if (!isJsonObject(row) || !isQuotedKeyAt(machine, key)) return undefined;
  const name = nameAt(machine, key);
  // In `[{"a": {"a": 1}, {"a": {`, it is more likely the object around both that lacks its brace.
  const isNext = Object.hasOwn(row, name) && !Object.hasOwn(frame.members, name);
  // A stream has shown the object before as the whole value.
  if (isNext) waitForEnd(machine);
  // The list adds a level.
  if (!isNext || machine.needsMore || isDeeperThan(limits.depth - frames.length - 1, row)) return undefined;
  takeLast(frame);
  frame.comma = -1;
  note(machine, 'missing-opener', 'lossy', lastStart, lastStart, '[');
  open(machine, 'array', lastStart)?.items.push(row);
  return 'beforeValue';
};
