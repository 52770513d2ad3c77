import type { ValidationResult } from '@haft/schema';
import type { ArgumentCoercion } from '../contracts/result.ts';
import type { AnyTool } from '../contracts/tool.ts';
import type { CallRun } from './call-run.ts';
import { reject, type Rejection } from './rejection.ts';

/** Fits the arguments to the schema (defaults of the user's preference, aliases, coercions) and refuses what doesn't. */
export function validate(run: CallRun, tool: AnyTool): Rejection | undefined | Promise<Rejection | undefined> {
  const waiting = tool.input.ready();
  if (waiting) return waiting.then(() => validateReady(run, tool));
  return validateReady(run, tool);
}

function validateReady(run: CallRun, tool: AnyTool): Rejection | undefined | Promise<Rejection | undefined> {
  const { args, filled } = fillOverrides(run.args, tool);
  const checked = tool.input.validate(args);
  return checked instanceof Promise
    ? checked.then((result) => take(run, tool, result, filled))
    : take(run, tool, checked, filled);
}

function take(
  run: CallRun,
  tool: AnyTool,
  checked: ValidationResult,
  filled: readonly ArgumentCoercion[],
): Rejection | undefined {
  if (!checked.ok) {
    return reject('INVALID_ARGS', `the arguments of ${tool.name} don't fit its schema`, { issues: checked.issues });
  }
  const coercions = filled.length === 0 ? checked.coercions : [...filled, ...checked.coercions];
  run.args = checked.value;
  for (const advisory of checked.advisories ?? []) run.advisories.push(advisory.message);
  const { report } = run;
  if (coercions.length > 0 || report) {
    run.report = {
      value: checked.value,
      risk: report?.risk ?? 'none',
      repairs: report?.repairs ?? [],
      coercions: [...(report?.coercions ?? []), ...coercions],
    };
  }
  return undefined;
}

/** Puts in what the model left out and the user's preference provides. */
function fillOverrides(
  args: unknown,
  tool: AnyTool,
): { readonly args: unknown; readonly filled: readonly ArgumentCoercion[] } {
  const { overrides } = tool.preference;
  if (!overrides || typeof args !== 'object' || args === null || Array.isArray(args)) return { args, filled: [] };
  const missing = Object.entries(overrides).filter(([key]) => !Object.hasOwn(args, key));
  if (missing.length === 0) return { args, filled: [] };
  return {
    args: { ...args, ...Object.fromEntries(missing) },
    filled: missing.map(([key, value]) => ({ path: `$.${key}`, code: 'preference', from: undefined, to: value })),
  };
}
