import type { PermissionRequest } from '@haft/core';

/** How a call was decided, for logs. */
export interface DecisionRecord {
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly sessionId: string;
  readonly action: 'allow' | 'deny';
  readonly by: 'protected' | 'mode' | 'rule' | 'default' | 'grant' | 'person' | 'no-approver';
  readonly ruleKey?: string;
  /**
   * `call`: the call as a whole, once. `found`: files found while the call ran that its own permission does not cover,
   * once for each reason.
   */
  readonly about: 'call' | 'found';
}

/** The source of a decision, with the key of its rule. */
export type Decided = Pick<DecisionRecord, 'action' | 'by'> & { readonly ruleKey?: string | undefined };

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
