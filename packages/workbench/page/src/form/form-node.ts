/** One argument in a form. */
export interface FormField {
  readonly key: string;
  readonly description: string;
  /** Limits of the value in words, such as `1 to 100`. */
  readonly limits: string;
  readonly isRequired: boolean;
  /** The default of the schema. */
  readonly initial: unknown;
  readonly node: FormNode;
}

/** The input for a value. */
export type FormNode = FormInput | FormGroup | FormList | FormUnion;

/** One input. */
export interface FormInput {
  readonly kind: 'input';
  /** `lines`: a list with one item on each line. `json`: a structure that the form does not support. */
  readonly input: 'text' | 'long' | 'number' | 'choice' | 'lines' | 'json';
  readonly choices: readonly string[];
  /** Converts the text to a value. Invalid text stays text, so that the tool's schema reports it. */
  read(text: string): unknown;
}

/** An object with known properties. */
export interface FormGroup {
  readonly kind: 'group';
  readonly fields: readonly FormField[];
}

/** A list whose items have a form of their own. */
export interface FormList {
  readonly kind: 'list';
  readonly item: FormNode;
}

/** A value of one of several shapes. */
export interface FormUnion {
  readonly kind: 'union';
  readonly options: readonly { readonly label: string; readonly node: FormNode }[];
}

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

const maxDepth = 5;

/** Makes a form from the schema of a tool. */
export function formOf(schema: unknown): FormGroup {
  const root = asObject(schema);
  return groupOf(root, simplify(root, root), 0);
}

function groupOf(root: Schema, schema: Schema, depth: number): FormGroup {
  const required = new Set(listOf(schema['required']));
  const fields = Object.entries(asObject(schema['properties'])).map(([key, given]): FormField => {
    const property = simplify(root, asObject(given));
    const { description } = property;
    return {
      key,
      description: typeof description === 'string' ? description : '',
      limits: limitsOf(property),
      isRequired: required.has(key),
      initial: property['default'],
      node: nodeOf(root, property, key, depth + 1),
    };
  });
  return { kind: 'group', fields };
}

function nodeOf(root: Schema, schema: Schema, key: string, depth: number): FormNode {
  const { enum: choices, items } = schema;
  const type = typeOf(schema);
  if (Array.isArray(choices)) return choiceOf(choices);
  if ('const' in schema) return choiceOf([schema['const']]);
  if (type === 'boolean') return choiceOf([true, false]);
  if (type === 'string') return inputOf(longNames.test(key) ? 'long' : 'text', (text) => text);
  if (type === 'number' || type === 'integer') return inputOf('number', parsed);
  if (depth >= maxDepth) return inputOf('json', parsed);
  const options = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map((one) => simplify(root, asObject(one)));
  if (options.length > 0) {
    const labels = options.map(labelOf);
    return {
      kind: 'union',
      options: options.map((option, index) => ({
        label: labels.indexOf(labels[index]!) === index ? labels[index]! : `${labels[index]} ${index + 1}`,
        node: nodeOf(root, option, key, depth + 1),
      })),
    };
  }
  if (Object.keys(asObject(schema['properties'])).length > 0) return groupOf(root, schema, depth);
  if (type !== 'array') return inputOf('json', parsed);
  const item = simplify(root, asObject(items));
  const ofItems = typeOf(item);
  if (!Array.isArray(item['enum']) && ofItems === 'string') return inputOf('lines', (text) => linesOf(text));
  if (ofItems === 'number' || ofItems === 'integer') return inputOf('lines', (text) => linesOf(text).map(parsed));
  if (Object.keys(item).length === 0) return inputOf('json', parsed);
  return { kind: 'list', item: nodeOf(root, item, key, depth + 1) };
}

const longNames =
  /(?:^|[_-])(?:content|text|body|code|script|prompt|command|patch)s?$|[a-z](?:Content|Text|Body|Code|Script|Prompt|Command|Patch)$/;

function inputOf(input: FormInput['input'], read: FormInput['read']): FormInput {
  return { kind: 'input', input, choices: [], read };
}

function choiceOf(values: readonly unknown[]): FormInput {
  const read = (text: string): unknown => values.find((one) => textOf(one) === text) ?? text;
  return { kind: 'input', input: 'choice', choices: values.map(textOf), read };
}

/**
 * Resolves a reference inside the schema, reduces a union with null to its other branch, and combines constants into a
 * choice.
 */
function simplify(root: Schema, schema: Schema, depth = 0): Schema {
  if (depth > maxDepth) return schema;
  const target = typeof schema['$ref'] === 'string' ? resolve(root, schema['$ref']) : undefined;
  if (target !== undefined) return simplify(root, { ...target, ...without(schema, '$ref') }, depth + 1);
  const [all, ...more] = listOf(schema['allOf']);
  if (all !== undefined && more.length === 0)
    return simplify(root, { ...asObject(all), ...without(schema, 'allOf') }, depth + 1);
  const sides = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map(asObject);
  const real = sides.filter(({ type }) => type !== 'null');
  const [only] = real;
  if (real.length === 1 && only !== undefined)
    return simplify(root, { ...only, ...without(schema, 'anyOf', 'oneOf') }, depth + 1);
  const constants = real.flatMap((side) => ('const' in side ? [side['const']] : listOf(side['enum'])));
  const isChoice = real.length > 0 && real.every((side) => 'const' in side || Array.isArray(side['enum']));
  if (isChoice) return { ...without(schema, 'anyOf', 'oneOf'), enum: constants };
  return real.length === sides.length ? schema : { ...without(schema, 'anyOf', 'oneOf'), anyOf: real };
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

function typeOf(schema: Schema): unknown {
  const { type } = schema;
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type;
}

/** Names one shape of a union: its title, its constant property, its properties or its type. */
function labelOf(schema: Schema): string {
  const { title, properties } = schema;
  if (typeof title === 'string') return title;
  const entries = Object.entries(asObject(properties));
  const constant = entries.find(([, property]) => 'const' in asObject(property));
  if (constant !== undefined) return `${constant[0]}: ${textOf(asObject(constant[1])['const'])}`;
  if (entries.length > 0) return entries.map(([key]) => key).join(', ');
  const type = typeOf(schema);
  return typeof type === 'string' ? type : 'value';
}

function limitsOf(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems } = schema;
  const { pattern, format } = schema;
  return [
    rangeOf(safe(minimum), safe(maximum), ''),
    typeof exclusiveMinimum === 'number' && `more than ${exclusiveMinimum}`,
    typeof exclusiveMaximum === 'number' && `less than ${exclusiveMaximum}`,
    rangeOf(minLength, maxLength, 'character'),
    rangeOf(minItems, maxItems, 'item'),
    typeof pattern === 'string' && `pattern ${pattern}`,
    typeof format === 'string' && format,
  ]
    .filter((limit) => typeof limit === 'string' && limit !== '')
    .join(', ');
}

/** Libraries of schemas give every integer these limits. */
function safe(limit: unknown): unknown {
  return Math.abs(Number(limit)) === Number.MAX_SAFE_INTEGER ? undefined : limit;
}

function rangeOf(from: unknown, to: unknown, unit: string): string {
  const count = (value: number): string => (unit === '' ? `${value}` : `${value} ${unit}${value === 1 ? '' : 's'}`);
  if (typeof from === 'number' && typeof to === 'number') return `${from} to ${count(to)}`;
  if (typeof from === 'number') return `at least ${count(from)}`;
  return typeof to === 'number' ? `at most ${count(to)}` : '';
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Writes a value as the text of an input. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Returns whether a value is an object with properties. */
export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): Schema {
  return isObject(value) ? value : {};
}
