import { findClosestKey, foldKey } from './closest-key.ts';
import type { Coerced, KeyAliases } from './coerce-value.ts';
import type { Coercion } from './coercion.ts';
import type { Issue } from './issue.ts';
import type { JsonSchema } from './json-schema.ts';
import { hasValue, isRecord, setOwn } from './json-value.ts';
import { quote } from './preview.ts';
import { formatPath } from './value-path.ts';

/** Looks at the root keys of a value that fits: an open schema lets a misspelt key pass without a word. */
export interface KeyCheck {
  /** Whether every key is a declared one; cheap, since every valid call asks. */
  knowsAll(value: unknown): boolean;
  /** The value with undeclared keys renamed to the declared ones that they are aliases of; `undefined` when none is. */
  applyAliases(value: unknown): Coerced | undefined;
  /** The value with undeclared keys renamed to absent declared ones that differ only in case and underscores. */
  applyVariants(value: unknown): Coerced | undefined;
  /** What to tell the model about keys that nearly name a declared one. */
  findNearMisses(value: unknown): readonly Issue[];
}

/** Prepares the check of root keys for a schema; one without declared keys has nothing to compare with. */
export function createKeyCheck(schema: JsonSchema, aliases: KeyAliases | undefined): KeyCheck {
  const declared = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  const known = new Set(declared);
  // A closed schema has refused every unknown key already.
  const isClosed =
    isRecord(schema) && schema['additionalProperties'] === false && schema['patternProperties'] === undefined;
  const hasNothingToCheck = known.size === 0 || isClosed;

  function knowsAll(value: unknown): boolean {
    if (hasNothingToCheck || typeof value !== 'object' || value === null) return true;
    for (const key in value) if (!known.has(key)) return false;
    return true;
  }

  function rename(
    value: unknown,
    pick: (key: string, absent: readonly string[]) => string | undefined,
    code: Coercion['code'],
  ): Coerced | undefined {
    if (!isRecord(value)) return undefined;
    const result: Record<string, unknown> = {};
    const coercions: Coercion[] = [];
    const absent = new Set(declared.filter((name) => !hasValue(value, name)));
    for (const key of Object.keys(value)) {
      const name = known.has(key) ? undefined : pick(key, [...absent]);
      if (name !== undefined) {
        absent.delete(name);
        coercions.push({ path: formatPath([key]), code, from: key, to: name });
      }
      setOwn(result, name ?? key, value[key]);
    }
    return coercions.length === 0 ? undefined : { value: result, coercions };
  }

  return {
    knowsAll,
    applyAliases(value) {
      if (aliases === undefined) return undefined;
      const isAlias = (key: string, name: string): boolean =>
        Object.hasOwn(aliases, name) && aliases[name]?.includes(key) === true;
      return rename(value, (key, absent) => only(absent.filter((name) => isAlias(key, name))), 'alias');
    },
    applyVariants(value) {
      return rename(
        value,
        (key, absent) => only(absent.filter((name) => foldKey(name) === foldKey(key))),
        'key_renamed',
      );
    },
    findNearMisses(value) {
      if (!isRecord(value)) return [];
      const absent = declared.filter((name) => !hasValue(value, name));
      return Object.keys(value).flatMap((key) => {
        const meant = known.has(key) ? undefined : findClosestKey(key, absent);
        return meant === undefined ? [] : [createAdvisory(key, meant)];
      });
    },
  };
}

function only(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

function createAdvisory(key: string, meant: string): Issue {
  const path = formatPath([key]);
  const name = quote(meant, 60);
  return {
    path,
    code: 'unknown_key',
    expected: `the key ${name}`,
    received: `key ${quote(key, 56)}`,
    message: `${path} is not a known key and was ignored by the schema; did you mean ${name}?`,
  };
}
