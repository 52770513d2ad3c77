import { compileSchema, type CompiledSchema, type JsonSchema, type ValidationResult } from '@haft/schema';

/** How a model may read a structured answer: `labeled` is what `renderModel` makes of it, `json` the value itself. */
export type OutputMode = 'labeled' | 'json';

const outputModes: readonly OutputMode[] = ['labeled', 'json'];

let compiled: CompiledSchema | undefined;

/** Compiled for the first tool that has modes: compiling is most of what importing the package would cost otherwise. */
function modeSchema(): CompiledSchema {
  return (compiled ??= compileSchema({ type: 'object', properties: { output: { enum: outputModes } } }));
}

/** The schema with one more argument, `output`, by which the model says how it wants to read the answer. */
export function withOutputMode<Output>(input: CompiledSchema<Output>): CompiledSchema<Output> {
  const schema = input.jsonSchema;
  if (typeof schema !== 'object' || schema.type !== 'object') throw new TypeError('outputModes needs an object schema');
  const { properties = {} } = schema;
  if (Object.hasOwn(properties, 'output')) throw new TypeError('outputModes adds `output`, which it declares itself');
  const mode = {
    enum: outputModes,
    description: '"labeled" (default) for text that is easy to read, "json" for the data alone.',
  };
  const jsonSchema: JsonSchema = Object.freeze({ ...schema, properties: { ...properties, output: mode } });
  return {
    jsonSchema,
    ready: () => input.ready(),
    validate(value) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'output')) return input.validate(value);
      const { output, ...rest } = value as Readonly<Record<string, unknown>>;
      const checked = modeSchema().validate({ output }) as ValidationResult;
      const result = input.validate(rest);
      return result instanceof Promise ? result.then((one) => join(one, checked)) : join(result, checked);
    },
  };
}

/** How the model wants to read the answer to a call with these arguments. */
export function outputModeOf(args: unknown): OutputMode {
  const isRecord = typeof args === 'object' && args !== null;
  return isRecord && (args as Readonly<Record<string, unknown>>)['output'] === 'json' ? 'json' : 'labeled';
}

function join<Output>(result: ValidationResult<Output>, chosenMode: ValidationResult): ValidationResult<Output> {
  const coercions = [...result.coercions, ...chosenMode.coercions];
  const issues = [...result.issues, ...chosenMode.issues];
  if (!result.ok || !chosenMode.ok) return { ok: false, issues, coercions };
  const { value } = result;
  const { output } = chosenMode.value as { readonly output?: OutputMode };
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  const withMode = isPlain && output !== undefined ? { ...value, output } : value;
  return { ...result, value: withMode, coercions };
}
