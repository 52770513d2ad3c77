import { asWritten } from '../../json/document/read-valid-document.ts';
import { repairAsDeclared } from '../../json/document/repair-json.ts';
import { graverRisk } from '../../json/machine/machine.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';
import { createRepair, type RepairSuccess, spanning } from '../../json/result/repair-result.ts';
import { hasDeclaredKey, hasRequired, type Shape } from '../../json/result/declared-shape.ts';
import { readAssignments } from '../notations/json/unwrapped-arguments.ts';
import type { CallableTool, Source, TextSpan, WrittenCall } from '../contract/envelope.ts';
import type { ExtractedCall, RejectedCall, RejectReason } from '../contract/extraction.ts';
import { shapeOf } from '../contract/argument-shape.ts';
import { dropsText } from '../notations/text-values.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import { fitArguments } from './fit-arguments.ts';
import { pairedArguments, placePositional, textArguments } from './place-arguments.ts';
import { rejectedCall } from './rejected-call.ts';
import { optionsFor } from '../source/growing-text.ts';
import { codesOf, isCallAgain, swallowsCall } from './swallowed-call.ts';
import { escapeOf, mapTexts } from './text-escapes.ts';

interface CallPlace {
  readonly envelope: string;
  readonly tier: 1 | 2 | 3;
  readonly start: number;
  readonly end: number;
}

/** The verdict on a written call: a call that may run, or a rejection. */
export type SettledCall =
  | { readonly ok: true; readonly call: ExtractedCall }
  | { readonly ok: false; readonly rejected: RejectedCall };

type ReadArguments = RepairSuccess & { readonly value: JsonObject };

/** Resolves the name of a written call and checks its arguments. */
export function settleCall(source: Source, written: WrittenCall, place: CallPlace): SettledCall {
  const { start, end, envelope, tier } = place;
  const tool = resolveName(source.tools, written.name);
  const reject = (reason: RejectReason): SettledCall => ({
    ok: false,
    rejected: rejectedCall(source.tools, reason, place, written.name),
  });
  if (written.name === undefined) return reject(written.ending === 'closed' ? 'invalid_json' : 'incomplete');
  if (tool === undefined) return reject('unknown_tool');
  if (written.isDefinition === true) return reject('mentioned');
  const isOpen = written.ending === 'open';
  const isCut = written.ending === 'cut' || (isOpen && written.hasClosingTag !== true && source.stopped !== 'stop');
  if (isCut) return reject('incomplete');
  const shape = shapeOf(tool);
  const codes = codesOf(written.repairs);
  // Code and tags can give an argument only once, so two calls seem to have merged. In `f(limit=10,000)`, one value has.
  const isMerged =
    codes.has('repeated-tag') ||
    codes.has('late-argument') ||
    (written.positional !== undefined && codes.has('duplicate-key'));
  if (isMerged || swallowsCall(source, written, shape) || hasLostTag(written, shape)) return reject('invalid_json');
  const read = readArguments(source, tool, shape, written, place);
  if (read === undefined) return reject('invalid_arguments');
  if (!read.complete) return reject('incomplete');
  const escape = escapeOf(written.name, read.value, written.repairs);
  const plain = escape === undefined ? read.value : (mapTexts(read.value, escape.remove) as JsonObject);
  const { value, fits } = fitArguments(plain, shape, written.repairs);
  if (isCallAgain(source, value, shape)) return reject('invalid_arguments');
  if (lacksValues(tool, shape, value, written, tier)) return reject('invalid_arguments');
  // `{"paths": ["a", ...]}`: further values were meant.
  if (codes.has('ellipsis') || codesOf(read.repairs).has('ellipsis')) return reject('incomplete');
  const own = spanning(
    [
      ...(tool.name === written.name
        ? []
        : [createRepair(written.name, 'tool-name', 'safe', 0, written.name.length, tool.name)]),
      ...(escape === undefined ? [] : [createRepair('', escape.code, 'safe', 0, 0)]),
      ...fits.map(({ code, risk }) => createRepair('', code, risk, 0, 0)),
    ],
    start,
    end,
  );
  const repairs =
    own.length + read.repairs.length > 0 ? [...own, ...written.repairs, ...read.repairs] : written.repairs;
  const risk = own.reduce((gravest, one) => graverRisk(gravest, one.risk), graverRisk(written.risk, read.risk));
  const call = { name: tool.name, arguments: value, envelope, start, end, risk, complete: !isOpen, repairs };
  return { ok: true, call };
}

/** Returns whether a value with a tag in it seems to include the next argument, whose opener is missing. */
function hasLostTag({ repairs, arguments: value }: WrittenCall, shape: Shape | undefined): boolean {
  const inner = repairs.filter(({ code }) => code === 'inner-tag');
  if (inner.length === 0) return false;
  // The value has no other closer, or the tag in it is not part of its text.
  if (repairs.some(({ code, start }) => code === 'missing-tag' && inner.some(({ end }) => end === start))) return true;
  return shape !== undefined && isJsonObject(value) && !hasRequired(value, shape);
}

/**
 * Returns whether required arguments are missing, or given as a placeholder in a bare call. A bare call needs all.
 */
function lacksValues(
  { aliases }: CallableTool,
  shape: Shape | undefined,
  value: JsonObject,
  { repairs }: WrittenCall,
  tier: 1 | 2 | 3,
): boolean {
  // `<ctrl46>`: a quote token that was not decoded.
  if (
    tier === 3 &&
    repairs.some(({ code, found }) => code === 'unquoted-string' && /^<(?:[^<>]*>$|ctrl\d)/.test(found))
  )
    return true;
  if (tier === 3 && shape?.required.some((key) => isPlaceholder(key, value[key])) === true) return true;
  if (tier !== 3 && !codesOf(repairs).has('missing-value')) return false;
  return (shape?.required ?? []).some((key) => {
    if (!Object.hasOwn(value, key))
      return tier === 3 && aliases?.[key]?.some((name) => Object.hasOwn(value, name)) !== true;
    // An opening tag with neither a value nor a closing tag.
    if (value[key] === '') return repairs.some(({ code, found }) => code === 'missing-value' && found === key);
    const { kinds } = shape?.member(key) ?? {};
    return value[key] === null && kinds !== undefined && !kinds.has('null');
  });
}

/** `"..."`, `"<city>"`, `"<the city>"` */
function isPlaceholder(key: string, value: JsonValue | undefined): boolean {
  if (typeof value !== 'string') return false;
  return value === `<${key}>` || /^(?:\.{3}|…|\?+|<[a-z]+[ _-][^<>/="]*>|<(?:missing|value|unknown)>)$/i.test(value);
}

function readArguments(
  source: Source,
  tool: CallableTool,
  shape: Shape | undefined,
  written: WrittenCall,
  place: TextSpan,
): ReadArguments | undefined {
  const { arguments: value, positional = [] } = written;
  if (positional.length > 0) {
    const named = isJsonObject(value) ? value : {};
    const texts = positional.filter((one) => typeof one === 'string');
    const assigned = texts.length === positional.length ? readAssignments(texts, tool) : undefined;
    const placed = assigned ?? placePositional(shape, positional, named);
    return placed && asWritten(placed);
  }
  const isEmptyList = Array.isArray(value) && value.length === 0 && (shape?.required ?? []).length === 0;
  const nonePattern = shape?.keys.length === 0 ? /^(?:none|null|n\/a|\W*)$/i : /^(?:\(?none\)?|null|n\/a|""|)$/i;
  const isNone = typeof value === 'string' && shape?.required.length === 0 && nonePattern.test(value.trim());
  if (value === undefined || value === null || isEmptyList || isNone) return asWritten<JsonObject>({});
  if (isJsonObject(value)) return asWritten(value);
  const guessed = (meant: JsonObject | undefined): ReadArguments | undefined =>
    meant && { ...asWritten(meant), risk: 'lossy' };
  if (typeof value !== 'string') return guessed(pairedArguments(shape, value));
  return (
    guessed(readAssignments([value], tool)) ??
    openArguments(source, value, shape, place) ??
    guessed(textArguments(shape, value))
  );
}

/** Reads arguments from a string that holds JSON. Its offsets are not those of the text, so each repair spans the call. */
function openArguments(
  source: Source,
  text: string,
  shape: Shape | undefined,
  { start, end }: TextSpan,
): ReadArguments | undefined {
  const result = repairAsDeclared(text, { root: 'object', shape, ...optionsFor(source, source.stopped) });
  if (!result.ok || !isJsonObject(result.value)) return undefined;
  const { repairs, value } = result;
  // `curl -d '{"a": 1}'`: the object is part of a text.
  const isDeclared = shape !== undefined && hasDeclaredKey(value, shape);
  if (!isDeclared && dropsText(repairs)) return undefined;
  return { ...result, value, repairs: spanning(repairs, start, end) };
}
