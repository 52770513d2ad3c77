import type { JsonSchema } from '../json-schema.ts';
import type { AliasTree } from '../keys/alias-tree.ts';
import { readAliases } from '../keys/alias-tree.ts';
import type { CompiledSchema, CompileOptions, ValidationFailure, ValidationResult } from './compiled-schema.ts';
import { closeSchema, restoreUndeclared } from '../keys/undeclared-keys.ts';
import { checkValue } from '../validate/check-value.ts';
import { coerceFurther } from '../coerce/coerce-value.ts';
import type { Coerced } from '../coerce/coerce-value.ts';
import { copySchema } from '../document/copy-schema.ts';
import { findIssues, orderIssues } from '../validate/find-issues.ts';
import type { KeyCheck } from './compile-key-check.ts';
import { createKeyCheck } from './compile-key-check.ts';
import { deriveJsonSchema } from './derive-json-schema.ts';
import type { SchemaDocument } from '../document/schema-document.ts';
import { readSchema } from '../document/read-schema.ts';
import type { StandardIssue, StandardResult, StandardSchema } from '../libraries/standard-schema.ts';
import { addVendorIssues } from './vendor-schema-issues.ts';
import { createZodRunner } from '../libraries/run-zod.ts';

/** Functions that read the JSON Schema of a library's schema. */
interface Explanation {
  readonly document: SchemaDocument;
  readonly aliases: AliasTree | undefined;
  readonly keys: KeyCheck;
}

const none: readonly never[] = Object.freeze([]);

/** Compiles zod or another Standard Schema. Its own validator decides; its JSON Schema explains a refusal. */
export function compileVendorSchema<Output>(
  schema: StandardSchema<unknown, Output>,
  options: CompileOptions,
): CompiledSchema<Output> {
  const run = createZodRunner(schema) ?? ((value: unknown) => schema['~standard'].validate(value));
  let known: Explanation | undefined;

  function explain(): Explanation {
    if (known === undefined) {
      const derived =
        options.jsonSchema === undefined
          ? deriveJsonSchema(schema)
          : readSchema(copySchema(options.jsonSchema), 'trusted');
      const isClosed = options.undeclaredKeys === 'refuse' && typeof derived.root === 'object';
      const document = isClosed ? readSchema(closeSchema(derived.root), 'trusted') : derived;
      const aliases = readAliases(options.aliases, document.root);
      known = { document, aliases, keys: createKeyCheck(document, aliases) };
    }
    return known;
  }

  // A JSON Schema that the caller gives is read now, to report mistakes in it. Deriving one cannot fail, so it can
  // wait.
  if (options.jsonSchema !== undefined) explain();

  function validate(value: unknown): ValidationResult<Output> | Promise<ValidationResult<Output>> {
    const result = attempt(value);
    return result instanceof Promise ? judgeLater(value, result) : judge(value, result);
  }

  async function judgeLater(
    value: unknown,
    result: Promise<StandardResult<Output>>,
  ): Promise<ValidationResult<Output>> {
    return judge(value, await result);
  }

  function judge(
    value: unknown,
    result: StandardResult<Output>,
  ): ValidationResult<Output> | Promise<ValidationResult<Output>> {
    if (result.issues !== undefined) return refuse(value, result.issues);
    // Some libraries accept an array for an object without keys.
    return Array.isArray(value) && wantsObject() ? refuse(value, []) : accept(value, result.value);
  }

  function wantsObject(): boolean {
    const { root } = explain().document;
    return typeof root === 'object' && root.type === 'object';
  }

  /** Runs the library's validator. A check that throws counts as a refusal. */
  function attempt(value: unknown): StandardResult<Output> | Promise<StandardResult<Output>> {
    try {
      const result = run(value);
      return result instanceof Promise ? result.catch(asRefusal) : result;
    } catch (error) {
      return asRefusal(error);
    }
  }

  const isZod = schema['~standard'].vendor === 'zod';

  function fail(document: SchemaDocument, coerced: Coerced, vendorIssues: readonly StandardIssue[]): ValidationFailure {
    const issues = addVendorIssues(coerced.value, findIssues(document, coerced.value), vendorIssues, isZod);
    return { ok: false, issues: orderIssues(coerced.value, issues), coercions: coerced.coercions };
  }

  /** Adds the keys that the library removed, if they are to be kept. */
  function finish(output: Output, given: unknown): Output {
    if (options.undeclaredKeys !== 'keep') return output;
    return restoreUndeclared(explain().document, output, given) as Output;
  }

  /** Whether the value has a key that the options refuse and the library ignores. */
  function hasRefusedKey(value: unknown): boolean {
    if (options.undeclaredKeys !== 'refuse') return false;
    const { document } = explain();
    return !checkValue(document, document.root, value);
  }

  function accept(value: unknown, output: Output): ValidationResult<Output> | Promise<ValidationResult<Output>> {
    if (hasRefusedKey(value)) return refuse(value, []);
    if (explain().keys.knowsAll(value)) return { ok: true, value: output, issues: none, coercions: none };
    return acceptUndeclared(value, output);
  }

  /** A separate function, because its closures would cost memory in every call. */
  function acceptUndeclared(
    value: unknown,
    output: Output,
  ): ValidationResult<Output> | Promise<ValidationResult<Output>> {
    const { document, aliases, keys } = explain();
    const success = { ok: true, issues: none, coercions: none } as const;
    const advise = (): ValidationResult<Output> => {
      const advisories = keys.findNearMisses(value);
      const accepted = { ...success, value: finish(output, value) };
      return advisories.length > 0 ? { ...accepted, advisories } : accepted;
    };
    // A schema that strips or ignores keys would silently lose the argument of a misspelt key.
    const named = keys.applyNames(value);
    if (named === undefined) return advise();
    return whenSettled(attempt(named.value), (again) => {
      const { coercions } = named;
      if (again.issues === undefined) return { ...success, value: finish(again.value, named.value), coercions };
      const helped = coerceFurther(document, named, aliases);
      return whenSettled(attempt(helped.value), (third): ValidationResult<Output> =>
        third.issues === undefined
          ? { ...success, value: finish(third.value, helped.value), coercions: helped.coercions }
          : advise(),
      );
    });
  }

  function refuse(
    value: unknown,
    issues: readonly StandardIssue[],
  ): ValidationResult<Output> | Promise<ValidationResult<Output>> {
    const { document, aliases, keys } = explain();
    const helped = coerceFurther(document, keys.applyNames(value) ?? { value, coercions: none }, aliases);
    const { coercions } = helped;
    if (coercions.length === 0) return fail(document, helped, issues);
    return whenSettled(attempt(helped.value), (again): ValidationResult<Output> => {
      if (again.issues !== undefined) return fail(document, helped, again.issues);
      if (hasRefusedKey(helped.value)) return fail(document, helped, []);
      return { ok: true, value: finish(again.value, helped.value), issues: none, coercions };
    });
  }

  return new VendorSchema(validate, () => explain().document.root);
}

/**
 * A class, because V8 turns an object literal with an accessor into a slow dictionary, and every call uses it.
 */
class VendorSchema<Output> implements CompiledSchema<Output> {
  declare readonly jsonSchema: JsonSchema;
  readonly validate: CompiledSchema<Output>['validate'];
  readonly ready: CompiledSchema<Output>['ready'] = () => undefined;
  readonly #deriveJsonSchema: () => JsonSchema;

  constructor(validate: CompiledSchema<Output>['validate'], deriveJsonSchema: () => JsonSchema) {
    this.validate = validate;
    this.#deriveJsonSchema = deriveJsonSchema;
    Object.defineProperty(this, 'jsonSchema', VendorSchema.#jsonSchema);
  }

  /** An own property, so that copies of a compiled schema include it. */
  static readonly #jsonSchema: PropertyDescriptor & ThisType<VendorSchema<unknown>> = {
    enumerable: true,
    get() {
      return this.#deriveJsonSchema();
    },
  };
}

function asRefusal(error: unknown): { readonly issues: readonly StandardIssue[] } {
  const reason = error instanceof RangeError ? 'the value is nested too deep' : 'a check of the schema threw an error';
  return { issues: [{ message: reason }] };
}

function whenSettled<Value, Result>(
  value: Value | Promise<Value>,
  step: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then((settled) => step(settled)) : step(value);
}
