import type { JsonSchema } from '../../json-schema.ts';

/** A tool that the model may call, as far as reading its calls needs to know it. */
export interface CallableTool {
  readonly name: string;
  /** The JSON Schema of its arguments. */
  readonly parameters?: JsonSchema;
}
