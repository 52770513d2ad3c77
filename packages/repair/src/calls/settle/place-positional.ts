import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';
import type { Shape } from '../../json/result/shape.ts';

/** Values given by position go to the properties in the order in which the schema declares them. */
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
  if (free.length < positional.length) return undefined;
  const placed = positional.map((value, index): [string, JsonValue] => [free[index] ?? '', value]);
  return Object.fromEntries([...placed, ...Object.entries(named)]);
}

/** The one required argument, if that is an object and the value has none of the tool's own arguments. */
function soleObject(shape: Shape | undefined, value: JsonObject): string | undefined {
  const [key, ...others] = shape?.required ?? [];
  if (shape === undefined || key === undefined || others.length > 0) return undefined;
  const takesObject = shape.member(key)?.kinds?.has('object') === true;
  return takesObject && !Object.keys(value).some((name) => shape.hasMember(name)) ? key : undefined;
}
