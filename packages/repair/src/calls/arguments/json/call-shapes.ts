import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import type { CallableTool } from '../../contract/callable-tool.ts';
import { resolveName } from '../../contract/resolve-name.ts';

/** A call object taken apart. */
export interface ShapedCall {
  readonly shape: 'flat' | 'openai-object' | 'name-as-key';
  /** Where in the value it stands: containers in lists are counted, keys are named. */
  readonly path: string;
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

/** How deep in lists and wrappers a call may stand. */
export const DEEPEST_CALL = 4;

/** How well a key says that its value is the name of a tool: the least is best, and -1 says that it does not. */
export function nameRank(key: string): number {
  return NAME_KEYS.indexOf(key);
}

/** Whether the arguments of a call may stand under a key. */
export function isArgumentsKey(key: string): boolean {
  return ARGUMENT_KEYS.includes(key);
}

/** Whether a list of calls may stand under a key. */
export function isListKey(key: string): boolean {
  return LIST_KEYS.includes(key);
}

/** Whether an object around a call may stand under a key. */
export function isWrapperKey(key: string): boolean {
  return WRAPPER_KEYS.includes(key);
}

/**
 * The calls that a value spells out, in any of the shapes that models use; none when it is something else. What an object
 * is, is decided by its members in the order in which they were written, so that a reader can tell before its end.
 */
export function callsOf(value: JsonValue, tools: readonly CallableTool[], path = '', depth = 0): readonly ShapedCall[] {
  if (depth > DEEPEST_CALL) return [];
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[])
      .filter((item) => typeof item === 'object' && item !== null)
      .flatMap((item, index) => callsOf(item, tools, `${path}/${index}`, depth + 1));
  }
  if (!isJsonObject(value)) return [];
  const inner = innerKey(value);
  if (inner !== undefined) {
    const calls = callsOf(value[inner] ?? null, tools, `${path}/${inner}`, depth + 1);
    return calls.map((call) => ({ ...call, shape: 'openai-object' }));
  }
  return Object.keys(value).some((key) => isNameIn(value, key))
    ? [flatCall(value, path)]
    : namedByKey(value, tools, path);
}

/** The key under which the call or the list of calls stands that an object is wrapped around. */
function innerKey(value: JsonObject): string | undefined {
  let hasName = false;
  let hasArguments = false;
  for (const key of Object.keys(value)) {
    const member = value[key];
    hasName ||= isNameIn(value, key);
    hasArguments ||= isArgumentsKey(key);
    if (hasName && hasArguments) return undefined;
    if (isListKey(key) && Array.isArray(member)) return key;
    if (isWrapperKey(key) && !hasName && isJsonObject(member)) return key;
  }
  return undefined;
}

function isNameIn(value: JsonObject, key: string): boolean {
  return nameRank(key) !== -1 && typeof value[key] === 'string';
}

/** Arguments are what is under the first fitting key that holds an object; the name is the best one before them. */
function flatCall(holder: JsonObject, path: string): ShapedCall {
  const keys = Object.keys(holder);
  const fitting = keys.filter((key) => isArgumentsKey(key));
  const argumentsKey =
    fitting.find((key) => isJsonObject(holder[key])) ?? ARGUMENT_KEYS.find((key) => Object.hasOwn(holder, key));
  const names = keys.filter((key) => isNameIn(holder, key));
  const firstArguments = keys.findIndex((key) => isArgumentsKey(key));
  const before = names.filter((key) => firstArguments === -1 || keys.indexOf(key) < firstArguments);
  const nameKey = before.reduce<string | undefined>(betterName, undefined) ?? names[0];
  const name = nameKey === undefined ? undefined : holder[nameKey];
  return {
    shape: 'flat',
    path,
    holder,
    nameKey,
    argumentsKey,
    name: typeof name === 'string' ? name : undefined,
    arguments: argumentsKey === undefined ? undefined : holder[argumentsKey],
  };
}

function betterName(best: string | undefined, key: string): string {
  return best === undefined || nameRank(key) < nameRank(best) ? key : best;
}

/** `{"weather_at": {"city": "Bern"}}`: each key is a declared tool. */
function namedByKey(holder: JsonObject, tools: readonly CallableTool[], path: string): readonly ShapedCall[] {
  const keys = Object.keys(holder);
  const areTools = keys.every((key) => isJsonObject(holder[key]) && resolveName(tools, key) !== undefined);
  if (keys.length === 0 || !areTools) return [];
  return keys.map((key) => ({
    shape: 'name-as-key',
    path: `${path}/${key}`,
    holder,
    nameKey: key,
    argumentsKey: key,
    name: key,
    arguments: holder[key],
  }));
}
