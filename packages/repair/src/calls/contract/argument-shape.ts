import { createShape, type Shape } from '../../json/result/declared-shape.ts';
import { isJsonObject, type JsonValue } from '../../json/result/json-value.ts';
import type { CallableTool } from './envelope.ts';
import { resolveName } from './resolve-tool-name.ts';

/** Returns the declared shape of the arguments of a tool. */
export function shapeOf(tool: Partial<CallableTool> | undefined): Shape | undefined {
  return createShape(tool?.parameters);
}

/** Returns the declared shape of the arguments of the tool with a written name. */
export function argumentsShape(tools: readonly CallableTool[], name: string | undefined): Shape | undefined {
  return shapeOf(resolveName(tools, name));
}

/** Returns whether a value may be the arguments of a tool: at least half of its keys are declared, and it has keys if the tool requires some. */
export function mayBeArguments(value: JsonValue | undefined, shape: Shape | undefined): boolean {
  if (shape === undefined) return true;
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  if (keys.length === 0) return shape.required.length === 0;
  return keys.filter((key) => shape.hasMember(key)).length * 2 >= keys.length;
}

/** Returns whether a tool declares an argument. */
export function declares(tool: CallableTool | undefined, key: string): boolean {
  return shapeOf(tool)?.hasMember(key) === true;
}
