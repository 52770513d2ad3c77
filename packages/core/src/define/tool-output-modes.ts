import { compileSchema, type CompiledSchema, type JsonSchema, type ValidationResult } from '@haft/schema';

/** How a model reads a structured result: `labeled` is the output of `renderModel`, `json` is the value itself. */
export type OutputMode = 'labeled' | 'json';

const outputModes: readonly OutputMode[] = ['labeled', 'json'];

let compiled: CompiledSchema | undefined;

/** Compiled on first use, because compiling would otherwise dominate the import time of the package. */
function modeSchema(): CompiledSchema {
  return (compiled ??= compileSchema({ type: 'object', properties: { output: { enum: outputModes } } }));
}

/** Returns the schema with an additional argument `output`, with which the model chooses the format of the result. */
export function withOutputMode<Output>(input: CompiledSchema<Output>): CompiledSchema<Output> {
  const schema = input.jsonSchema;
  if (typeof schema !== 'object' || schema.type !== 'object') throw new TypeError('outputModes needs an object schema');
  const { properties = {} } = schema;
  if (Object.hasOwn(properties, 'output'))
    throw new TypeError('outputModes adds the argument \\`output\\`, but the schema already declares it');
  const mode = {
    enum: outputModes,
    description: '"labeled" (default) for readable text, "json" for data only.',
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

/** Returns the output format that the model chose in these arguments. */
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
