import { isRecord } from '../json-value.ts';
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';

interface ZodResult<Output> {
  readonly success: boolean;
  readonly data?: Output;
  readonly error?: { readonly issues: readonly StandardIssue[] };
}

interface ZodPayload<Output> {
  readonly value: Output;
  readonly issues: readonly unknown[];
}

interface ZodSchema<Output> {
  readonly _zod: {
    readonly def: Readonly<Record<string, unknown>>;
    run(payload: object, context: object): ZodPayload<Output> | Promise<ZodPayload<Output>>;
  };
  safeParse(value: unknown): ZodResult<Output>;
  safeParseAsync(value: unknown): Promise<ZodResult<Output>>;
}

const synchronous = Object.freeze({ async: false });

/** Runs a schema's own validator. */
export type Runner<Output> = (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;

/**
 * Returns direct access to a zod 4 schema, which is detected by its shape without importing zod. Returns `undefined`
 * for other schemas.
 *
 * A schema of zod's own parts is parsed synchronously. A schema with user functions may return promises: synchronous
 * parsing would drop them, and a rejected one would end the process. Such a schema runs in the mode that allows both,
 * and returns synchronously if nothing was awaited.
 */
export function createZodRunner<Output>(schema: StandardSchema<unknown, Output>): Runner<Output> | undefined {
  if (!isZodSchema<Output>(schema)) return undefined;
  const zod: ZodSchema<Output> = schema;
  let isSynchronous: boolean | undefined;
  let isAsynchronous = false;

  function runEither(value: unknown): StandardResult<Output> | Promise<StandardResult<Output>> {
    const payload = zod._zod.run({ value, issues: [] }, { async: true });
    if (!(payload instanceof Promise)) {
      return payload.issues.length === 0 ? { value: payload.value } : toStandard(zod.safeParse(value));
    }
    isAsynchronous = true;
    return payload.then(async ({ value: output, issues }) =>
      issues.length === 0 ? { value: output } : toStandard(await zod.safeParseAsync(value)),
    );
  }

  /** Like `safeParse`, but without a wrapper around a value that fits. */
  function runAtOnce(value: unknown): StandardResult<Output> {
    const payload = zod._zod.run({ value, issues: [] }, synchronous);
    const fits = !(payload instanceof Promise) && payload.issues.length === 0;
    return fits ? { value: payload.value } : toStandard(zod.safeParse(value));
  }

  return (value) => {
    isSynchronous ??= isMadeOfZodParts(zod, new Set());
    if (isSynchronous) return runAtOnce(value);
    return isAsynchronous ? zod.safeParseAsync(value).then(toStandard) : runEither(value);
  };
}

function toStandard<Output>(result: ZodResult<Output>): StandardResult<Output> {
  return result.success ? { value: result.data as Output } : { issues: result.error?.issues ?? [] };
}

function isZodSchema<Output>(schema: object): schema is ZodSchema<Output> & StandardSchema<unknown, Output> {
  if (!('_zod' in schema) || !('safeParse' in schema) || !('safeParseAsync' in schema)) return false;
  const inner = schema._zod;
  return isObject(inner) && typeof inner['run'] === 'function' && isObject(inner['def']);
}

/** Kinds of zod schemas and checks that may run user functions. */
const openKinds = new Set(['transform', 'catch', 'custom', 'promise', 'function', 'success']);
/** Functions in a definition that zod calls without awaiting: messages, conditions, lazy schemas, text normalisers. */
const plainFunctions = new Set(['error', 'when', 'getter', 'tx']);

/** Whether a zod schema consists only of zod's own parts. Cycles through lazy schemas are followed once. */
function isMadeOfZodParts(part: unknown, seen: Set<object>): boolean {
  if (Array.isArray(part)) return part.every((item) => isMadeOfZodParts(item, seen));
  if (!isObject(part) || seen.has(part)) return true;
  const inner = part['_zod'];
  if (!isObject(inner)) return !isRecord(part) || Object.values(part).every((item) => isMadeOfZodParts(item, seen));
  seen.add(part);
  const { def } = inner;
  if (!isObject(def) || openKinds.has(String(def['type'])) || openKinds.has(String(def['check']))) return false;
  return Object.keys(def).every((key) => {
    const value = def[key];
    if (key === 'getter' && typeof value === 'function') return isMadeOfZodParts(value(), seen);
    if (key === 'defaultValue' || key === 'values' || key === 'entries') return true;
    return typeof value === 'function' ? plainFunctions.has(key) : isMadeOfZodParts(value, seen);
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}
