import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import { hasDeclaredKey, hasRequired, type Shape } from '../../../json/result/declared-shape.ts';
import type { CallableTool } from '../../contract/envelope.ts';
import { shapeOf } from '../../contract/argument-shape.ts';
import { resolveName } from '../../contract/resolve-tool-name.ts';
import { readPlainCode } from '../code/read-plain-code.ts';
import { isKeyOf } from './json-call-keys.ts';

/** `{"name": "tide_level", "port": "Poole"}`: returns the declared members next to the first key with a tool's name. */
export function flatArguments(
  holder: JsonObject,
  names: readonly string[],
  tools: readonly CallableTool[],
): { readonly nameKey: string; readonly name: string; readonly value: JsonObject } | undefined {
  for (const nameKey of names) {
    const name = holder[nameKey];
    const tool = typeof name === 'string' ? resolveName(tools, name) : undefined;
    if (typeof name !== 'string' || tool === undefined) continue;
    const shape = shapeOf(tool);
    const value = membersBeside(holder, nameKey, shape);
    return hasOwnArguments(value, tool) ? { nameKey, name, value } : undefined;
  }
  return undefined;
}

const thought =
  /^_?(?:thoughts?|thinking|reason(?:ing)?|explanation|rationale|description|comment|confidence|intent|timestamp|server|requires_approval)$/i;

/** Returns the members of a call other than its name, and thoughts and metadata that are no arguments. */
function membersBeside(holder: JsonObject, nameKey: string | undefined, shape: Shape | undefined): JsonObject {
  const isPart = (key: string): boolean =>
    key === nameKey || ((isKeyOf('meta', key) || thought.test(key)) && shape?.hasMember(key) !== true);
  return Object.fromEntries(Object.entries(holder).filter(([key]) => !isPart(key)));
}

/**
 * `{"name": "tide_level", "port": "Poole", "unit": "m"}`, `{"name": "tide_level", "payload": {"port": "Poole"}}`: returns the
 * members of a call without a key for arguments if they include all required ones, an empty object if the call has no
 * such members, and otherwise undefined.
 */
export function looseArguments(
  holder: JsonObject,
  nameKey: string | undefined,
  tool: CallableTool,
  tools: readonly CallableTool[],
): JsonObject | undefined {
  const shape = shapeOf(tool);
  // `{"type": "shell", "command": "ls"}` may name either tool.
  const type = isKeyOf('weakName', nameKey ?? '') ? holder['type'] : undefined;
  if (typeof type === 'string' && resolveName(tools, type) !== undefined) return undefined;
  const value = membersBeside(holder, nameKey, shape);
  const [[key, only] = ['', null], ...others] = Object.entries(value);
  const isEmpty = (one: JsonValue): boolean =>
    one === null || one === '' || (isJsonObject(one) && Object.keys(one).length === 0);
  if (Object.values(value).every(isEmpty) || shape?.keys.length === 0) return {};
  if (others.length === 0 && shape?.hasMember(key) !== true && hasOwnArguments(only, tool)) return only;
  return shape !== undefined && hasDeclaredKey(value, shape) && hasRequired(value, shape) ? value : undefined;
}

/** Reads the values after a name in a list: one object of arguments, or texts that each assign one, `port="Zadar"`. */
export function pairArguments(rest: readonly JsonValue[], tool: CallableTool): JsonObject | undefined {
  const [only] = rest;
  if (rest.length === 1 && hasOwnArguments(only, tool)) return only;
  return rest.every((item) => typeof item === 'string') ? readAssignments(rest, tool) : undefined;
}

/** Reads texts that each assign a value to a declared argument. Returns undefined for anything else. */
export function readAssignments(texts: readonly string[], tool: CallableTool): JsonObject | undefined {
  if (!texts.every((text) => /^\s*[A-Za-z_]\w*\s*=(?!=)/.test(text))) return undefined;
  const found = readPlainCode(`${texts.join(',')})`, 0, tool, {});
  const value = found?.positional.length === 0 ? found.root : undefined;
  return hasOwnArguments(value, tool) ? value : undefined;
}

/** Returns whether a value is an object of arguments that a tool declares, with all that it requires. */
export function hasOwnArguments(value: JsonValue | undefined, tool: CallableTool): value is JsonObject {
  const shape = shapeOf(tool);
  if (shape === undefined || !isJsonObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => shape.hasMember(key)) && hasRequired(value, shape);
}
