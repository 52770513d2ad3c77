import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';
import { graverRisk } from '../../json/machine/machine.ts';
import { repairJson } from '../../json/document/repair-json.ts';
import type { Repair, RepairRisk } from '../../json/result/repair-result.ts';
import type { Source, WrittenCall } from '../contract/envelope.ts';
import type { ExtractedCall, RejectReason, RejectedCall } from '../contract/extraction.ts';
import type { CallableTool } from '../contract/callable-tool.ts';
import { resolveName } from '../contract/resolve-name.ts';
import type { TextSpan } from '../source/text-span.ts';

/** Where a call stands and what it was written in. */
export interface CallPlace {
  readonly envelope: string;
  readonly tier: 1 | 2 | 3;
  readonly start: number;
  readonly end: number;
}

/** A written call judged: one that may run, or the reason why it is none. */
export type SettledCall =
  | { readonly ok: true; readonly call: ExtractedCall }
  | { readonly ok: false; readonly rejected: RejectedCall };

interface ReadArguments {
  readonly value: JsonObject;
  readonly isClosed: boolean;
  readonly risk: 'none' | RepairRisk;
  readonly repairs: readonly Repair[];
}

/** Looks up the name of a written call and judges its arguments. */
export function settleCall(source: Source, written: WrittenCall, place: CallPlace): SettledCall {
  const { start, end, envelope, tier } = place;
  const reject = (reason: RejectReason, name = written.name): SettledCall => ({
    ok: false,
    rejected: { reason, start, end, ...(name === undefined ? {} : { name }) },
  });
  if (written.name === undefined) return reject(written.ending === 'closed' ? 'invalid_json' : 'incomplete');
  const resolved = resolveName(source.tools, written.name);
  if (resolved === undefined) return reject('unknown_tool');
  const { tool, isExact } = resolved;
  const isOpen = written.ending === 'open';
  const isCut = written.ending === 'cut' || (isOpen && written.isTagged !== true && source.stopped !== 'stop');
  if (isCut) return reject('incomplete', tool.name);
  const read = readArguments(source, tool, written, place);
  if (read === undefined) return reject('invalid_arguments', tool.name);
  if (!read.isClosed) return reject('incomplete', tool.name);
  if (tier === 3 && !hasRequired(tool, read.value)) return reject('invalid_arguments', tool.name);
  const renamed: readonly Repair[] = isExact ? [] : [renaming(written.name, tool.name, start, end)];
  const hasOwn = renamed.length > 0 || read.repairs.length > 0;
  const repairs = hasOwn ? [...renamed, ...written.repairs, ...read.repairs] : written.repairs;
  const risk = graverRisk(isExact ? 'none' : 'safe', graverRisk(written.risk, read.risk));
  const call = { name: tool.name, arguments: read.value, envelope, start, end, risk, complete: !isOpen, repairs };
  return { ok: true, call };
}

function renaming(found: string, assumed: string, start: number, end: number): Repair {
  return { code: 'tool-name', start, end, found: found.slice(0, 60), assumed, risk: 'safe' };
}

function readArguments(
  source: Source,
  tool: CallableTool,
  written: WrittenCall,
  place: TextSpan,
): ReadArguments | undefined {
  const plain = (value: JsonObject): ReadArguments => ({ value, isClosed: true, risk: 'none', repairs: [] });
  const { arguments: value, positional = [] } = written;
  if (positional.length > 0) {
    const named = isJsonObject(value) ? value : {};
    const placed = placePositional(tool, positional, named);
    return placed === undefined ? undefined : plain(placed);
  }
  if (value === undefined || value === null) return plain({});
  if (isJsonObject(value)) return plain(value);
  return typeof value === 'string' ? openArguments(source, value, place) : undefined;
}

/** Arguments written as a string that holds JSON. Offsets in it are not those of the text: its repairs span the call. */
function openArguments(source: Source, text: string, { start, end }: TextSpan): ReadArguments | undefined {
  const { stopped, limits } = source;
  const result = repairJson(text, {
    root: 'object',
    ...(stopped === undefined ? {} : { stopped }),
    ...(limits === undefined ? {} : { limits }),
  });
  if (!result.ok || !isJsonObject(result.value)) return undefined;
  return {
    value: result.value,
    isClosed: result.complete,
    risk: result.risk,
    repairs: result.repairs.map((repair) => ({ ...repair, start, end })),
  };
}

/** Values given by position go to the properties in the order in which the schema declares them. */
function placePositional(
  tool: CallableTool,
  positional: readonly JsonValue[],
  named: JsonObject,
): JsonObject | undefined {
  const [only] = positional;
  if (positional.length === 1 && isJsonObject(only) && Object.keys(named).length === 0) return only;
  const free = propertyNames(tool).filter((name) => !Object.hasOwn(named, name));
  if (free.length < positional.length) return undefined;
  const placed = positional.map((value, index): [string, JsonValue] => [free[index] ?? '', value]);
  return Object.fromEntries([...placed, ...Object.entries(named)]);
}

function propertyNames({ parameters }: CallableTool): readonly string[] {
  if (typeof parameters !== 'object' || typeof parameters.properties !== 'object') return [];
  return Object.keys(parameters.properties ?? {});
}

/** Whether every argument that the tool's schema requires is there. */
export function hasRequired({ parameters }: CallableTool, value: JsonObject): boolean {
  if (typeof parameters !== 'object' || !Array.isArray(parameters.required)) return true;
  return parameters.required.every((key) => typeof key !== 'string' || Object.hasOwn(value, key));
}
