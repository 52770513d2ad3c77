import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { CallableTool } from './extraction.ts';
import { resolveName } from './resolve-name.ts';

/** A call object taken apart. */
export interface ShapedCall {
  readonly shape: 'flat' | 'openai-object' | 'name-as-key';
  /** The object that holds name and arguments. */
  readonly holder: JsonObject;
  readonly nameKey: string | undefined;
  readonly argumentsKey: string | undefined;
  readonly name: string | undefined;
  readonly arguments: JsonValue | undefined;
}

const NAME_KEYS = ['name', 'tool_name', 'function_name', 'tool', 'function', 'action'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'params', 'args', 'input', 'tool_input', 'action_input'];
const LIST_KEYS = ['tool_calls', 'calls'];
const WRAPPER_KEYS = ['function', 'tool_call', 'function_call'];
const DEEPEST = 4;

/** The calls that a value spells out, in any of the shapes that models use; none when it is something else. */
export function callsOf(value: JsonValue, tools: readonly CallableTool[], depth = 0): readonly ShapedCall[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item) => callsOf(item, tools, depth + 1));
  }
  if (!isJsonObject(value)) return [];
  const list = LIST_KEYS.find((key) => Array.isArray(value[key]));
  if (list !== undefined) {
    return callsOf(value[list] ?? null, tools, depth + 1).map((call) => ({ ...call, shape: 'openai-object' }));
  }
  const wrapper = WRAPPER_KEYS.find((key) => Object.hasOwn(value, key) && isJsonObject(value[key]));
  if (wrapper !== undefined && !hasName(value)) {
    return callsOf(value[wrapper] ?? null, tools, depth + 1).map((call) => ({ ...call, shape: 'openai-object' }));
  }
  return hasName(value) ? [flatCall(value)] : namedByKey(value, tools);
}

function hasName(value: JsonObject): boolean {
  return NAME_KEYS.some((key) => Object.hasOwn(value, key) && typeof value[key] === 'string');
}

function flatCall(holder: JsonObject): ShapedCall {
  const nameKey = NAME_KEYS.find((key) => Object.hasOwn(holder, key) && typeof holder[key] === 'string');
  const argumentsKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(holder, key));
  const name = nameKey === undefined ? undefined : holder[nameKey];
  return {
    shape: 'flat',
    holder,
    nameKey,
    argumentsKey,
    name: typeof name === 'string' ? name : undefined,
    arguments: argumentsKey === undefined ? undefined : holder[argumentsKey],
  };
}

/** `{"weather_at": {"city": "Bern"}}`: each key is a declared tool. */
function namedByKey(holder: JsonObject, tools: readonly CallableTool[]): readonly ShapedCall[] {
  const keys = Object.keys(holder);
  const areTools = keys.every((key) => isJsonObject(holder[key]) && resolveName(tools, key) !== undefined);
  if (keys.length === 0 || !areTools) return [];
  return keys.map((key) => ({
    shape: 'name-as-key',
    holder,
    nameKey: key,
    argumentsKey: key,
    name: key,
    arguments: holder[key],
  }));
}
