import type { Model } from '@haft/core';
import type { SchemaInput } from '@haft/schema';

/**
 * How a model gives a structured answer:
 * - `native`: each request carries the schema, and the text of the last answer is parsed;
 * - `tool`: the model submits its answer with the tool `submit_output`;
 * - `two-phase`: the model first works freely. A further request then has the schema and no tools. For vendors that
 *   support tools or a schema but not both, and for small models.
 */
export type OutputStrategy = 'native' | 'tool' | 'two-phase';

/** Schema and strategy of a structured answer. */
export interface OutputOptions {
  /** A zod schema, any Standard Schema or a JSON Schema. For `tool`, its root must be an object. */
  readonly schema: SchemaInput;
  /** Default: `tool` for a run with tools, otherwise `native`. A function is called once with the run's model. */
  readonly strategy?: OutputStrategy | ((model: Model) => OutputStrategy);
  /** Number of attempts; default 3. After an invalid answer, the model is told the reason. */
  readonly maxAnswers?: number;
}
