import { defaultDepth, type Failure } from '../machine/machine.ts';
import { type RepairFailure, createRepair, type RepairSuccess } from '../result/repair-result.ts';
import { isDeeperThan, isJsonObject } from '../result/json-value.ts';
import type { ShapedOptions } from '../result/declared-shape.ts';

const fixHints =
  'Write one JSON object: every key and every string in double quotes, quotes inside strings as \\", line breaks inside ' +
  'strings as \\n, a comma between members and none after the last, every brace and bracket closed.';

/** Creates the message for the developer and the hint for the model from the position at which reading stopped. */
export function explainFailure(text: string, failure: Failure): RepairFailure {
  const { code, expected, position } = failure;
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  const found = text.slice(position, position + 20).split('\n')[0] ?? '';
  const what = found === '' ? 'the text ends' : `found ${JSON.stringify(found)}`;
  const message =
    failure.message === ''
      ? `The text can't be read as JSON: expected ${expected} at line ${line}, column ${column}, ${what}`
      : `${failure.message} at line ${line}, column ${column}`;
  const hint =
    code === 'INVALID_JSON'
      ? `Not valid JSON at line ${line}, column ${column}: expected ${expected}, ${what}. ${fixHints} Example: {"path": "a.md", "lines": [1, 2]}`
      : `${message}. Send the arguments again with ${expected}.`;
  return { ok: false, code, message, hint, position };
}

/** Asks the caller's reader if the text can't be read otherwise. Its answer never counts as complete. */
export function askFallback(text: string, { fallback, root, limits }: ShapedOptions): RepairSuccess | undefined {
  const value = fallback?.(text);
  const isWanted = isJsonObject(value) || (Array.isArray(value) && root !== 'object');
  if (!isWanted || isDeeperThan(limits?.depth ?? defaultDepth, value)) return undefined;
  const repairs = [createRepair(text, 'last-resort', 'lossy', 0, text.length, JSON.stringify(value))];
  return { ok: true, value, risk: 'lossy', complete: false, repairs };
}
