import { checkValue } from './check-value.ts';
import type { CompiledSchema, ValidationResult } from './compiled-schema.ts';
import type { KeyAliases } from './alias-tree.ts';
import { readAliases } from './alias-tree.ts';
import { coerceValue } from './coerce-value.ts';
import type { FastValidator } from './fast-validator.ts';
import { loadFastValidator } from './fast-validator.ts';
import { findIssues, orderIssues } from './find-issues.ts';
import { createKeyCheck } from './key-check.ts';
import type { SchemaDocument } from './schema-document.ts';

const none: readonly never[] = Object.freeze([]);

/** Compiles a JSON Schema that has been read. Checks by walking the schema until `ready()` has loaded generated code. */
export function compileJsonSchema(document: SchemaDocument, given: KeyAliases | undefined): CompiledSchema {
  let fast: FastValidator | undefined;
  let loading: Promise<void> | undefined;
  let isLoaded = false;
  const aliases = readAliases(given, document.root);
  const keys = createKeyCheck(document, aliases);

  function fits(value: unknown): boolean {
    if (fast === undefined) return checkValue(document, document.root, value);
    try {
      return fast(value);
    } catch {
      // Generated code recurses without a limit; the walk has one and says so.
      return checkValue(document, document.root, value);
    }
  }

  function validate(value: unknown): ValidationResult {
    if (fits(value)) {
      if (keys.knowsAll(value)) return { ok: true, value, issues: none, coercions: none };
      const renamed = keys.applyAliases(value);
      if (renamed !== undefined && fits(renamed.value)) return { ok: true, issues: none, ...renamed };
      const advisories = keys.findNearMisses(value);
      return { ok: true, value, issues: none, coercions: none, ...(advisories.length > 0 ? { advisories } : {}) };
    }
    const named = keys.applyAliases(value);
    const coerced = coerceValue(document, named === undefined ? value : named.value, aliases);
    const coercions = named === undefined ? coerced.coercions : [...named.coercions, ...coerced.coercions];
    if (coercions.length > 0 && fits(coerced.value)) {
      return { ok: true, value: coerced.value, issues: none, coercions };
    }
    return { ok: false, issues: orderIssues(coerced.value, findIssues(document, coerced.value)), coercions };
  }

  async function load(): Promise<void> {
    fast = await loadFastValidator(document);
    isLoaded = true;
  }

  function ready(): Promise<void> | undefined {
    if (isLoaded) return undefined;
    loading ??= load();
    return loading;
  }

  return { jsonSchema: document.root, validate, ready };
}
