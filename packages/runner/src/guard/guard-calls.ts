import { failure, HaftError, toolError, type CallInfo, type DispatchMiddleware, type ToolResult } from '@haft/core';
import {
  functionKind,
  arrayOf,
  stringKind,
  checkOption,
  checkOptions,
  nonEmptyStringKind,
  objectOf,
  required,
  type OptionTable,
} from '@haft/core/options';
import { callSignature } from '../memo/call-signature.ts';
import { taskOf } from '../memo/memo-task.ts';
import type { GuardedCall, Guardrail, GuardrailVerdict } from './guardrail.ts';

/** Options of {@link guardCalls}. */
export interface GuardOptions {
  /** Names of guardrails to disable, for example to measure their effect. An unknown name is an error. */
  readonly disabled?: readonly string[];
  /** Receives every advice and rejection. Exceptions are ignored. */
  readonly onVerdict?: (verdict: {
    readonly guardrail: string;
    readonly kind: string;
    readonly callId: string;
    readonly verdict: NonNullable<GuardrailVerdict>;
  }) => void;
}

/** Guardrails as middleware. */
export interface GuardMiddleware extends DispatchMiddleware {
  /** Names of the enabled guardrails, in order. */
  readonly active: readonly string[];
  forgetTask(taskId: string): void;
}

const guardrailList = arrayOf(
  objectOf<Pick<Guardrail, 'name' | 'before' | 'after'>>(
    { name: required(nonEmptyStringKind), before: functionKind, after: functionKind },
    '{ name, kind, before() {} }',
    'allowed',
  ),
  'a list of guardrails',
);
const table: OptionTable<GuardOptions> = { disabled: arrayOf(stringKind, 'a list of names'), onVerdict: functionKind };

/**
 * Creates middleware from guardrails. They run in order before and after each call. The first rejection before a call
 * is its answer. After a call, each guardrail receives the result of the previous one. Advice becomes `advisories`,
 * which the model always receives.
 *
 * @throws HaftError `INVALID_OPTION` if a name is empty or repeated, or `disabled` contains an unknown name.
 */
export function guardCalls(guardrails: readonly Guardrail[], options: GuardOptions = {}): GuardMiddleware {
  checkOption('guardCalls', 'guardrails', guardrails, guardrailList);
  checkOptions('guardCalls', options, table, '{ disabled: [] }');
  const { disabled = [], onVerdict } = options;
  checkNames(guardrails, disabled);
  const active = guardrails.filter(({ name }) => !disabled.includes(name));

  const reportVerdict = (
    { name, kind }: Guardrail,
    { call }: GuardedCall,
    verdict: NonNullable<GuardrailVerdict>,
  ): void => {
    try {
      onVerdict?.({ guardrail: name, kind, callId: call.id, verdict });
    } catch {
      // A listener must not break a call.
    }
  };

  return {
    name: 'guardrails',
    active: active.map(({ name }) => name),
    async around(info, next) {
      const call = toGuardedCall(info);
      const remarks: string[] = [];
      for (const guardrail of active) {
        const verdict = await guardrail.before?.(call);
        if (!verdict) continue;
        reportVerdict(guardrail, call, verdict);
        if ('reject' in verdict) return withRemarks(rejection(guardrail, call, verdict), remarks);
        remarks.push(`${guardrail.name}: ${verdict.advise}`);
      }
      let result = await next();
      for (const guardrail of active) {
        const verdict = await runGuardrail(guardrail, call, result);
        if (!verdict) continue;
        reportVerdict(guardrail, call, verdict);
        if ('advise' in verdict) remarks.push(`${guardrail.name}: ${verdict.advise}`);
        else result = { ...rejection(guardrail, call, verdict), effects: result.effects };
      }
      return withRemarks(result, remarks);
    },
    forgetTask(taskId) {
      for (const guardrail of guardrails) guardrail.forgetTask?.(taskId);
    },
  };
}

function toGuardedCall(info: CallInfo): GuardedCall {
  return { ...info, taskId: taskOf(info), signature: callSignature(info.call.name, info.arguments) };
}

/** The call already had its effects, so a failing guardrail must not discard the result. */
async function runGuardrail(guardrail: Guardrail, call: GuardedCall, result: ToolResult): Promise<GuardrailVerdict> {
  try {
    return await guardrail.after?.(call, result);
  } catch {
    return { advise: 'this check failed, so it says nothing about the result' };
  }
}

function rejection(
  { name, kind }: Guardrail,
  { call }: GuardedCall,
  { reject, hint, code = 'POLICY_BLOCKED' }: Extract<GuardrailVerdict, { readonly reject: string }>,
): ToolResult {
  const extras = { details: { guardrail: name, kind }, ...(hint !== undefined && { hint }) };
  return failure(call.id, toolError(code, `${name}: ${reject}`, extras), { metadata: { guardrail: name, kind } });
}

function withRemarks(result: ToolResult, remarks: readonly string[]): ToolResult {
  return remarks.length === 0 ? result : { ...result, advisories: [...result.advisories, ...remarks] };
}

function checkNames(guardrails: readonly Guardrail[], disabled: readonly string[]): void {
  const names = new Set<string>();
  for (const guardrail of guardrails) {
    const { name } = guardrail;
    if (names.has(name))
      throw new HaftError('INVALID_OPTION', `guardCalls: two guardrails are named ${name} (expected unique names)`);
    names.add(name);
  }
  const unknown = disabled.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new HaftError(
      'INVALID_OPTION',
      `guardCalls: disabled contains ${unknown} (expected one of ${[...names].join(', ')})`,
    );
}
