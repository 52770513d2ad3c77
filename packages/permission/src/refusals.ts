import type { Denial, PermissionRequest } from '@haft/core';
import type { CompiledRule } from './rules/compile-rules.ts';

/** Said to a model wherever a no is meant for what it wants, not only for how it asked. */
export const goAround = "Don't try the same thing another way.";

/** Why a call is refused where only reading is allowed. */
export function onlyReading({ tool }: PermissionRequest): Denial {
  return {
    source: 'mode',
    reason: `${tool} may change something, and only reading is allowed now`,
    hint: 'Go on with tools that only read, and tell the person what you would have changed.',
  };
}

/** Why a rule or a default refuses a call. */
export function refusal(request: PermissionRequest, rule: CompiledRule | undefined): Denial {
  const reason = rule?.reason ?? `${request.title} is not allowed here`;
  return {
    source: 'rule',
    reason,
    hint: `${goAround} Ask the person, or go on without it.`,
    ruleKey: rule?.key ?? 'default',
  };
}
