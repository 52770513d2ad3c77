/** Returns arguments to begin with: defaults, constants, first enum values, and empty values of the required keys. */
export function exampleArguments(schema: unknown): unknown {
  return exampleOf(schema, 0) ?? {};
}

const maxDepth = 6;

function exampleOf(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > maxDepth) return undefined;
  if ('default' in schema) return schema['default'];
  if ('const' in schema) return schema['const'];
  const [first] = listOf(schema['examples']);
  if (first !== undefined) return first;
  const [value] = listOf(schema['enum']);
  if (value !== undefined) return value;
  const [alternative] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  if (alternative !== undefined) return exampleOf(alternative, depth + 1);
  const type = Array.isArray(schema['type']) ? (schema['type'] as readonly unknown[])[0] : schema['type'];
  if (type === 'object' || isObject(schema['properties'])) return exampleObject(schema, depth);
  return emptyValues[String(type)];
}

const emptyValues: Readonly<Record<string, unknown>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  null: null,
};

function exampleObject(schema: Readonly<Record<string, unknown>>, depth: number): unknown {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(listOf(schema['required']));
  const keys = Object.keys(properties).filter(
    (key) => required.has(key) || (isObject(properties[key]) && 'default' in properties[key]),
  );
  return Object.fromEntries(keys.map((key) => [key, exampleOf(properties[key], depth + 1) ?? null]));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
