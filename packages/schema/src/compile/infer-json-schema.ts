/**
 * Type of the values of a JSON Schema that is written as a literal. `unknown` if the schema states no type. A plain
 * record if the compiler does not know the literal, as for a schema read at run time.
 */
export type InferJsonSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Writable<Value>
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Writable<Value>
    : Schema extends { readonly anyOf: readonly (infer Part)[] } | { readonly oneOf: readonly (infer Part)[] }
      ? InferEach<Part>
      : Schema extends { readonly type: infer Type }
        ? string extends Type
          ? Record<string, unknown>
          : InferType<Schema, Type extends readonly (infer Each)[] ? Each : Type>
        : Schema extends { readonly properties: object }
          ? InferObject<Schema>
          : unknown;

type InferEach<Part> = Part extends unknown ? InferJsonSchema<Part> : never;

/** Distributes over a list of types. */
type InferType<Schema, Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? InferList<Schema>
          : Type extends 'object'
            ? InferObject<Schema>
            : unknown;

type InferList<Schema> = Schema extends { readonly items: infer Items }
  ? Items extends boolean
    ? unknown[]
    : InferJsonSchema<Items>[]
  : unknown[];

type InferObject<Schema> = Schema extends { readonly properties: infer Properties extends object }
  ? string extends keyof Properties
    ? Record<string, unknown>
    : Flat<
        {
          [Key in keyof Properties as Key extends RequiredOf<Schema> ? Key : never]: InferJsonSchema<Properties[Key]>;
        } & {
          [Key in keyof Properties as Key extends RequiredOf<Schema> ? never : Key]?: InferJsonSchema<Properties[Key]>;
        }
      >
  : Schema extends { readonly additionalProperties: infer Rest extends object }
    ? Record<string, InferJsonSchema<Rest>>
    : Record<string, unknown>;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Key)[] } ? Key : never;

type Flat<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

/** Removes readonly: `as const` makes the schema readonly, but not the values. */
type Writable<Value> = Value extends object ? { -readonly [Key in keyof Value]: Writable<Value[Key]> } : Value;
