import { nameOfType } from '../../name-of-type.ts';
import { followableKeyAt } from './document-start.ts';
import { explainFailure } from './explain-failure.ts';
import { contradicts } from '../result/contradicts.ts';
import { fits, insideEnvelope } from '../result/envelope.ts';
import { findContainer } from '../text/find-root.ts';
import { isJsonObject, type JsonValue } from '../result/json-value.ts';
import { tryLastResort } from './last-resort.ts';
import { layers } from '../text/layers.ts';
import { graverRisk } from '../machine/machine.ts';
import { readDocument } from './read-document.ts';
import {
  holdsInfinity,
  isAsMeant,
  isFinite,
  isLimited,
  isObjectDue,
  parseJson,
  asWritten,
  defaultSize,
} from './read-valid.ts';
import { readValue } from './read-value.ts';
import { endlessComment } from '../lookahead/string-end.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import { toShape, type Shape } from '../result/shape.ts';
import type { Repair, RepairResult, RepairSuccess } from '../result/repair-result.ts';

/**
 * Reads the JSON value that a model meant to write, and says what was done to get there.
 *
 * Valid JSON comes back as `JSON.parse` reads it, at its cost, with risk `none`. Anything else is read tolerantly, in
 * linear time and without recursion. Blank text is `{}`. A text that was cut gives what is certain of it with
 * `complete: false`. What cannot be read without guessing is refused with `INVALID_JSON` and a hint for the model.
 * Bad text never throws; what is no text throws a `TypeError`.
 */
export function repairJson(text: string, options: RepairOptions = {}): RepairResult {
  if (typeof text !== 'string') throw new TypeError(`repairJson expects text, not ${nameOfType(text)}`);
  const most = options.limits?.size ?? defaultSize;
  if (text.length > most) {
    const failure = {
      code: 'JSON_TOO_LARGE',
      message: `The text is longer than ${most}`,
      expected: 'less text',
      position: most,
    } as const;
    return explainFailure(text, failure);
  }
  const shape = toShape(options);
  const parsed = parseJson(text);
  if (parsed !== undefined && isAsMeant(parsed, text, options, shape)) return asWritten(parsed);
  const finite = parsed !== undefined && isFinite(parsed, text) ? parsed : undefined;
  const result = readStrictly(text, finite, options, shape) ?? readDamaged(text, options, shape);
  return shape === undefined || !result.ok ? result : openEnvelope(text, result, options, shape);
}

/** What looks damaged may be JSON all the same where nothing was found but escapes that are doubtful in damaged text. */
function readDamaged(text: string, options: RepairOptions, shape: Shape | undefined): RepairResult {
  const result = readTolerantly(text, options);
  if (!result.ok || result.risk === 'none' || !result.repairs.every(({ code }) => code === 'mixed-escapes'))
    return result;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return result;
  }
  if (holdsInfinity(value)) return result;
  return isAsMeant(value, text, options, shape)
    ? asWritten(value)
    : (readStrictly(text, value, options, shape) ?? result);
}

/** Text that is JSON already, and not just what was meant, or nothing at all. */
function readStrictly(
  text: string,
  value: JsonValue | undefined,
  options: RepairOptions,
  shape: Shape | undefined,
): RepairResult | undefined {
  if (value === undefined) return text.trim() === '' ? readNothing(text, options) : undefined;
  if (typeof value === 'string' && isObjectDue(options, shape)) {
    const opened = openString(text, value, options);
    if (opened !== undefined) return opened;
  }
  if (options.limits !== undefined && isLimited(options.limits)) return readExactly(text, options);
  if (shape !== undefined && contradicts(value, shape)) return readExactly(text, options);
  return asWritten(value);
}

/** Blank text stands for no arguments, unless the model was cut before it wrote any. */
function readNothing(text: string, { stopped }: RepairOptions): RepairSuccess {
  if (stopped !== 'length') return asWritten({});
  const end = text.length;
  const cut: Repair = { code: 'missing-value', start: end, end, found: '', assumed: '{}', risk: 'truncated' };
  return { ok: true, value: {}, risk: 'truncated', complete: false, repairs: [cut] };
}

/** Reads valid JSON a second time, to see what `JSON.parse` passes over in silence. */
function readExactly(text: string, options: RepairOptions): RepairResult {
  const machine = readValue(text, 0, 'value', options);
  if (machine.failure !== undefined) return explainFailure(text, machine.failure);
  const { root = null, risk, repairs } = machine;
  return { ok: true, value: root, risk, complete: true, repairs };
}

/** The object inside a string, where an object was asked for. */
function openString(text: string, inner: string, options: RepairOptions): RepairSuccess | undefined {
  if (inner.length >= text.length || inner.trim() === '') return undefined;
  const result = repairJson(inner, options);
  if (!result.ok || !isJsonObject(result.value)) return undefined;
  return around(text, 'double-encoded', result);
}

/** The arguments inside what a model wrote around them, where the schema says that they alone were asked for. */
function openEnvelope(text: string, result: RepairSuccess, options: RepairOptions, shape: Shape): RepairResult {
  const inner = insideEnvelope(result.value, shape);
  if (inner === undefined) return result;
  if (typeof inner !== 'string') {
    const again = contradicts(inner, shape) ? readInside(text, options, shape) : undefined;
    return around(text, 'envelope', again ?? { ...result, value: inner });
  }
  const opened = repairJson(inner, options);
  if (!opened.ok || !fits(opened.value, shape)) return result;
  const risk = graverRisk(result.risk, opened.risk);
  return around(text, 'envelope', { ...opened, risk, complete: opened.complete && result.complete });
}

const maxEnvelopes = 4;

/** Reads the arguments in an envelope as what they were declared to be, which the whole text could not be. */
function readInside(text: string, options: RepairOptions, shape: Shape): RepairSuccess | undefined {
  let start = findContainer(text, 0);
  for (let tried = 0; tried < maxEnvelopes && start !== -1; tried += 1) {
    start = findContainer(text, start + 1);
    if (start === -1) return undefined;
    const {
      failure,
      root = null,
      risk,
      repairs,
      ending,
      hasUncertainEnd,
    } = readValue(text, start, 'value', options, shape);
    if (failure === undefined && fits(root, shape)) {
      return { ok: true, value: root, risk, complete: ending === 'closed' && !hasUncertainEnd, repairs };
    }
  }
  return undefined;
}

function readTolerantly(text: string, options: RepairOptions): RepairResult {
  const rootAt = followableKeyAt(text, 0) === -1 ? findContainer(text, 0) : -1;
  for (const layer of rootAt === -1 ? [] : layers) {
    if (!layer.covers(text, rootAt)) continue;
    const result = repairJson(layer.decode(text), options);
    if (result.ok) return around(text, layer.code, result);
  }
  const reading = readDocument(text, options);
  if (!reading.ok) {
    const { code, expected } = reading.failure;
    const mayGuess = code === 'INVALID_JSON' && expected !== endlessComment;
    const lastResort = mayGuess ? tryLastResort(text, options) : undefined;
    return lastResort ?? explainFailure(text, reading.failure);
  }
  const { value } = reading.result;
  if (typeof value === 'string' && /^\s*[{[]/.test(value)) {
    return openString(text, value, { ...options, root: 'object' }) ?? reading.result;
  }
  return reading.result;
}

/** Adds what stood around a whole document. Offsets inside it are not those of the text, so its repairs span all of it. */
function around(text: string, code: string, inner: RepairSuccess): RepairSuccess {
  const span = { start: 0, end: text.length };
  const outer: Repair = { code, ...span, found: text.slice(0, 60), assumed: '', risk: 'safe' };
  const repairs = [outer, ...inner.repairs.map((repair) => ({ ...repair, ...span }))];
  return { ...inner, risk: graverRisk('safe', inner.risk), repairs };
}
