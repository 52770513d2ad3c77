import type { ValidationResult } from '@haft/schema';
import type { ArgumentCoercion } from '../../contracts/results/result.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import type { CallRun } from '../call/call-run.ts';
import { copyData } from '../call/copy-data.ts';
import { endEarly, EarlyEnd, waitBounded, type Step } from '../call/early-end.ts';

const none: readonly never[] = Object.freeze([]);

/** Makes the arguments match the schema (preference defaults, aliases, coercions) and rejects invalid ones. */
export function validate(run: CallRun): Step {
  const tool = run.tool!;
  const waiting = tool.input.ready();
  const checking = waiting ? validateLater(run, tool, waiting) : validateReady(run, tool);
  return checking instanceof Promise ? waitFor(run, tool, checking) : checking;
}

async function validateLater(run: CallRun, tool: AnyTool, waiting: Promise<void>): Promise<EarlyEnd | undefined> {
  await waiting;
  return validateReady(run, tool);
}

async function waitFor(
  run: CallRun,
  tool: AnyTool,
  checking: Promise<EarlyEnd | undefined>,
): Promise<EarlyEnd | undefined> {
  const limits = { timeoutMs: run.timeoutMs };
  const received = await waitBounded(run, limits, checking, `validating the arguments of ${tool.name}`);
  return received instanceof EarlyEnd ? received : received.value;
}

function validateReady(run: CallRun, tool: AnyTool): Step {
  const filled = fillOverrides(run, tool);
  const checked = tool.input.validate(run.args);
  return checked instanceof Promise ? takeLater(run, tool, checked, filled) : take(run, tool, checked, filled);
}

async function takeLater(
  run: CallRun,
  tool: AnyTool,
  checked: Promise<ValidationResult>,
  filled: readonly ArgumentCoercion[],
): Promise<EarlyEnd | undefined> {
  return take(run, tool, await checked, filled);
}

function take(
  run: CallRun,
  tool: AnyTool,
  checked: ValidationResult,
  filled: readonly ArgumentCoercion[],
): EarlyEnd | undefined {
  if (!checked.ok) {
    return endEarly('INVALID_ARGS', `the arguments of ${tool.name} don't match its schema`, { issues: checked.issues });
  }
  run.acceptArguments(checked.value);
  if (checked.advisories) for (const advisory of checked.advisories) run.advise(advisory.message);
  if (filled.length === 0 && checked.coercions.length === 0) return undefined;
  const { risk = 'none', repairs = none, coercions = none } = run.reading ?? {};
  run.reading = { risk, repairs, coercions: [...coercions, ...filled, ...checked.coercions] };
  return undefined;
}

/** Whether the model sent an argument under an alias, or spelled in another way. The schema renames it later. */
function isMeant(key: string, args: object, { aliases, input }: AnyTool): boolean {
  const names = new Set([key, ...(aliases[key] ?? [])].map(foldKey));
  const { properties: declared = {} } = Object(input.jsonSchema) as { readonly properties?: object };
  return Object.keys(args).some((written) => !Object.hasOwn(declared, written) && names.has(foldKey(written)));
}

const foldKey = (key: string): string => key.replaceAll(/[-_ ]/g, '').toLowerCase();

/** Adds the preference defaults for arguments that the model omitted. */
function fillOverrides(run: CallRun, tool: AnyTool): readonly ArgumentCoercion[] {
  const { overrides } = tool.preference;
  const { args } = run;
  if (!overrides || typeof args !== 'object' || args === null || Array.isArray(args)) return none;
  const missing = Object.entries(overrides).filter(([key]) => !Object.hasOwn(args, key) && !isMeant(key, args, tool));
  if (missing.length === 0) return none;
  run.args = copyData({ ...args, ...Object.fromEntries(missing) });
  return missing.map(([key, value]) => ({ path: `$.${key}`, code: 'preference', from: undefined, to: value }));
}
