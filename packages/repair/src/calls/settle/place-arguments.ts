import { repairJson } from '../../json/document/repair-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';
import { hasDeclaredKey, type Shape } from '../../json/result/declared-shape.ts';

/** Assigns values that were given by position to the properties, in the order of their declaration. */
export function placePositional(
  shape: Shape | undefined,
  positional: readonly JsonValue[],
  named: JsonObject,
): JsonObject | undefined {
  const [only] = positional;
  if (positional.length === 1 && isJsonObject(only) && Object.keys(named).length === 0) {
    const sole = soleObject(shape, only);
    return sole === undefined ? only : { [sole]: only };
  }
  const free = (shape?.keys ?? []).filter((name) => !Object.hasOwn(named, name));
  // `f(amount=80, **{"from": "CHF"})`: if the next argument takes no object, the members are the remaining arguments.
  const rest = positional.length === 1 && isJsonObject(only) ? only : {};
  const isRest = Object.keys(rest).length > 0 && shape?.member(free[0] ?? '')?.kinds?.has('object') === false;
  if (isRest && Object.keys(rest).every((key) => free.includes(key))) return { ...named, ...rest };
  if (free.length < positional.length) return undefined;
  const placed = positional.map((value, index): [string, JsonValue] => [free[index] ?? '', value]);
  return Object.fromEntries([...placed, ...Object.entries(named)]);
}

/** Returns the only required argument if it is an object and the value holds no argument of the tool. */
function soleObject(shape: Shape | undefined, value: JsonObject): string | undefined {
  const [key, ...others] = shape?.required ?? [];
  if (shape === undefined || key === undefined || others.length > 0) return undefined;
  const takesObject = shape.member(key)?.kinds?.has('object') === true;
  return takesObject && !hasDeclaredKey(value, shape) ? key : undefined;
}

/** `"arguments": "Bled"`: returns the text as the only required argument of the tool, or as its only argument. */
export function textArguments(shape: Shape | undefined, text: string): JsonObject | undefined {
  if (shape === undefined || /^["'`\s]*(?:[{[]|$)/.test(text)) return undefined;
  // Lines with labels, such as `city: Bled`, are not one text.
  const label = /^([A-Za-z_]\w*)[ \t]*:/.exec(text)?.[1];
  if (label !== undefined && shape.hasMember(label)) return undefined;
  // `<parameters>city</parameters>`
  if (shape.hasMember(text.trim())) return undefined;
  const [key, ...others] = shape.required.length > 0 ? shape.required : shape.keys;
  return key !== undefined && others.length === 0 ? { [key]: withoutQuotes(text) } : undefined;
}

function withoutQuotes(text: string): string {
  const result = /^(?:"(?:[^"\\]|\\.)*"|'[^'\\]*')$/.test(text) ? repairJson(text) : undefined;
  return result?.ok === true && typeof result.value === 'string' ? result.value : text;
}

/** `"arguments": [{"name": "city", "value": "Bled"}]`: reads pairs of a declared name and a value. */
export function pairedArguments(shape: Shape | undefined, list: JsonValue): JsonObject | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const entries: (readonly [string, JsonValue])[] = [];
  for (const pair of list as readonly JsonValue[]) {
    const { name, value } = isJsonObject(pair) && Object.keys(pair).length === 2 ? pair : {};
    if (typeof name !== 'string' || value === undefined || shape?.hasMember(name) !== true) return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}
