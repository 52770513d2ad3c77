/** The texts in the fields of a form, by the path of the argument. */
export type FieldValues = Readonly<Record<string, string>>;

/** One argument in a form. */
export interface Field {
  /** Names from the outside to the inside, such as `filter.kind`. */
  readonly path: readonly string[];
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** `lines`: a list with one item on each line. `json`: everything that needs a structure of its own. */
  readonly input: 'text' | 'long' | 'number' | 'choice' | 'lines' | 'json';
  readonly choices: readonly string[];
  /** The text to begin with. */
  readonly initial: string;
  /** Turns the text into a value. Text that is not valid stays text, and the tool's schema judges it. */
  read(text: string): unknown;
}

type Schema = Readonly<Record<string, unknown>>;

const maxDepth = 3;

/** Makes the fields of a form from the properties of a schema. Properties of nested objects become fields, too. */
export function fieldsOf(schema: unknown, example: unknown): readonly Field[] {
  const root = asObject(schema);
  return fieldsOfObject(root, root, asObject(example), [], true);
}

/** Writes the arguments from the texts of a form. Empty fields that are not required are left out. */
export function argumentsOf(fields: readonly Field[], values: FieldValues): unknown {
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    const text = values[field.name] ?? '';
    if (text === '' && !field.isRequired) continue;
    let place = result;
    for (const key of field.path.slice(0, -1)) {
      if (!Object.hasOwn(place, key)) define(place, key, {});
      place = place[key] as Record<string, unknown>;
    }
    define(place, field.path.at(-1)!, field.read(text));
  }
  return result;
}

/** A property may be called `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

function fieldsOfObject(
  root: Schema,
  schema: Schema,
  example: Schema,
  above: readonly string[],
  isNeeded: boolean,
): readonly Field[] {
  const required = new Set(listOf(schema['required']));
  return Object.entries(asObject(schema['properties'])).flatMap(([key, given]) => {
    const property = simplify(root, asObject(given));
    const path = [...above, key];
    const isRequired = isNeeded && required.has(key);
    const isGroup = isObject(property['properties']) && Object.keys(property['properties']).length > 0;
    if (isGroup && path.length < maxDepth)
      return fieldsOfObject(root, property, asObject(example[key]), path, isRequired);
    return [fieldOf(path, property, isRequired, example[key])];
  });
}

/** Follows a reference inside the schema, and takes the other side of a union with null. */
function simplify(root: Schema, schema: Schema, depth = 0): Schema {
  if (depth > maxDepth) return schema;
  const target = typeof schema['$ref'] === 'string' ? resolve(root, schema['$ref']) : undefined;
  if (target !== undefined) return simplify(root, { ...target, ...without(schema, '$ref') }, depth + 1);
  const sides = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map(asObject);
  const real = sides.filter(({ type }) => type !== 'null');
  const [only] = real;
  if (real.length === 1 && only !== undefined)
    return simplify(root, { ...only, ...without(schema, 'anyOf', 'oneOf') }, depth + 1);
  const constants = real.flatMap((side) => ('const' in side ? [side['const']] : listOf(side['enum'])));
  const isChoice = real.length > 0 && real.every((side) => 'const' in side || Array.isArray(side['enum']));
  return isChoice ? { ...without(schema, 'anyOf', 'oneOf'), enum: constants } : schema;
}

function without(schema: Schema, ...keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

function resolve(root: Schema, reference: string): Schema | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const key of reference.slice(2).split('/')) at = asObject(at)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  return isObject(at) ? at : undefined;
}

function fieldOf(path: readonly string[], property: Schema, isRequired: boolean, value: unknown): Field {
  const { enum: choices, description, items } = property;
  const type = listOf(property['type']).find((one) => one !== 'null') ?? property['type'];
  const input = Array.isArray(choices) || type === 'boolean' ? 'choice' : inputOf(path.at(-1)!, type, items);
  const values: readonly unknown[] = Array.isArray(choices) ? (choices as readonly unknown[]) : [true, false];
  const ofStrings = asObject(items)['type'] === 'string';
  return {
    path,
    name: path.join('.'),
    description: typeof description === 'string' ? description : '',
    isRequired,
    input,
    choices: input === 'choice' ? values.map(textOf) : [],
    initial: value === undefined || value === null ? '' : initialOf(value, input),
    read(text) {
      if (input === 'choice') return values.find((one) => textOf(one) === text) ?? text;
      if (input === 'text' || input === 'long') return text;
      if (input !== 'lines') return parsed(text);
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return ofStrings ? lines : lines.map(parsed);
    },
  };
}

function initialOf(value: unknown, input: Field['input']): string {
  return input === 'lines' && Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function inputOf(name: string, type: unknown, items: unknown): Field['input'] {
  if (type === 'string') return /content|text|body|code|script|prompt|command|patch/i.test(name) ? 'long' : 'text';
  if (type === 'array') {
    const ofItems = asObject(items)['type'];
    return ofItems === 'string' || ofItems === 'number' || ofItems === 'integer' ? 'lines' : 'json';
  }
  return type === 'number' || type === 'integer' ? 'number' : 'json';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): Schema {
  return isObject(value) ? value : {};
}
