import type { Denial, PermissionRequest } from '@haft/core';
import type { CompiledRule } from '../rules/compile-rules.ts';

/** Said to a model wherever a no is meant for what it wants, not only for how it asked. */
export const noDetourHint = "Don't try the same thing another way.";

const clearCommandHint =
  'Write the command plainly: name its programs and files, without variables, substitutions and other languages.';
const maxUncertainties = 3;

/** Why a call is refused where only reading is allowed. */
export function onlyReading({ tool }: PermissionRequest): Denial {
  return {
    source: 'mode',
    reason: `${tool} may change something, and only reading is allowed now`,
    hint: 'Go on with tools that only read, and tell the person what you would have changed.',
  };
}

/** Why a call that a person would have to be asked about is refused where there is none. */
export function noUserToAsk(
  { tool, traits }: PermissionRequest,
  uncertainties: readonly string[],
  isUnclear: boolean,
): Denial {
  const hint =
    `${isUnclear ? clearCommandHint : ''} Go on without it, and tell the person what you would have done.`.trim();
  const reachesOut = traits.readOnly && traits.openWorld === true;
  const reasons = reachesOut
    ? ['it reaches the open world, where it could carry what was read here', ...uncertainties]
    : uncertainties;
  const why = reasons.length === 0 ? '' : ` (${reasons.slice(0, maxUncertainties).join('; ')})`;
  const reason = `${tool} needs a person's permission${why}, and nobody can be asked`;
  const rule = reachesOut
    ? `, add the rule { action: 'allow', tool: '${tool}' } or one with \`host\``
    : ', or add a rule';
  const remedy = `to be asked, give the permission engine an \`ask\` option${rule}`;
  return { source: 'nobody-to-ask', reason, hint, remedy };
}

/** Why a rule or a default refuses a call. */
export function refusal(request: PermissionRequest, rule: CompiledRule | undefined): Denial {
  const reason = rule?.reason ?? (rule ? `a rule denies ${request.title}` : `${request.title} is not allowed here`);
  return {
    source: 'rule',
    reason,
    hint: `${noDetourHint} Ask the person, or go on without it.`,
    ruleKey: rule?.key ?? 'default',
  };
}
