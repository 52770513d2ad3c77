import type { PlainData } from '../../copy-data.ts';

const plain: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};
const maxDepth = 12;
const identifier = /^[A-Za-z_$][\w$]*$/;

/** How to write a type. */
export interface TypeStyle {
  /** Output for readers: without `readonly`, and with quoted names only where required. Default false. */
  readonly isBrief?: boolean;
}

/**
 * Returns the TypeScript type of a JSON Schema's values, and `unknown` for schemas that it can't express. Texts of the
 * schema become string literals, never names, unless the style is brief and they are identifiers.
 */
export function typeOfSchema(schema: PlainData | undefined, style: TypeStyle = {}, depth = 0): string {
  if (!isRecord(schema) || depth > maxDepth) return 'unknown';
  const within = (inner: PlainData | undefined): string => typeOfSchema(inner, style, depth + 1);
  const { const: constant, enum: choices, anyOf, oneOf, type } = schema;
  if (constant !== undefined) return literalType(constant);
  if (Array.isArray(choices)) return union(choices.map(literalType));
  const options = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (options) return union(options.map(within));
  if (Array.isArray(type)) return union(type.map((one) => within({ ...schema, type: one })));
  if (type === 'array') {
    const items = within(schema['items']);
    if (style.isBrief === true) return items.includes(' | ') ? `(${items})[]` : `${items}[]`;
    return `readonly (${items})[]`;
  }
  if (type === 'object' || isRecord(schema['properties'])) return objectType(schema, style, within);
  return typeof type === 'string' && Object.hasOwn(plain, type) ? plain[type]! : 'unknown';
}

function objectType(
  schema: Readonly<Record<string, PlainData>>,
  { isBrief = false }: TypeStyle,
  within: (inner: PlainData | undefined) => string,
): string {
  const { properties, required, additionalProperties } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = isRecord(properties) ? Object.entries(properties) : [];
  const written = members.map(([name, value]) => {
    const mark = needed.includes(name) ? '' : '?';
    const key = isBrief && identifier.test(name) ? name : JSON.stringify(name);
    return `${isBrief ? '' : 'readonly '}${key}${mark}: ${within(value)}`;
  });
  const isOpen = members.length === 0 && additionalProperties !== false;
  const record = isOpen ? `Record<string, ${within(additionalProperties)}>` : 'Record<string, never>';
  if (written.length > 0)
    return isBrief ? `{ ${written.join('; ')} }` : `{ ${written.map((one) => `${one};`).join(' ')} }`;
  return isBrief ? record : `Readonly<${record}>`;
}

function literalType(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' && Number.isFinite(value) ? literalNumber(value) : 'unknown';
}

/** `Infinity` and the like are not literals, and negative zero has no type of its own. */
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
