import type { Denial, PermissionRequest } from '@haft/core';
import type { CompiledRule } from '../rules/compile-rules.ts';

/** Said to a model wherever a no is meant for what it wants, not only for how it asked. */
export const goAround = "Don't try the same thing another way.";

const plainly =
  'Write the command plainly: name its programs and files, without variables, substitutions and other languages.';
const mostDoubts = 3;

/** Why a call is refused where only reading is allowed. */
export function onlyReading({ tool }: PermissionRequest): Denial {
  return {
    source: 'mode',
    reason: `${tool} may change something, and only reading is allowed now`,
    hint: 'Go on with tools that only read, and tell the person what you would have changed.',
  };
}

/** Why a call that a person would have to be asked about is refused where there is none. */
export function nobodyToAsk(
  { tool, traits }: PermissionRequest,
  doubts: readonly string[],
  isUnclear: boolean,
): Denial {
  const hint = `${isUnclear ? plainly : ''} Go on without it, and tell the person what you would have done.`.trim();
  const reachesOut = traits.readOnly && traits.openWorld === true;
  const reasons = reachesOut
    ? ['it reaches the open world, where it could carry what was read here', ...doubts]
    : doubts;
  const why = reasons.length === 0 ? '' : ` (${reasons.slice(0, mostDoubts).join('; ')})`;
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
    hint: `${goAround} Ask the person, or go on without it.`,
    ruleKey: rule?.key ?? 'default',
  };
}
