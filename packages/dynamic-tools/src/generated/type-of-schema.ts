import type { PlainData } from '../copy-data.ts';

const plain: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};
const deepest = 12;

/**
 * Writes the TypeScript type of a JSON Schema's values; `unknown` for what it does not know. Texts of the schema become
 * string literals, never names.
 */
export function typeOfSchema(schema: PlainData | undefined, depth = 0): string {
  if (!isRecord(schema) || depth > deepest) return 'unknown';
  const { const: constant, enum: choices, anyOf, oneOf, type } = schema;
  if (constant !== undefined) return literalType(constant);
  if (Array.isArray(choices)) return union(choices.map(literalType));
  const options = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (options) return union(options.map((option) => typeOfSchema(option, depth + 1)));
  if (Array.isArray(type)) return union(type.map((one) => typeOfSchema({ ...schema, type: one }, depth + 1)));
  if (type === 'array') return `readonly (${typeOfSchema(schema['items'], depth + 1)})[]`;
  if (type === 'object' || isRecord(schema['properties'])) return objectType(schema, depth);
  return typeof type === 'string' && Object.hasOwn(plain, type) ? plain[type]! : 'unknown';
}

function objectType(schema: Readonly<Record<string, PlainData>>, depth: number): string {
  const { properties, required, additionalProperties } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = isRecord(properties) ? Object.entries(properties) : [];
  const written = members.map(([name, value]) => {
    const mark = needed.includes(name) ? '' : '?';
    return `readonly ${JSON.stringify(name)}${mark}: ${typeOfSchema(value, depth + 1)};`;
  });
  const isOpen = members.length === 0 && additionalProperties !== false;
  if (isOpen) return `Readonly<Record<string, ${typeOfSchema(additionalProperties, depth + 1)}>>`;
  return written.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${written.join(' ')} }`;
}

function literalType(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' && Number.isFinite(value) ? literalNumber(value) : 'unknown';
}

/** Infinity and the like are no literals, and a negative zero is no type of its own. */
function literalNumber(value: number): string {
  return Object.is(value, -0) ? '0' : String(value);
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 0 ? 'never' : distinct.includes('unknown') ? 'unknown' : distinct.join(' | ');
}

function isRecord(value: unknown): value is Readonly<Record<string, PlainData>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
