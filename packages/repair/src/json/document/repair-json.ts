import { checkArgument, findRepairFault, findTextFault } from '../../options/check-argument.ts';
import { findRoot, findContainer } from './find-root.ts';
import { contradicts } from '../result/contradicts.ts';
import { fits, insideWrapper } from '../result/inside-wrapper.ts';
import { isDeeperThan, isJsonObject, type JsonValue } from '../result/json-value.ts';
import { layersOf } from '../text/encoding-layers.ts';
import { defaultDepth, type Failure, graverRisk } from '../machine/machine.ts';
import { readDocument, withoutSurroundings } from './read-document.ts';
import { isAsMeant, isMisread, isObjectDue, parseJson, asWritten, defaultSize } from './read-valid-document.ts';
import { readValue } from './read-value.ts';
import { endlessComment } from '../lookahead/string-end.ts';
import {
  createRepair,
  type Repair,
  spanning,
  type RepairFailure,
  type RepairResult,
  type RepairSuccess,
} from '../result/repair-result.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import { createShape, type Shape, type ShapedOptions } from '../result/declared-shape.ts';

/**
 * Reads the JSON value that a model meant to write, and reports the repairs.
 *
 * Valid JSON is returned as `JSON.parse` reads it, at about the same cost, with risk `none`, unless a schema, `root` or
 * `limits` asks for more or a number is too large for a double. Other text is read tolerantly,
 * in linear time, and nested values without recursion. Blank text is `{}`. Truncated text returns its certain part with `complete:
 * false`. Text that can't be read without guessing fails with `INVALID_JSON` and a hint for the model. Never throws for
 * invalid text; throws a `TypeError` with the code `INVALID_OPTION` for a wrong
 * option and for a value that is not text.
 * @example
 * import { repairJson } from '@haft/repair';
 * const read = repairJson(`{guests: 3, 'room': "blue",}`);
 * read.ok && read.value; // => { guests: 3, room: 'blue' }
 * read.ok && read.risk; // => 'safe'
 */
export function repairJson(text: string, options: RepairOptions = {}): RepairResult {
  checkArgument(text, 'repairJson: text', findTextFault);
  checkArgument(options, 'repairJson: options', findRepairFault);
  const { schema } = options;
  return repairAsDeclared(text, schema === undefined ? options : { ...options, shape: createShape(schema) });
}

/** Does the same with options that are known to be valid. */
export function repairAsDeclared(text: string, options: ShapedOptions): RepairResult {
  const most = options.limits?.size ?? defaultSize;
  if (text.length > most) {
    const message = `The text is longer than ${most}`;
    return explainFailure(text, { code: 'JSON_TOO_LARGE', message, expected: 'less text', position: most });
  }
  const parsed = parseJson(text);
  if (parsed !== undefined && isAsMeant(parsed, options)) return asWritten(parsed);
  const result = parsed === undefined ? readTolerantly(text, options) : readAgain(text, parsed, options);
  return options.shape === undefined || !result.ok ? result : unwrapArguments(text, result, options, options.shape);
}

/** Handles valid JSON that has to be opened, read again or passed on. */
function readAgain(text: string, value: JsonValue, options: ShapedOptions): RepairResult {
  const opened = typeof value === 'string' && isObjectDue(options) ? openString(text, value, options) : undefined;
  return opened ?? (isMisread(value, options) ? readExactly(text, options) : asWritten(value));
}

/** Blank text means no arguments, unless the model was cut before it wrote any. */
function readNothing(text: string, { stopped }: ShapedOptions): RepairSuccess {
  if (stopped !== 'length') return asWritten({});
  const cut = createRepair(text, 'missing-value', 'truncated', text.length, text.length, '{}');
  return { ok: true, value: {}, risk: 'truncated', complete: false, repairs: [cut] };
}

/** Reads valid JSON again, to find what `JSON.parse` ignores. */
function readExactly(text: string, options: ShapedOptions): RepairResult {
  const machine = readValue(text, 0, 'beforeValue', options);
  return machine.failure === undefined ? withoutSurroundings(machine) : explainFailure(text, machine.failure);
}

/** Returns the object inside a string, if an object was requested. */
function openString(text: string, inner: string, options: ShapedOptions): RepairSuccess | undefined {
  if (inner.length >= text.length || inner.trim() === '') return undefined;
  const result = repairAsDeclared(inner, options);
  if (!result.ok || !isJsonObject(result.value)) return undefined;
  return around(text, 'double-encoded', result);
}

/** Returns the arguments inside a wrapper that the model added, according to the schema. */
function unwrapArguments(text: string, result: RepairSuccess, options: ShapedOptions, shape: Shape): RepairResult {
  const inner = insideWrapper(result.value, shape);
  if (inner === undefined) return result;
  if (typeof inner !== 'string') {
    const again = contradicts(inner, shape) ? readInside(text, result, options, shape) : undefined;
    return around(text, 'envelope', again ?? { ...result, value: inner });
  }
  const opened = repairAsDeclared(inner, options);
  if (!opened.ok || !fits(opened.value, shape)) return result;
  return around(text, 'envelope', within(result, [], opened));
}

/** Adds the risk of the text around arguments, and repairs of it, to their result. */
function within(outer: RepairSuccess, repairs: readonly Repair[], inner: RepairSuccess): RepairSuccess {
  const risk = graverRisk(outer.risk, inner.risk);
  return { ...inner, risk, complete: outer.complete && inner.complete, repairs: [...repairs, ...inner.repairs] };
}

const maxWrappers = 4;

/** Reads the arguments in a wrapper by their own declaration, which the whole text did not match. */
function readInside(
  text: string,
  result: RepairSuccess,
  options: ShapedOptions,
  shape: Shape,
): RepairSuccess | undefined {
  let start = findContainer(text, 0);
  for (let tried = 0; tried < maxWrappers; tried += 1) {
    start = findContainer(text, start + 1);
    if (start === -1) return undefined;
    const machine = readValue(text, start, 'beforeValue', options);
    if (machine.failure !== undefined || !fits(machine.root ?? null, shape)) continue;
    const outer = result.repairs.filter(({ start, end }) => end <= machine.start || start >= machine.rootEnd);
    return within(result, outer, withoutSurroundings(machine));
  }
  return undefined;
}

function readTolerantly(text: string, options: ShapedOptions): RepairResult {
  if (text.trim() === '') return readNothing(text, options);
  const root = findRoot(text);
  const rootAt = root.state === 'beforeValue' ? root.start : -1;
  for (const layer of layersOf(text, rootAt)) {
    const result = repairAsDeclared(layer.decode(text), options);
    if (result.ok) return around(text, layer.code, result);
  }
  const reading = readDocument(text, root, options);
  if (!('ok' in reading)) {
    const mayGuess = reading.code === 'INVALID_JSON' && reading.expected !== endlessComment;
    return (mayGuess ? askFallback(text, options) : undefined) ?? explainFailure(text, reading);
  }
  return reading;
}

/** Adds the text around an encoded document, whose inner offsets differ from those of the text. */
function around(text: string, code: string, inner: RepairSuccess): RepairSuccess {
  const outer = createRepair(text, code, 'safe', 0, text.length);
  const repairs = [outer, ...spanning(inner.repairs, 0, text.length)];
  return { ...inner, risk: graverRisk('safe', inner.risk), repairs };
}

const fixHints =
  'Write one JSON object: every key and every string in double quotes, quotes inside strings as \\", line breaks inside ' +
  'strings as \\n, a comma between members and none after the last, every brace and bracket closed.';

/** Creates the message for the developer and the hint for the model from the position at which reading stopped. */
function explainFailure(text: string, failure: Failure): RepairFailure {
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
function askFallback(text: string, { fallback, root, limits }: ShapedOptions): RepairSuccess | undefined {
  const value = fallback?.(text);
  const isWanted = isJsonObject(value) || (Array.isArray(value) && root !== 'object');
  if (!isWanted || isDeeperThan(limits?.depth ?? defaultDepth, value)) return undefined;
  const repairs = [createRepair(text, 'last-resort', 'lossy', 0, text.length, JSON.stringify(value))];
  return { ok: true, value, risk: 'lossy', complete: false, repairs };
}
