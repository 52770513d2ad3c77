import { repairAsDeclared } from '../../json/document/repair-json.ts';
import { contradicts } from '../../json/result/contradicts.ts';
import { fits, insideWrapper } from '../../json/result/inside-wrapper.ts';
import { isJsonObject, isSame, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';
import type { Repair, RepairRisk } from '../../json/result/repair-result.ts';
import type { Shape } from '../../json/result/declared-shape.ts';
import { readWrittenNumber } from '../notations/code/arithmetic.ts';
import { isOnlyNumber } from '../notations/text-values.ts';
import type { CallableTool } from '../contract/envelope.ts';
import { shapeOf } from '../contract/argument-shape.ts';
import { foldName } from '../contract/resolve-tool-name.ts';
import { isEscapedName } from './text-escapes.ts';

interface Fit {
  readonly code: string;
  readonly risk: RepairRisk;
  readonly apply: (value: JsonObject, shape: Shape, repairs: readonly Repair[]) => JsonObject | undefined;
}

/** The rules, in the order in which they are tried. Each is applied to the result of the earlier ones. */
const ways: readonly Fit[] = [
  { code: 'wrapped-arguments', risk: 'safe', apply: unwrap },
  { code: 'argument-name', risk: 'safe', apply: rename },
  { code: 'typed-value', risk: 'safe', apply: untype },
  { code: 'declared-string', risk: 'safe', apply: writeNumbers },
  { code: 'calculation', risk: 'lossy', apply: calculate },
];

/** Fits arguments to their declaration if it shows what was meant, and returns the rules that were applied. Validates nothing. */
export function fitArguments(
  written: JsonObject,
  shape: Shape | undefined,
  repairs: readonly Repair[],
): { readonly value: JsonObject; readonly fits: readonly Pick<Fit, 'code' | 'risk'>[] } {
  let value = written;
  const applied: Fit[] = [];
  if (shape === undefined) return { value, fits: applied };
  for (const way of ways) {
    const next = way.apply(value, shape, repairs);
    if (next === undefined) continue;
    value = next;
    applied.push(way);
  }
  return { value, fits: applied };
}

const maxWrappers = 4;

/** `{"params": {"loaves": 2}}`: removes up to four wrappers: objects whose only key is not declared. */
export function unwrap(value: JsonObject, shape: Shape): JsonObject | undefined {
  let wrapper = value;
  for (let count = 0; count < maxWrappers; count += 1) {
    const [key = '', ...others] = Object.keys(wrapper);
    if (others.length > 0 || shape.hasMember(key)) return undefined;
    const inner = insideWrapper(wrapper, shape);
    const only = wrapper[key];
    if (inner !== undefined || !isJsonObject(only)) return declaredOnly(inner, shape);
    wrapper = only;
  }
  return undefined;
}

/** Returns arguments, possibly written as JSON text, if all of them are declared. */
function declaredOnly(inner: JsonValue | undefined, shape: Shape): JsonObject | undefined {
  const opened = typeof inner === 'string' ? openText(inner, shape) : inner;
  if (opened === undefined || !fits(opened, shape)) return undefined;
  return Object.keys(opened).every((key) => shape.hasMember(key)) ? opened : undefined;
}

function openText(text: string, shape: Shape): JsonValue | undefined {
  const result = repairAsDeclared(text, { root: 'object', shape });
  return result.ok && result.complete && result.risk !== 'lossy' ? result.value : undefined;
}

/** Whether the arguments keep a key unchanged, rename it, or are all inside it. */
export type KeyFate = 'kept' | 'changed' | 'foreign';

/** Predicts for a stream what `rename` and `unwrap` do with a key. `changed` and `foreign` only hold text back. */
export function fateOfKey(tool: CallableTool | undefined, key: string): KeyFate {
  if (isEscapedName(key)) return 'changed';
  const shape = shapeOf(tool);
  if (shape === undefined || shape.keys.length === 0 || shape.hasMember(key)) return 'kept';
  if (Object.values(tool?.aliases ?? {}).some((names) => names.includes(key))) return 'kept';
  const folded = foldName(key);
  return shape.keys.some((name) => foldName(name) === folded) ? 'changed' : 'foreign';
}

/** `from` where `_from` is declared: the only key that differs in nothing but case, `-` and `_`, and is not there yet. */
function rename(value: JsonObject, shape: Shape): JsonObject | undefined {
  const free = shape.keys.filter((key) => !Object.hasOwn(value, key));
  const names = new Map<string, string>();
  for (const key of Object.keys(value)) {
    if (shape.hasMember(key)) continue;
    const folded = foldName(key);
    const [name = '', ...others] = free.filter((one) => foldName(one) === folded);
    const isWanted = others.length === 0 && (shape.isClosed ? name !== '' : shape.required.includes(name));
    if (isWanted && ![...names.values()].includes(name)) names.set(key, name);
  }
  if (names.size === 0) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [names.get(key) ?? key, member]));
}

/** Changes the members of arguments. Returns undefined if all of them stay as they are. */
function mapMembers(value: JsonObject, change: (member: JsonValue, key: string) => JsonValue): JsonObject | undefined {
  const members = Object.entries(value).map(([key, member]) => [key, change(member, key)] as const);
  return members.some(([key, member]) => member !== value[key]) ? Object.fromEntries(members) : undefined;
}

/** `{"loaves": {"type": "integer", "value": 2}}`, `{"loaves": {"integer": 2}}`: values with their types. */
function untype(value: JsonObject, shape: Shape): JsonObject | undefined {
  return mapMembers(value, (member, key) => {
    const { kinds } = shape.member(key) ?? {};
    if (kinds === undefined || kinds.has('object') || !isJsonObject(member)) return member;
    const { type, value: typed, ...others } = member;
    if (typeof type === 'string' && typed !== undefined && Object.keys(others).length === 0) return typed;
    const [[kind, only] = ['', null], ...more] = Object.entries(member);
    return more.length === 0 && kinds.has(kind) ? only : member;
  });
}

const maxDepth = 32;

/** `88214` for a declared string. */
function writeNumbers(value: JsonObject, shape: Shape): JsonObject | undefined {
  if (!contradicts(value, shape)) return undefined;
  const written = asText(value, shape, 0) as JsonObject;
  return isSame(written, value) ? undefined : written;
}

function asText(value: JsonValue, shape: Shape | undefined, depth: number): JsonValue {
  if (shape === undefined || depth > maxDepth) return value;
  if (typeof value === 'number') {
    const isText = shape.takesText && shape.kinds?.has('number') !== true && shape.kinds?.has('integer') !== true;
    return isText && (Number.isSafeInteger(value) || !Number.isInteger(value)) ? String(value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) => asText(item, shape.item(index), depth + 1));
  }
  const members = Object.entries(value as JsonObject);
  return Object.fromEntries(members.map(([key, member]) => [key, asText(member, shape.member(key), depth + 1)]));
}

/** `5/4` and `$450` without quotes for a declared number. */
function calculate(value: JsonObject, shape: Shape, repairs: readonly Repair[]): JsonObject | undefined {
  const bare = new Set(repairs.flatMap(({ code, found }) => (code === 'unquoted-string' ? [found] : [])));
  if (bare.size === 0) return undefined;
  return mapMembers(value, (member, key) => {
    const declared = shape.member(key);
    if (typeof member !== 'string' || !bare.has(member) || declared === undefined || !isOnlyNumber(declared))
      return member;
    const found = readWrittenNumber(member, 0);
    return found?.end === member.length ? found.value : member;
  });
}
