import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import type { CallableTool } from '../../contract/envelope.ts';
import { shapeOf } from '../../contract/argument-shape.ts';
import { resolveName } from '../../contract/resolve-tool-name.ts';
import { CallMembers, isKeyOf, maxCallDepth } from './json-call-keys.ts';
import { flatArguments, hasOwnArguments, pairArguments } from './unwrapped-arguments.ts';

export interface ShapedCall {
  /** Whether it is inside another object, as in `{"function": {…}}`. */
  readonly isWrapped?: boolean;
  /** The object or list that contains the name and the arguments. */
  readonly holder: JsonValue;
  readonly nameKey: string | undefined;
  readonly argumentsKey: string | undefined;
  readonly name: string | undefined;
  readonly arguments: JsonValue | undefined;
  /** Whether it describes the tool instead of calling it. */
  readonly isDefinition?: boolean;
}

/**
 * Returns the calls in a value, in any of the shapes that models use, or an empty list. The order of its members
 * determines what an object is, so that `CallFollower` has the same result before the value ends.
 */
export function callsOf(
  value: JsonValue | undefined,
  tools: readonly CallableTool[],
  depth = 0,
): readonly ShapedCall[] {
  if (depth > maxCallDepth) return [];
  if (Array.isArray(value)) {
    const pair = pairCall(value as readonly JsonValue[], tools);
    if (pair !== undefined) return [pair];
    // A history of messages.
    if ((value as readonly JsonValue[]).some((item) => isJsonObject(item) && item['role'] === 'user')) return [];
    return (value as readonly JsonValue[]).flatMap((item) => callsOf(item, tools, depth + 1));
  }
  if (!isJsonObject(value)) return [];
  const members = membersOf(value);
  const { innerKey, nameKey } = members;
  if (innerKey !== undefined) {
    const calls = callsOf(value[innerKey], tools, depth + 1);
    const [only] = calls;
    if (only !== undefined && calls.length === 1 && only.arguments === undefined) {
      // `{"function": {"name": "weather_at"}, "arguments": {"city": "Bern"}}`
      // The name is the inner one, whatever else has a name.
      const named = only.holder as JsonObject;
      const call = { ...flatCall({ ...named, ...value, ...named }, tools), holder: value };
      if (isJsonObject(call.arguments)) return [call];
    }
    return calls.map((call) => ({ ...call, isWrapped: true }));
  }
  const forwarded = forwardedCalls(value);
  if (forwarded !== undefined) return callsOf(forwarded, tools, depth + 1);
  if (nameKey === undefined) return namedByKey(value, tools);
  const call = flatCall(value, tools, members);
  const isData = isKeyOf('weakName', call.nameKey ?? '') && resolveName(tools, call.name) === undefined;
  return isData ? [] : severalTimes(call, tools);
}

/** `{"arguments": {"city": "Ulm"}}`, `{"city": "Ulm"}`: returns whether a value is the arguments of a tool, without its name. */
export function lacksName(value: JsonValue | undefined, tools: readonly CallableTool[]): boolean {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const areArguments = (one: JsonValue | undefined): boolean => tools.some((tool) => hasOwnArguments(one, tool));
  return items.some((item) => {
    if (!isJsonObject(item)) return false;
    const [key = '', ...others] = Object.keys(item).filter((one) => !isKeyOf('meta', one));
    return areArguments(item) || (others.length === 0 && isKeyOf('arguments', key) && areArguments(item[key]));
  });
}

const forwarderPattern = /^(?:functions\.)?(?:multi_tool_use\b|tools\/call$|(?:call|use)_(?:mcp_)?(?:tool|function)$)/;

/** `{"method": "tools/call", "params": {"name": …}}`: a protocol makes the call on behalf of the model. */
function forwardedCalls(value: JsonObject): JsonObject | undefined {
  const members = Object.values(value);
  if (!members.some((member) => typeof member === 'string' && forwarderPattern.test(member))) return undefined;
  return members.find((member) => isJsonObject(member) && (Array.isArray(member['tool_uses']) || 'name' in member)) as
    | JsonObject
    | undefined;
}

/** `"arguments": [{"city": "Ulm"}, {"city": "Bonn"}]`: a call for each object. */
function severalTimes(call: ShapedCall, tools: readonly CallableTool[]): readonly ShapedCall[] {
  const tool = resolveName(tools, call.name);
  const items = Array.isArray(call.arguments) ? (call.arguments as readonly JsonValue[]) : [];
  const areCalls = tool !== undefined && items.length > 0 && items.every((item) => hasOwnArguments(item, tool));
  return areCalls ? items.map((item) => ({ ...call, arguments: item })) : [call];
}

function membersOf(holder: JsonObject): CallMembers {
  const members = new CallMembers();
  for (const key of Object.keys(holder)) members.add(key, holder[key]);
  return members;
}

function flatCall(holder: JsonObject, tools: readonly CallableTool[], members = membersOf(holder)): ShapedCall {
  const { nameKey, name, argumentsKey } = members;
  const value = argumentsKey === undefined ? undefined : holder[argumentsKey];
  const names = isJsonObject(value) ? [] : Object.keys(holder).filter((key) => isKeyOf('name', key));
  const unwrapped = flatArguments(holder, names, tools);
  if (unwrapped !== undefined) {
    const { nameKey: own, name: called, value: beside } = unwrapped;
    return { holder, nameKey: own, argumentsKey: undefined, name: called, arguments: beside };
  }
  const tool = resolveName(tools, name);
  return { holder, nameKey, argumentsKey, name, arguments: value, isDefinition: isDefinition(value, tool, holder) };
}

/** `["tide_level", {"port": "Brest"}]` */
function pairCall(list: readonly JsonValue[], tools: readonly CallableTool[]): ShapedCall | undefined {
  const [name] = list;
  if (typeof name !== 'string' || list.length === 1) return undefined;
  const tool = resolveName(tools, name);
  const value = tool && pairArguments(list.slice(1), tool);
  const call = { holder: list, nameKey: undefined, argumentsKey: undefined, name } as const;
  return value && { ...call, arguments: value };
}

/** `{"weather_at": {"city": "Bern"}}`: each key is a declared tool, with arguments, their JSON text, or a list of them. */
function namedByKey(holder: JsonObject, tools: readonly CallableTool[]): readonly ShapedCall[] {
  const keys = Object.keys(holder);
  const areTools = keys.every((key) => argumentsUnder(holder, key) !== undefined && resolveName(tools, key));
  if (!areTools) return [];
  return keys.flatMap((key) => {
    const all = argumentsUnder(holder, key) ?? [];
    const base = { holder, nameKey: key, argumentsKey: key, name: key };
    const tool = resolveName(tools, key);
    return all.map((one) => ({ ...base, arguments: one, isDefinition: isDefinition(one, tool) }));
  });
}

function argumentsUnder(holder: JsonObject, key: string): readonly JsonValue[] | undefined {
  const value = holder[key];
  if (isJsonObject(value) || (typeof value === 'string' && objectText.test(value))) return [value];
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  return items.length > 0 && items.every((item) => isJsonObject(item)) ? items : undefined;
}

/** Arguments as encoded JSON, as some interfaces write them. */
const objectText = /^\s*\{[^]*\}\s*$/;

// Keys of a log, in which a call was recorded.
const recordKey = /^(?:level|logger|event|output|result|ms|took|elapsed|latency|duration|timestamp)(?:_?ms)?$/i;
// The description of an argument: `the city (string, required)`.
const typeNote = /\((?:string|int(?:eger)?|number|float|bool(?:ean)?|array|list|object|optional|required)\b[^()]*\)$/i;
const typeNames: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

// The keys of a JSON Schema that describes an object without members.
const schemaKeys = new Set(['type', 'required', 'additionalProperties', '$schema', 'title', 'description']);

/** Returns whether arguments describe a tool: they are a JSON Schema, or the object that holds them has a description. */
export function isDefinition(
  value: JsonValue | undefined,
  tool: CallableTool | undefined,
  holder: JsonObject = {},
): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (typeof holder['description'] === 'string' || Object.keys(holder).some((key) => recordKey.test(key))) return true;
  if (!isJsonObject(value)) return false;
  const shape = shapeOf(tool);
  const isOwn = (key: string): boolean => shape?.hasMember(key) === true;
  const { type, properties } = value;
  if (typeNames.has(type) && isJsonObject(properties) && !(isOwn('type') && isOwn('properties'))) return true;
  const keys = Object.keys(value);
  if (type === 'object' && shape !== undefined && keys.every((key) => schemaKeys.has(key) && !isOwn(key))) return true;
  return keys.length > 0 && keys.every((key) => isType(value[key], key, shape?.member(key)?.kinds));
}

/** `{"type": "string", …}` without a value, the name of the declared type, or a description */
function isType(value: JsonValue | undefined, key: string, kinds: ReadonlySet<string> | undefined): boolean {
  if (typeof value === 'string') return (key !== 'type' && kinds?.has(value) === true) || typeNote.test(value);
  const { type, value: own } = isJsonObject(value) ? value : {};
  return typeNames.has(type) && own === undefined && kinds?.has('object') !== true;
}
