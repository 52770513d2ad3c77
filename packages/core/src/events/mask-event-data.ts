import type { Issue } from '@haft/schema';
import type { ToolError } from '../contracts/results/error.ts';
import type { ArgumentCoercion, ArgumentReport, ToolResult } from '../contracts/results/result.ts';
import { mask, namesSecret, redactText } from '../mask-text.ts';
import { redactSecrets } from './redact-event-secrets.ts';

/** Returns the arguments of a call for an event, with secrets masked. JSON text keeps its structure. */
export function maskArguments(args: unknown): unknown {
  if (typeof args !== 'string') return redactSecrets(args);
  try {
    return JSON.stringify(redactSecrets(JSON.parse(args)));
  } catch {
    return redactText(args);
  }
}

/**
 * Returns a result for an event. Data about the arguments is masked like the arguments, and the tool's output stays
 * unchanged. Returns the same object if there is nothing to mask.
 */
export function maskResult(result: ToolResult): ToolResult {
  const report = result.arguments && { arguments: maskReport(result.arguments) };
  if (!result.ok) return { ...result, ...report, error: maskError(result.error) };
  return report ? { ...result, ...report } : result;
}

/** Returns an error for an event. Keeps the thrown value for the operator. */
export function maskError({ cause, ...error }: ToolError): ToolError {
  const { message, hint, details, issues } = error;
  const masked = {
    ...error,
    message: redactText(message),
    ...(hint === undefined ? {} : { hint: redactText(hint) }),
    ...(details === undefined ? {} : { details: redactSecrets(details) as Readonly<Record<string, unknown>> }),
    ...(issues === undefined ? {} : { issues: issues.map(maskIssue) }),
  };
  // Not enumerable, because a thrown value may not be serializable.
  return cause === undefined ? masked : Object.defineProperty(masked, 'cause', { value: cause });
}

function maskReport({ value, risk, repairs, coercions }: ArgumentReport): ArgumentReport {
  const masked = redactSecrets(value);
  // A repair contains a fragment of the text, and its member is not known.
  const shouldHide = !isSameJson(masked, value);
  return {
    value: masked,
    risk,
    repairs: shouldHide ? repairs.map((repair) => ({ ...repair, found: mask, assumed: mask })) : repairs,
    coercions: coercions.map(maskCoercion),
  };
}

function isSameJson(one: unknown, other: unknown): boolean {
  try {
    return JSON.stringify(one) === JSON.stringify(other);
  } catch {
    return false;
  }
}

function maskCoercion(coercion: ArgumentCoercion): ArgumentCoercion {
  const hide = leadsToSecret(coercion.path) ? () => mask : redactSecrets;
  return { ...coercion, from: hide(coercion.from), to: hide(coercion.to) };
}

function maskIssue(issue: Issue): Issue {
  if (!leadsToSecret(issue.path)) {
    return { ...issue, received: redactText(issue.received), message: redactText(issue.message) };
  }
  return { ...issue, received: mask, message: `${issue.path}: expected ${issue.expected}` };
}

/** Checks whether a key in a path such as `$.login["api key"]` names a secret. */
function leadsToSecret(path: string): boolean {
  return path.split(/[.[\]"]+/).some(namesSecret);
}
