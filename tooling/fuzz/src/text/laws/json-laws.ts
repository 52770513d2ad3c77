import { repairErrorCodes, repairJson } from '@haft/repair';
import type { JsonSchema, RepairOptions, RepairResult } from '@haft/repair';

import { readPrefix } from '@haft-tooling/corpora/json-documents';
import { isSameValue } from '@haft-tooling/corpora/same-value';
import type { Broken, CheapOutcome, FuzzInput } from '../inputs/input.ts';
import { depthOf, isSpellable, whyNotPlain } from './plain-data.ts';
import { show } from './show.ts';
import { breaksStream } from './stream-laws.ts';

const risks = ['none', 'safe', 'lossy', 'truncated'] as const;

const choices: readonly ((schema: JsonSchema | undefined) => RepairOptions)[] = [
  () => ({}),
  () => ({ root: 'object' }),
  () => ({ stopped: 'stop' }),
  () => ({ root: 'object', stopped: 'length', limits: { depth: 6 } }),
  () => ({ limits: { duplicateKeys: 'report', unsafeIntegers: 'report', repairs: 3 } }),
  () => ({ limits: { duplicateKeys: 'refuse', unsafeIntegers: 'refuse', backtracks: 1 } }),
  () => ({ limits: { size: 120, depth: 3 }, stopped: 'stop' }),
  (schema) => (schema === undefined ? { root: 'object' } : { schema }),
  (schema) => (schema === undefined ? { stopped: 'stop' } : { schema, root: 'object', stopped: 'stop' }),
];

/**
 * Reads a text in every way that concerns one document, and returns the law that it breaks. Reading it again in chunks,
 * and finding the certain part of a cut text, are expensive.
 */
export function checkJson({ text, salt, schema }: FuzzInput): CheapOutcome {
  const options = choices[salt % choices.length]?.(schema) ?? {};
  const result = repairJson(text, options);
  // JSON.parse is slower than reading, and was already called for texts that are damaged.
  const parsed = result.ok && result.risk !== 'none' ? undefined : parse(text);
  const broken =
    breaksForm(text, result, options) ??
    (parsed === undefined ? undefined : breaksIdentity(text, parsed.value, result, options)) ??
    breaksItself(result);
  const traits = result.ok
    ? [`${result.risk}/${String(result.complete)}`, ...pairsOf(result.repairs.map(({ code }) => code))]
    : [`${result.code}/${result.message.replaceAll(/\d+|found.*/g, '')}`];
  const dear = (): Broken | undefined => {
    // Parsed by the reference parser, because JSON.parse of V8 confuses some keys, see below.
    const read = typeof parsed?.value === 'object' && parsed.value !== null ? readPrefix(text) : undefined;
    const document = read?.found === true ? Object(read.value) : undefined;
    const isCutWrong = document === undefined ? undefined : breaksPrefix(text, salt);
    return isCutWrong ?? breaksStream({ text, salt, options, whole: result, document });
  };
  return broken === undefined ? { traits, dear } : { traits, broken, dear };
}

function pairsOf(codes: readonly string[]): readonly string[] {
  return codes.slice(0, 8).map((code, index) => `${codes[index - 1] ?? ''}>${code}`);
}

export function breaksForm(text: string, result: RepairResult, { limits }: RepairOptions): Broken | undefined {
  const no = (detail: string): Broken => ({ law: 'a result is what its type says', detail });
  if (!result.ok) {
    if (!repairErrorCodes.includes(result.code)) return no(`code ${result.code}`);
    if (result.position < 0 || result.position > text.length) return no(`position ${result.position}`);
    return result.message === '' || result.hint === '' ? no('no message or no hint') : undefined;
  }
  const unplain = whyNotPlain(result.value);
  if (unplain !== undefined) return { law: 'a value is plain JSON data', detail: unplain };
  if (!risks.includes(result.risk)) return no(`risk ${result.risk}`);
  if (result.complete && result.risk === 'truncated') return no('truncated and complete');
  if (result.risk === 'none' && result.repairs.length > 0) return no('repairs without risk');
  for (const { code, start, end, found, assumed, risk } of result.repairs) {
    if (start < 0 || end < start || end > text.length)
      return { law: 'spans stand within the text', detail: `${code} ${start}–${end} of ${text.length}` };
    if (found.length > 60 || assumed.length > 60)
      return no(`${code} tells ${found.length}, ${assumed.length} characters`);
    if (risks.indexOf(risk) > risks.indexOf(result.risk)) return no(`${code} is graver than the whole`);
  }
  const over = { law: 'limits are honoured' };
  if (result.repairs.length > (limits?.repairs ?? 10_000) + 8)
    return { ...over, detail: `${result.repairs.length} repairs` };
  if (text.length > (limits?.size ?? Infinity)) return { ...over, detail: `${text.length} characters` };
  const depth = limits?.depth === undefined ? 0 : depthOf(result.value);
  return depth > (limits?.depth ?? Infinity) ? { ...over, detail: `depth ${depth}` } : undefined;
}

/** Valid JSON is returned unchanged unless an option could change its meaning. */
function breaksIdentity(
  text: string,
  parsed: unknown,
  result: RepairResult,
  options: RepairOptions,
): Broken | undefined {
  if (options.schema !== undefined || options.limits !== undefined) return undefined;
  if (options.root === 'object' && typeof parsed === 'string') return undefined;
  const isSame = result.ok && result.risk === 'none' && result.complete && agrees(result.value, () => parsed, text);
  return isSame ? undefined : { law: 'valid JSON is not touched', detail: show(result) };
}

/**
 * Returns whether a value equals JSON.parse of a text. Because V8 may confuse a key in one of the two readings, both
 * are repeated; a difference that we cause appears again.
 */
function agrees(value: unknown, parsed: () => unknown, text: string): boolean {
  if (isSameValue(value, parsed())) return true;
  const again = repairJson(text);
  return again.ok && again.risk === 'none' && again.complete && isSameValue(again.value, JSON.parse(text));
}

/** Repaired text needs no further repair. */
function breaksItself(result: RepairResult): Broken | undefined {
  if (!result.ok || result.risk === 'none' || !isSpellable(result.value)) return undefined;
  const written = JSON.stringify(result.value);
  const again = repairJson(written);
  // Compared with JSON.parse and not with the value, because V8 confuses a key `"\\n"` with `"\\\\"` if an object with
  // the same other keys had that key.
  const isSame = again.ok && again.risk === 'none' && agrees(again.value, () => JSON.parse(written), written);
  return isSame ? undefined : { law: 'what was repaired needs no repair', detail: show(again) };
}

/** A cut valid document gives its certain part, and is never complete. */
function breaksPrefix(text: string, salt: number): Broken | undefined {
  const end = text.trimEnd().length;
  const begin = text.length - text.trimStart().length + 1;
  if (end <= begin) return undefined;
  const cut = text.slice(0, begin + (salt % (end - begin)));
  const expected = readPrefix(cut);
  const result = repairJson(cut, { stopped: 'length' });
  if (expected.found && isTooLarge(expected.value)) return undefined;
  const isSame = result.ok && expected.found && isSameValue(result.value, expected.value);
  if (!isSame) return { law: 'a cut document gives what is certain of it', detail: `${show(cut)} ${show(result)}` };
  return result.complete ? { law: 'a cut document is not complete', detail: show(cut) } : undefined;
}

/** Returns whether a value contains a number that no double can represent, so that it cannot be compared. */
function isTooLarge(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'number' && !Number.isFinite(next)) return true;
    if (typeof next === 'object' && next !== null) pending.push(...Object.values(next));
  }
  return false;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isTooLarge(value) ? undefined : { value };
  } catch {
    return undefined;
  }
}
