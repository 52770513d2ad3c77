import type { JsonObject, JsonSchema, JsonValue } from '@haft/repair';

import { createMaterial } from '../../material/material.ts';
import type { Random } from '../../random.ts';
import { shapes } from '../../json-documents/shapes.ts';

/** A call that a text contains. */
export interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A tool that a model was offered. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

const noArguments: OfferedTool = {
  name: 'ping',
  description: 'no arguments',
  parameters: { type: 'object', properties: {} },
};

/** Every tool that generated texts may call. */
export const offeredTools: readonly OfferedTool[] = [
  ...shapes.map(({ name, schema }) => ({ name, description: name.replaceAll('_', ' '), parameters: schema })),
  noArguments,
];

/** Creates a call of some tool; occasionally of the one without arguments. */
export function makeCall(random: Random): Call {
  if (random.chance(0.08)) return { name: noArguments.name, arguments: {} };
  const shape = random.pick(shapes);
  return { name: shape.name, arguments: shape.make(createMaterial(random), random) };
}

/** Returns the call with trimmed texts, for notations that do not keep surrounding white space. */
export function trimTexts(call: Call): Call {
  return { name: call.name, arguments: trim(call.arguments) as JsonObject };
}

function trim(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trim);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, trim(member)]));
}

/** Returns every text in the arguments. */
export function textsOf(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** Returns every key in the arguments, at any depth. */
export function keysOf(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(keysOf)];
}

/** Whether the schema declares the type of each argument, so that it can be distinguished from similar text. */
export function isTyped({ name }: Call): boolean {
  return name !== 'store_value';
}
