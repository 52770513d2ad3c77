import type { JsonSchema } from '../../json-schema.ts';

/** A tool that the model may call, as far as reading its calls needs to know it. */
export interface CallableTool {
  readonly name: string;
  /** The JSON Schema of its arguments. */
  readonly parameters?: JsonSchema;
  /** Other names that a model may use for an argument: declared name → names. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
}
