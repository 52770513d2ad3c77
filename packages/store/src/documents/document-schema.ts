import { StoreError } from '../store-error.ts';
import type { DocumentIssue } from '../store-error.ts';

/** The part of Standard Schema v1 that a store uses. zod, valibot and ArkType implement it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The result of a Standard Schema validation. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A validation error reported by a Standard Schema. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Returns the validated value, possibly converted. Throws if the value is invalid. */
export type ValidateFunction<Value> = (value: unknown) => Value | Promise<Value>;

/** Defines the values of a collection. Applied on every write and every read. */
export type DocumentSchema<Value, Input = Value> = StandardSchema<Input, Value> | ValidateFunction<Value>;

/** A valid value, or the reasons why it is invalid. */
export type Validated<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly DocumentIssue[]; readonly cause?: unknown };

/** Creates one validation function from either kind of schema. It is synchronous if the schema is. */
export function createValidator<Value, Input>(
  schema: DocumentSchema<Value, Input>,
): (value: unknown) => Validated<Value> | Promise<Validated<Value>> {
  if (isStandardSchema(schema)) {
    const { validate } = schema['~standard'];
    return (value) => attempt(() => validate(value), readStandardResult);
  }
  if (typeof schema !== 'function') {
    throw new StoreError('INVALID_OPTION', 'schema: must be a Standard Schema or a function');
  }
  return (value) => attempt(() => schema(value), accept);
}

function isStandardSchema<Input, Output>(
  schema: DocumentSchema<Output, Input>,
): schema is StandardSchema<Input, Output> {
  // Some libraries implement schemas as functions.
  return schema !== null && (typeof schema === 'object' || typeof schema === 'function') && '~standard' in schema;
}

function attempt<Result, Value>(
  run: () => Result | Promise<Result>,
  read: (result: Result) => Validated<Value>,
): Validated<Value> | Promise<Validated<Value>> {
  try {
    const result = run();
    return result instanceof Promise ? result.then(read, refuse) : read(result);
  } catch (error) {
    return refuse(error);
  }
}

function accept<Value>(value: Value): Validated<Value> {
  return { ok: true, value };
}

function refuse(cause: unknown): { readonly ok: false; readonly issues: readonly DocumentIssue[]; cause: unknown } {
  return { ok: false, issues: [{ path: '$', message: cause instanceof Error ? cause.message : String(cause) }], cause };
}

function readStandardResult<Value>(result: StandardResult<Value>): Validated<Value> {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.map(({ message, path }) => ({ path: renderPath(path ?? []), message })) };
}

function renderPath(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  return path.reduce<string>((text, part) => {
    const key = typeof part === 'object' ? part.key : part;
    return typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`;
  }, '$');
}
