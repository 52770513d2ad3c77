import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';
import { hasDeclaredKey, hasRequired, type Shape } from './declared-shape.ts';

const argumentKeys = ['arguments', 'parameters', 'input', 'args', 'params', 'kwargs', 'tool_input'];
const wrapperKeys = ['function', 'tool_call', 'function_call', 'tool_use'];

/** Returns whether a value has all required keys of a schema, or at least a declared one. */
export function fits(value: JsonValue, shape: Shape): value is JsonObject {
  return (
    isJsonObject(value) && hasRequired(value, shape) && (shape.required.length > 0 || hasDeclaredKey(value, shape))
  );
}

/**
 * Returns the arguments inside a wrapper that the model added although only the arguments were requested. Returns
 * undefined if the value is not a wrapper. May return a string, because arguments are often encoded twice.
 */
export function insideWrapper(value: JsonValue, shape: Shape): JsonValue | undefined {
  if (Array.isArray(value)) return value.length === 1 ? takeIf(value[0], shape) : undefined;
  if (!isJsonObject(value) || hasDeclaredKey(value, shape) || fits(value, shape)) return undefined;
  const keys = Object.keys(value);
  for (const key of wrapperKeys) {
    const inner = Object.hasOwn(value, key) ? value[key] : undefined;
    const found = isJsonObject(inner) ? insideWrapper(inner, shape) : undefined;
    if (found !== undefined) return found;
  }
  for (const key of argumentKeys) {
    const found = Object.hasOwn(value, key) ? takeIf(value[key], shape) : undefined;
    if (found !== undefined) return found;
  }
  // The wrapper may be the name of a tool. `__proto__` is not such a name.
  const [name] = keys;
  return keys.length === 1 && name !== undefined && name !== '__proto__' ? takeIf(value[name], shape) : undefined;
}

function takeIf(inner: JsonValue | undefined, shape: Shape): JsonValue | undefined {
  if (typeof inner === 'string') return /^\s*\{/.test(inner) ? inner : undefined;
  return inner !== undefined && fits(inner, shape) ? inner : undefined;
}
