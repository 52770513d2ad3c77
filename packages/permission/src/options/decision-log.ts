import type { PermissionRequest } from '@haft/core';

/** How a call was decided, for logs. */
export interface DecisionRecord {
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly sessionId: string;
  readonly action: 'allow' | 'deny';
  readonly by: 'protected' | 'mode' | 'rule' | 'default' | 'grant' | 'person' | 'nobody';
  readonly ruleKey?: string;
  /**
   * `call`: the call as a whole, once. `found`: files that it came across while it ran and that its own permission does
   * not settle, once for each reason.
   */
  readonly about: 'call' | 'found';
}

/** Who decided, and by which rule. */
export type Decided = Pick<DecisionRecord, 'action' | 'by'> & { readonly ruleKey?: string | undefined };

/** Tells a listener how a request was decided; what it throws is dropped. */
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
    // A log that fails changes no decision.
  }
}
