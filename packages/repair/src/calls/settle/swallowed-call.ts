import type { Shape } from '../../json/result/declared-shape.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';
import type { Repair } from '../../json/result/repair-result.ts';
import type { Source, WrittenCall } from '../contract/envelope.ts';
import { isKeyOf } from '../notations/json/json-call-keys.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';

/** Repairs that make the end of a string uncertain. */
const ambiguousEndCodes =
  /^(?:inner-quote|missing-close-quote|mismatched-quotes|missing-open-quote|stray-quote|doubled-quotes)$/;

const codeCallPattern = /\)\s{0,9}[,;\]\n]?\s{0,9}([A-Za-z_][\w.-]{0,127})\(/g;

const jsonCallPattern =
  /["']?(?:name|tool_name|function_name|tool|function)["']?\s{0,9}:\s{0,9}["']([\w.:/-]{1,128})(?:["']|$)/g;

const argumentPattern =
  /(?:["']\s?\|\s?["'](?=\w{1,64}["']\s?:)([A-Za-z_]\w{0,63})|["'][}\])\s]{0,9},[{[(\s]{0,9}["']?([A-Za-z_]\w{0,63})["'\s=:]|,\s{0,9}([A-Za-z_]\w{0,63})\s{0,9}[=:]\s{0,9}["'[{\d])/g;

const maxDepth = 32;

/** Returns whether the arguments include the beginning of another call or argument, because a closing quote is missing. */
export function swallowsCall(
  source: Source,
  { repairs, arguments: value = null, positional = [] }: WrittenCall,
  shape: Shape | undefined,
): boolean {
  if (![...codesOf(repairs)].some((code) => ambiguousEndCodes.test(code))) return false;
  if (holdsCall(source, value, 0) || positional.some((one) => holdsCall(source, one, 0))) return true;
  if (!isJsonObject(value)) return false;
  const isLost = (key: string): boolean => shape?.hasMember(key) === true && !Object.hasOwn(value, key);
  const texts = Object.values(value).filter((one) => typeof one === 'string');
  return (
    Object.keys(value).some((key) => shape?.hasMember(key) === false && namesTool(source, value, key)) ||
    texts.some((text) =>
      [...text.matchAll(argumentPattern)].some((found) =>
        isLost(found.slice(1).find((key) => key !== undefined) ?? ''),
      ),
    )
  );
}

/** `"arguments": {"name": "ping", "arguments": {…}}`: returns whether the arguments are a call themselves. */
export function isCallAgain(source: Source, value: JsonObject, shape: Shape | undefined): boolean {
  if (shape === undefined || shape.keys.length === 0) return false;
  if (!Object.keys(value).some((key) => namesTool(source, value, key))) return false;
  // Other data may have these keys among others.
  const isPart = (key: string): boolean => isKeyOf('name', key) || isKeyOf('arguments', key) || isKeyOf('meta', key);
  if (!Object.keys(value).every(isPart)) return false;
  return Object.keys(value).some(
    (key) => isKeyOf('arguments', key) && isJsonObject(value[key]) && !shape.hasMember(key),
  );
}

function namesTool(source: Source, value: JsonObject, key: string): boolean {
  return isKeyOf('name', key) && isToolName(source, value[key]);
}

function isToolName({ tools }: Source, value: JsonValue | undefined): boolean {
  return typeof value === 'string' && resolveName(tools, value) !== undefined;
}

function holdsCall(source: Source, value: JsonValue, depth: number): boolean {
  if (typeof value === 'string') {
    return [codeCallPattern, jsonCallPattern].some((pattern) =>
      [...value.matchAll(pattern)].some(([, name]) => isToolName(source, name)),
    );
  }
  if (typeof value !== 'object' || value === null || depth > maxDepth) return false;
  return (Object.values(value) as readonly JsonValue[]).some((member) => holdsCall(source, member, depth + 1));
}

const known = new WeakMap<readonly Repair[], ReadonlySet<string>>();

/** Returns the codes of a list of repairs. Cached by list, because all calls of one list share its repairs. */
export function codesOf(repairs: readonly Repair[]): ReadonlySet<string> {
  const cached = known.get(repairs);
  if (cached !== undefined) return cached;
  const codes = new Set(repairs.map(({ code }) => code));
  known.set(repairs, codes);
  return codes;
}
