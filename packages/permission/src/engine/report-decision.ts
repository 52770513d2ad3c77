import type { PermissionRequest } from '@haft/core';
import type { DecisionRecord } from '../options/permission-options.ts';

/** The source of a decision, with the key of its rule. */
type Decided = Pick<DecisionRecord, 'action' | 'by'> & { readonly ruleKey?: string | undefined };

/** Reports a decision to the listener. Errors that the listener throws are ignored. */
export function reportDecision(
  listener: ((record: DecisionRecord) => void) | undefined,
  request: PermissionRequest,
  about: DecisionRecord['about'],
  { action, by, ruleKey }: Decided,
): void {
  if (!listener) return;
  const { callId, tool, title, sessionId } = request;
  try {
    listener({ callId, tool, title, sessionId, action, by, ...(ruleKey === undefined ? {} : { ruleKey }), about });
  } catch {
    // A failing log does not change the decision.
  }
}
