import { createShape, type Shape } from '../../json/result/shape.ts';
import type { CallableTool } from './envelope.ts';
import { resolveName } from './resolve-name.ts';

/** Returns the declared shape of the arguments of a tool. */
export function shapeOf(tool: Partial<CallableTool> | undefined): Shape | undefined {
  return tool?.parameters === undefined ? undefined : createShape(tool.parameters);
}

/** Returns the declared shape of the arguments of the tool with a written name. */
export function argumentsShape(tools: readonly CallableTool[], name: string | undefined): Shape | undefined {
  return name === undefined ? undefined : shapeOf(resolveName(tools, name)?.tool);
}

/** Returns whether a tool declares an argument. */
export function declares(tool: CallableTool | undefined, key: string): boolean {
  return shapeOf(tool)?.hasMember(key) === true;
}
