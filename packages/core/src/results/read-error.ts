import type { Issue } from '@haft/schema';
import type { Denial, ToolError } from '../contracts/results/error.ts';
import type { Fault } from '../contracts/results/fault.ts';

const faults: ReadonlySet<unknown> = new Set<Fault>(['model', 'world', 'policy', 'host', 'cancelled']);
const denialSources: ReadonlySet<unknown> = new Set<Denial['source']>([
  'rule',
  'person',
  'protected',
  'no-approver',
  'hook',
  'mode',
]);

/**
 * Reads an untrusted tool error: each member once, into a new object that is safe to render. Throws a `TypeError` that
 * names the invalid member, or what an accessor throws.
 */
export function readToolError(given: object): ToolError {
  const error = given as Partial<Record<keyof ToolError, unknown>>;
  const { code, fault, retryable, message, modelMessage, hint, details, issues, denial, cause } = error;
  if (typeof code !== 'string' || code === '') throw new TypeError('"error.code" must be a non-empty string');
  if (!faults.has(fault))
    throw new TypeError(`"fault" of the error ${code} must be "model", "world", "policy", "host" or "cancelled"`);
  if (typeof retryable !== 'boolean') throw new TypeError(`"retryable" of the error ${code} must be a boolean`);
  if (typeof message !== 'string') throw new TypeError(`"message" of the error ${code} must be a string`);
  if (!isMissing(modelMessage) && typeof modelMessage !== 'string')
    throw new TypeError(`"modelMessage" of the error ${code} must be a string`);
  if (!isMissing(hint) && typeof hint !== 'string') throw new TypeError(`"hint" of the error ${code} must be a string`);
  if (!isMissing(details) && !isObject(details))
    throw new TypeError(`"details" of the error ${code} must be an object`);
  return {
    code,
    fault: fault as Fault,
    retryable,
    message,
    ...(isMissing(modelMessage) ? {} : { modelMessage }),
    ...(isMissing(hint) ? {} : { hint }),
    ...(isMissing(details) ? {} : { details: details as Readonly<Record<string, unknown>> }),
    ...(isMissing(issues) ? {} : { issues: readIssues(issues) }),
    ...(isMissing(denial) ? {} : { denial: readDenial(denial) }),
    ...(cause === undefined ? (given instanceof Error ? { cause: given } : {}) : { cause }),
  };
}

/** Reads untrusted issues. Throws a `TypeError` if they are invalid. */
export function readIssues(given: unknown): readonly Issue[] {
  if (!Array.isArray(given)) throw new TypeError('"issues" must be an array');
  return Array.from(given as readonly unknown[], (issue) => {
    if (!isObject(issue)) throw new TypeError('an issue must be an object');
    const { path, code, expected, received, message, example } = issue as Partial<Record<keyof Issue, unknown>>;
    const texts = { path, code, expected, received, message, ...(isMissing(example) ? {} : { example }) };
    for (const [name, text] of Object.entries(texts)) {
      if (typeof text !== 'string') throw new TypeError(`"${name}" of an issue must be a string`);
    }
    return texts as unknown as Issue;
  });
}

/** Reads an untrusted denial. Throws a `TypeError` if it is invalid. */
export function readDenial(given: unknown): Denial {
  if (!isObject(given)) throw new TypeError('"denial" must be an object');
  const { source, reason, ruleKey, hint, remedy } = given as Partial<Record<keyof Denial, unknown>>;
  if (typeof reason !== 'string') throw new TypeError('"denial.reason" must be a string');
  return {
    source: denialSources.has(source) ? (source as Denial['source']) : 'rule',
    reason,
    ...(typeof ruleKey === 'string' ? { ruleKey } : {}),
    ...(typeof hint === 'string' ? { hint } : {}),
    ...(typeof remedy === 'string' ? { remedy } : {}),
  };
}

/** JSON turns missing values into `null`. */
function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
