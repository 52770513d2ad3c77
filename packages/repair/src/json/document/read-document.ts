import * as char from '../text/char.ts';
import { type Root, findContainer } from './find-root.ts';
import { fits, insideWrapper } from '../result/inside-wrapper.ts';
import { isDeeperThan, isJsonObject, type JsonValue, isSame } from '../result/json-value.ts';
import { introductionScore, isGiven } from './introduction-score.ts';
import { hasUnquotedText, isCutType, isFormat, isTypeInSentence } from './type-notation.ts';
import { liesInside } from '../text/reasoning.ts';
import { graverRisk, type Failure, type Machine } from '../machine/machine.ts';
import { readValue } from './read-value.ts';
import { createRepair, type Repair, type RepairSuccess } from '../result/repair-result.ts';
import type { Shape, ShapedOptions } from '../result/declared-shape.ts';
import { describeAfter, describeBefore } from './describe-around.ts';
import { matchEnd } from '../text/characters.ts';

const maxCandidates = 64;

/** Finds and reads the value of a text, at any position. If there is no value, returns why. */
export function readDocument(text: string, root: Root, options: ShapedOptions): RepairSuccess | Failure {
  const { shape } = options;
  const candidates: Machine[] = [];
  let { start, state } = root;
  // Where a list is declared, objects in a row are its items.
  const isList = shape?.kinds?.has('array') === true && !shape.kinds.has('object');
  let isSeries = options.root !== 'object' && (shape === undefined || isList);
  let own = options;
  while (start !== -1 && (candidates.length < maxCandidates || isSeries)) {
    const isItem = isList && text[start] === '{';
    const machine = readValue(text, start, state, isItem ? { ...own, shape: shape.item(candidates.length) } : own);
    state = 'beforeValue';
    // The limit is that of the whole text, so that many values in a row take linear time.
    const backtracks = machine.limits.backtracks - machine.backtracks;
    if (machine.backtracks > 0) own = { ...own, limits: { ...own.limits, backtracks } };
    if (machine.failure !== undefined) return machine.failure;
    const afterType = isTypeInSentence(machine) ? findContainer(text, text.indexOf('`', start)) : -1;
    if (afterType !== -1) {
      start = afterType;
      continue;
    }
    // A list has no item that corrects the one before.
    if (isList) isSeries &&= introductionScore(machine, candidates.at(-1)) === 0;
    candidates.push(machine);
    // Text after the end of an ambiguous value may belong to it.
    if (machine.ending !== 'closed' || machine.hasAmbiguousEnd) break;
    start = findContainer(text, machine.rootEnd);
    const between = start === -1 ? '' : text.slice(machine.rootEnd, start);
    isSeries &&= isSeparator(between) || (isList && isNextLabel(between) && !isGiven(text, machine.start));
    if (isList) isSeries &&= isItem && isItemOf(machine.root ?? null, shape);
  }
  const chosen = chooseBest(candidates, options);
  if (chosen === undefined) return readScalar(text, root.begin, options);
  const series = isSeries ? readSeries(candidates, options) : undefined;
  return series ?? toResult(chosen, candidates, options);
}

// A comment on a separate line, and the sign or the number of an item in a list.
const beforeItemPattern = /^(?:\/\/[^\n]{0,200}\n\s*)?(?:(?:[-*\u2022]|\d{1,4}[.)])[ \t]+)?$/;

/**
 * Returns whether the text between two values separates the lines of JSON Lines, or the items of a list. Spaces alone
 * usually separate an example from an answer.
 */
function isSeparator(between: string): boolean {
  const [white = ''] = /^[\s,]*/.exec(between) ?? [];
  if (white === between) return white === '' || /[\n,]/.test(white);
  return white.includes('\n') && beforeItemPattern.test(between.slice(white.length));
}

/** A label of a further item, and what else may be on a line between items. */
const nextItemPattern =
  /^(?:and )?(?:then )?(?:the )?(?:second|third|fourth|fifth|next|last)(?: (?:one|item|entry|record|object|person|row|element))?:$/i;
const betweenItemsPattern = /^(?:```\w*|-{3,})?$/;

/** Returns whether the text between two values is the label of the second as a further item. */
function isNextLabel(between: string): boolean {
  const lines = between.split('\n').map((line) => line.trim());
  const others = lines.filter((line) => !betweenItemsPattern.test(line));
  return lines.length > 2 && others.length > 0 && others.every((line) => nextItemPattern.test(line));
}

/** Returns whether a value is an item of a declared list, and not the list in a wrapper. */
function isItemOf(value: JsonValue, list: Shape): boolean {
  const item = list.item(0);
  return item !== undefined && fits(value, item) && insideWrapper(value, list) === undefined;
}

/** Returns the values of JSON Lines as a list, or undefined if they are not alike or repeat one document. */
function readSeries(candidates: readonly Machine[], options: ShapedOptions): RepairSuccess | undefined {
  const parts = candidates.filter(({ root }) => Object.keys(root ?? {}).length > 0);
  const [first, ...others] = parts;
  const last = others.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isAlike = others.every(({ root }) => Array.isArray(root) === Array.isArray(first.root));
  if (!isAlike || others.every(({ root }) => isSame(root, first.root))) return undefined;
  const value = parts.map(({ root }) => root ?? null);
  const { limits, rootEnd, text } = last;
  if (isDeeperThan(limits.depth, value)) return undefined;
  const { start } = first;
  const before = [...describeBefore(text, start), createRepair(text, 'several-values', 'lossy', start, rootEnd, '[')];
  const after = describeAfter(text, rootEnd);
  // A brace after the last value may close an object whose beginning is missing.
  const isTail = after.some(({ found }) => found === '}');
  return conclude(value, parts, before, after, isTail || isEndAmbiguous(last, candidates, options));
}

// The first line of a fence.
const fencePattern = /\s*(?:```|~~~)\w*\n/y;

/** A text without objects or lists can only be a single scalar, alone or in a fence. */
function readScalar(text: string, begin: number, options: ShapedOptions): RepairSuccess | Failure {
  const from = Math.max(begin, matchEnd(fencePattern, text, begin));
  const machine = readValue(text, from, 'beforeValue', options);
  if (machine.failure === undefined && machine.root !== undefined && options.root !== 'object') {
    const result = toResult(machine, [], options);
    const isWhole = result.repairs.every(({ code }) => code !== 'prose-after' && code !== 'extra-closer');
    const isLine = /^\s*\[[^\n]*\]\s*$/.test(text);
    if (isWhole && (options.shape !== undefined || !isLine || !isSentence(result))) return result;
  }
  const position = machine.failure?.position ?? from;
  return { code: 'INVALID_JSON', message: '', expected: 'a JSON object', position };
}

/** `[Please see the list below]`: returns whether text in brackets has too many words for an item without quotes. */
const isSentence = ({ repairs, value }: RepairSuccess): boolean =>
  Array.isArray(value) && value.length === 1 && hasUnquotedText(repairs) && /^(?:[^\s"]+\s+){4}/.test(String(value[0]));

function chooseBest(candidates: readonly Machine[], options: ShapedOptions): Machine | undefined {
  if (candidates.length < 2) return candidates[0];
  const scores = candidates.map(
    (candidate, index) => scoreOf(candidate, options) + introductionScore(candidate, candidates[index - 1]),
  );
  return candidates[scores.indexOf(Math.max(...scores))];
}

const riskScores = { none: 4, safe: 4, lossy: 3, truncated: 2 } as const;

/** Text without any quote, such as `{a: number, b?: string}`, is more likely a remark than a value. */
function suretyOf({ repairs, risk, rootEnd, start, text }: Machine): number {
  const isRemark = hasUnquotedText(repairs) && !text.slice(start, rootEnd).includes('"');
  return riskScores[risk] - (isRemark ? 2 : 0);
}

function scoreOf(candidate: Machine, options: ShapedOptions): number {
  const { shape } = options;
  const value = candidate.root ?? {};
  const isRightKind = isJsonObject(value) || (options.root !== 'object' && Array.isArray(value));
  const isEmpty = Object.keys(value).length === 0;
  return (
    (isRightKind ? 100 : 0) +
    (shape === undefined ? 0 : suitability(value, shape)) +
    (isEmpty ? 0 : 10) +
    (isJsonObject(value) && !isCutType(candidate) ? 3 : 0) +
    suretyOf(candidate)
  );
}

/** Returns how well a value matches the declaration: a declared list or all required keys, and then as many declared keys as possible. */
function suitability(value: JsonValue, shape: Shape): number {
  const isList = Array.isArray(value) && value.length > 0 && value.every((item) => isItemOf(item, shape));
  const isSuited = isList || fits(value, shape) || insideWrapper(value, shape) !== undefined;
  const declared = Object.keys(value ?? {}).filter((key) => shape.hasMember(key)).length;
  return (isSuited ? 50 : 0) + Math.min(declared, 40);
}

function toResult(chosen: Machine, candidates: readonly Machine[], options: ShapedOptions): RepairSuccess {
  const { root = null, rootEnd, start, text } = chosen;
  const others = candidates.filter((candidate) => candidate !== chosen);
  const earlier = others.filter((other) => other.start < start);
  const next = others.find((other) => other.start > start);
  const before = earlier.length === 0 ? describeBefore(text, start) : earlier.map(dropped);
  const after = next === undefined ? describeAfter(text, rootEnd) : [dropped(next)];
  return conclude(root, [chosen], before, after, isEndAmbiguous(chosen, candidates, options));
}

/** Creates the result of a value without text around it. */
export const withoutSurroundings = (machine: Machine): RepairSuccess =>
  conclude(machine.root ?? null, [machine], [], [], machine.hasAmbiguousEnd);

/** Creates the result of a value that consists of `parts`. */
function conclude(
  value: JsonValue,
  parts: readonly Machine[],
  before: readonly Repair[],
  after: Repair[],
  hasAmbiguousEnd: boolean,
): RepairSuccess {
  const { ending, limits, rootEnd, stopped, text } = parts.at(-1) as Machine;
  const isClosed = ending === 'closed';
  // The end of the value may belong to something that was cut.
  const endRisk = stopped === 'stop' ? 'lossy' : 'truncated';
  if (isClosed && hasAmbiguousEnd) after.unshift(createRepair(text, 'ambiguous-closer', endRisk, rootEnd - 1, rootEnd));
  const risk = [...parts, ...before, ...after].map((one) => one.risk).reduce(graverRisk, 'none');
  const [inside = [], ...others] = parts.map(({ repairs }) => repairs);
  // Copying the repairs of a short text takes a fifth of the time of reading it.
  const isBare = others.length + before.length + after.length === 0;
  const repairs = isBare ? inside : [...before, ...inside, ...others.flat(), ...after].slice(0, limits.repairs);
  return { ok: true, value, risk, complete: isClosed && !hasAmbiguousEnd, repairs };
}

/** Returns whether a value may belong to something that was cut, although a closer ends it. */
function isEndAmbiguous(candidate: Machine, candidates: readonly Machine[], { root }: ShapedOptions): boolean {
  const { hasAmbiguousEnd, root: value, rootEnd, start, text } = candidate;
  if (hasAmbiguousEnd || liesInside(text, outermost(candidate))) return true;
  if (isOneArgument(candidate) || isOneOfTwo(candidates)) return true;
  // Another value was cut, so this one may be an earlier example.
  const last = candidates.at(-1);
  if (last !== undefined && last !== candidate && isUnended(last)) return true;
  if (isFormat(candidate)) return true;
  if (Array.isArray(value)) return root === 'object' && start > 0;
  return isJsonObject(value) && Object.keys(value).length === 0 && text.includes('{', rootEnd);
}

/** Returns whether a value has no certain end. A type in a sentence, `` `{ a: T; }` ``, is no value. */
function isUnended(machine: Machine): boolean {
  return (machine.ending !== 'closed' || machine.hasAmbiguousEnd) && !isTypeInSentence(machine);
}

/** `f(a=[1], b=2)`, `dict(a=[1])`: returns whether a value is one of the arguments that make up the whole. */
function isOneArgument({ rootEnd, start, text }: Machine): boolean {
  const [, sign] = /(\bdict\(|[(,])\s*\w+\s*=\s*$/.exec(text.slice(Math.max(0, start - 100), start)) ?? [];
  return sign !== undefined && (sign !== '(' || /^\s*,\s*\w+\s*=/.test(text.slice(rootEnd, rootEnd + 100)));
}

/** `{"a": 1} or {"a": 2}`: returns whether two values are alternatives. */
function isOneOfTwo(candidates: readonly Machine[]): boolean {
  return candidates.some(({ start, text }, index) => {
    const last = candidates[index - 1]?.rootEnd ?? start;
    return start - last < 12 && /^[\s,`]*(?:or|oder|ou|o|или|或)[\s`]+$/i.test(text.slice(last, start));
  });
}

/** `{{"a": 1}}`: returns the start of the braces around a value that close directly after it. */
function outermost({ rootEnd, start, text }: Machine): number {
  let [from, to] = [start, rootEnd];
  while (text.charCodeAt(from - 1) === char.openBrace && text.charCodeAt(to) === char.closeBrace) {
    from -= 1;
    to += 1;
  }
  return from;
}

function dropped({ rootEnd, start, text }: Machine): Repair {
  return createRepair(text, 'other-value', 'lossy', start, rootEnd);
}
