/** The texts in the fields of a form, by the name of the argument. */
export type FieldValues = Readonly<Record<string, string>>;

/** One argument in a form. */
export interface Field {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly input: 'text' | 'long' | 'number' | 'choice' | 'json';
  readonly choices: readonly string[];
  /** The text to begin with. */
  readonly initial: string;
  /** Turns the text into a value. Text that is not valid stays text, and the tool's schema judges it. */
  read(text: string): unknown;
}

type Schema = Readonly<Record<string, unknown>>;

/** Makes the fields of a form from the properties of a schema. */
export function fieldsOf(schema: unknown, example: unknown): readonly Field[] {
  const properties = (schema as { readonly properties?: Readonly<Record<string, Schema>> } | null)?.properties ?? {};
  const required = (schema as { readonly required?: readonly string[] }).required ?? [];
  const initial = (example ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, property, required.includes(name), initial[name]),
  );
}

function fieldOf(name: string, property: Schema, isRequired: boolean, value: unknown): Field {
  const { type, enum: choices, description } = property;
  const kind = Array.isArray(choices) || type === 'boolean' ? 'choice' : inputOf(name, type);
  const values: readonly unknown[] = Array.isArray(choices) ? (choices as readonly unknown[]) : [true, false];
  return {
    name,
    description: typeof description === 'string' ? description : '',
    isRequired,
    input: kind,
    choices: kind === 'choice' ? values.map(textOf) : [],
    initial: value === undefined || value === null ? '' : textOf(value),
    read(text) {
      if (kind === 'choice') return values.find((one) => textOf(one) === text) ?? text;
      if (kind === 'text' || kind === 'long') return text;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return text;
      }
    },
  };
}

function inputOf(name: string, type: unknown): Field['input'] {
  if (type === 'string') return /content|text|body|code|script|prompt|command|patch/i.test(name) ? 'long' : 'text';
  return type === 'number' || type === 'integer' ? 'number' : 'json';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
