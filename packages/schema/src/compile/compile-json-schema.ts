import { checkValue } from '../validate/check-value.ts';
import type { CompiledSchema, ValidationResult } from './compiled-schema.ts';
import type { KeyAliases } from '../keys/alias-tree.ts';
import { readAliases } from '../keys/alias-tree.ts';
import { coerceFurther } from '../coerce/coerce-value.ts';
import type { FastValidator } from '../validate/load-ajv-validator.ts';
import { loadFastValidator } from '../validate/load-ajv-validator.ts';
import { findIssues, orderIssues } from '../validate/find-issues.ts';
import type { Predicate } from '../generated/code-writer.ts';
import { createQuickCheck } from '../generated/generated-check.ts';
import { createDefaults } from '../keys/default-keys.ts';
import { stripUndeclared, type UndeclaredKeys } from '../keys/undeclared-keys.ts';
import { createKeyCheck } from './compile-key-check.ts';
import type { SchemaDocument } from '../document/schema-document.ts';

const none: readonly never[] = Object.freeze([]);

/**
 * Compiles a JSON Schema that was read before. Until `ready()` has loaded generated code, it checks values by walking
 * the schema.
 */
export function compileJsonSchema(
  document: SchemaDocument,
  given: KeyAliases | undefined,
  undeclaredKeys: UndeclaredKeys = 'keep',
): CompiledSchema {
  let fast: FastValidator | undefined;
  let quick: Predicate | undefined;
  let loading: Promise<void> | undefined;
  let isLoaded = false;
  const aliases = readAliases(given, document.root);
  const keys = createKeyCheck(document, aliases);
  const fill = createDefaults(document, (schema, value) => checkValue(document, schema, value));
  const withDefaults = (value: unknown): unknown => (fill === undefined ? value : fill(value));
  const finish = (value: unknown): unknown =>
    withDefaults(undeclaredKeys === 'strip' ? stripUndeclared(document, value) : value);

  function fits(value: unknown): boolean {
    if (fast === undefined) return checkValue(document, document.root, value);
    try {
      return fast(value);
    } catch {
      // Generated code recurses without a limit. Walking the schema has a limit, and reports it.
      return checkValue(document, document.root, value);
    }
  }

  /** Quick check whether a value fits and has only declared keys. False means "unknown". */
  function fitsClearly(value: unknown): boolean {
    try {
      return quick !== undefined && quick(value);
    } catch {
      return false;
    }
  }

  function validate(value: unknown): ValidationResult {
    if (fitsClearly(value)) return { ok: true, value: withDefaults(value), issues: none, coercions: none };
    if (!fits(value)) return refuse(value);
    if (keys.knowsAll(value)) return { ok: true, value: withDefaults(value), issues: none, coercions: none };
    // An open object accepts a misspelt key, so the argument would be lost silently.
    const named = keys.applyNames(value);
    const helped = named === undefined || fits(named.value) ? named : coerceFurther(document, named, aliases);
    if (helped !== undefined && fits(helped.value))
      return { ok: true, value: finish(helped.value), issues: none, coercions: helped.coercions };
    const advisories = keys.findNearMisses(value);
    const success = { ok: true, value: finish(value), issues: none, coercions: none } as const;
    return advisories.length > 0 ? { ...success, advisories } : success;
  }

  function refuse(value: unknown): ValidationResult {
    const named = keys.applyNames(value) ?? { value, coercions: none };
    const helped = coerceFurther(document, named, aliases);
    const { coercions } = helped;
    // A key may be required and have a default. A model that omits it means the default.
    const filled = withDefaults(helped.value);
    if ((coercions.length > 0 || filled !== helped.value) && fits(filled))
      return { ok: true, value: finish(filled), issues: none, coercions };
    return { ok: false, issues: orderIssues(helped.value, findIssues(document, helped.value)), coercions };
  }

  async function load(): Promise<void> {
    fast = await loadFastValidator(document);
    // The quick check is only correct for schemas for which ajv is used.
    if (fast !== undefined) quick = createQuickCheck(document);
    isLoaded = true;
  }

  function ready(): Promise<void> | undefined {
    if (isLoaded) return undefined;
    loading ??= load();
    return loading;
  }

  return { jsonSchema: document.root, validate, ready };
}
