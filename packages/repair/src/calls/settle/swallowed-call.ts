import type { JsonValue } from '../../json/result/json-value.ts';
import type { Repair } from '../../json/result/repair-result.ts';
import type { Source, WrittenCall } from '../contract/envelope.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';

/** Repairs that make the end of a string uncertain. */
const ambiguousEndCodes = [
  'inner-quote',
  'missing-close-quote',
  'mismatched-quotes',
  'missing-open-quote',
  'stray-quote',
  'doubled-quotes',
];

const codeCallPattern = /\)\s{0,9}[,;\]\n]?\s{0,9}([A-Za-z_][\w.-]{0,127})\(/g;

const jsonCallPattern =
  /["']?(?:name|tool_name|function_name|tool|function)["']?\s{0,9}:\s{0,9}["']([\w.:/-]{1,128})["']/g;

const maxDepth = 32;

/**
 * Returns whether a string in the arguments includes the beginning of another call, because its closing quote is
 * missing.
 */
export function swallowsCall(source: Source, { repairs, arguments: value, positional }: WrittenCall): boolean {
  const codes = codesOf(repairs);
  if (!ambiguousEndCodes.some((code) => codes.has(code))) return false;
  return holdsCall(source, value ?? null, 0) || (positional ?? []).some((one) => holdsCall(source, one, 0));
}

function holdsCall(source: Source, value: JsonValue, depth: number): boolean {
  if (typeof value === 'string') {
    return [codeCallPattern, jsonCallPattern].some((pattern) =>
      [...value.matchAll(pattern)].some(([, name = '']) => resolveName(source.tools, name) !== undefined),
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
