import type { Model } from '@haft/core';
import type { SchemaInput } from '@haft/schema';

/**
 * How a model is brought to answer in a shape:
 * - `native`: each request carries the schema, and the text of the last answer is read by it;
 * - `tool`: the model hands its answer in by the tool `submit_output`;
 * - `two-phase`: the model works freely, and is then asked once more, without tools, with the schema. For vendors that take
 *   tools or a schema but not both, and for small models that do one thing at a time.
 */
export type OutputStrategy = 'native' | 'tool' | 'two-phase';

/** The shape that the answer of a run is to have. */
export interface OutputOptions {
  /** A zod schema, any Standard Schema or a JSON Schema; for `tool` its root has to be an object. */
  readonly schema: SchemaInput;
  /** Default: `native` for a run without tools, `tool` for one with. A function is asked once, with the run's model. */
  readonly strategy?: OutputStrategy | ((model: Model) => OutputStrategy);
  /** How many answers may be tried, the first one included; default 3. What doesn't fit is explained to the model. */
  readonly maxAnswers?: number;
}
