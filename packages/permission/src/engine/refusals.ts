import type { Denial, PermissionRequest } from '@haft/core';
import type { CompiledRule } from '../rules/compile-rules.ts';

/** Tells the model that the action itself is refused, not only the way it was tried. */
export const noDetourHint = "Don't try the same thing another way.";

const clearCommandHint =
  'Write the command plainly: name its programs and files, without variables, substitutions and other languages.';
const maxUncertainties = 3;

/** Explains why a call is refused in the mode `read-only`. */
export function onlyReading({ tool }: PermissionRequest): Denial {
  return {
    source: 'mode',
    reason: `${tool} may change something, but the mode is read-only`,
    hint: 'Use read-only tools, and tell the user what you would have changed.',
  };
}

/** Explains why a call that needs the user is refused when no user can be asked. */
export function noUserToAsk(
  { tool, traits }: PermissionRequest,
  uncertainties: readonly string[],
  isUnclear: boolean,
): Denial {
  const hint =
    `${isUnclear ? clearCommandHint : ''} Continue without it, and tell the user what you would have done.`.trim();
  const reachesOut = traits.readOnly && traits.openWorld === true;
  const reasons = reachesOut
    ? ['it reaches the open world and could leak data there', ...uncertainties]
    : uncertainties;
  const why = reasons.length === 0 ? '' : ` (${reasons.slice(0, maxUncertainties).join('; ')})`;
  const reason = `${tool} needs the user's permission${why}, and no user can be asked`;
  const rule = reachesOut
    ? `, add the rule { action: 'allow', tool: '${tool}' } or one with \`host\``
    : ', or add a rule';
  const remedy = `to be asked, give the permission engine an \`ask\` option${rule}`;
  return { source: 'no-approver', reason, hint, remedy };
}

/** Explains why a rule or a default refuses a call. */
export function refusal(request: PermissionRequest, rule: CompiledRule | undefined): Denial {
  const reason = rule?.reason ?? (rule ? `a rule denies ${request.title}` : `${request.title} is not allowed here`);
  return {
    source: 'rule',
    reason,
    hint: `${noDetourHint} Ask the user, or continue without it.`,
    ruleKey: rule?.key ?? 'default',
  };
}
