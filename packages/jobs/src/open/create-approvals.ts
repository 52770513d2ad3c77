import { createHash } from 'node:crypto';

import type { Denial, PermissionDecision, PermissionEngine, PermissionRequest } from '@haft/core';

import type { ApprovalOptions } from '../contracts/question.ts';
import { keepTrying, type Patience } from '../engine/keep-trying.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { askForJob } from '../states/job-questions.ts';
import { currentJob } from '../worker/current-job.ts';

/**
 * Wraps a permission engine that has no user to ask: a call that it denies only for that reason (`no-approver`) becomes a
 * question in the ledger. The job waits for the answer without a worker, through restarts and on any host.
 */
export function createApprovals(
  ledger: Ledger,
  patience: Patience,
  engine: PermissionEngine,
  { expiresMs = 7 * 86_400_000 }: ApprovalOptions = {},
): PermissionEngine {
  return {
    async ask(request) {
      const decision = await engine.ask(request);
      const held = currentJob.getStore();
      if (held === undefined || decision.action === 'allow' || decision.denial.source !== 'no-approver')
        return decision;
      // A running body can't be suspended.
      if (held.hasStarted) return decision;
      const { callId, tool, provider, title, sessionId, arguments: args } = request;
      const question = { callId, tool, provider, title, sessionId, arguments: args, reason: reasonOf(decision.denial) };
      const asking = {
        id: held.job.id,
        attempt: held.job.attempt,
        fingerprint: fingerprintOf(request),
        question,
        expiresMs,
      };
      const asked = await keepTrying(ledger.engine, patience, 'asking a person', () => askForJob(ledger, asking));
      if (asked === 'waiting') held.release('the job waits for a person');
      if (asked === 'lost') held.lose();
      if (typeof asked === 'string') return deny('no-approver', 'the question was not answered in time');
      if (asked.action === 'allow') return { action: 'allow' };
      return deny('person', asked.reason ?? `${asked.by} denied it`);
    },
  };
}

/** The end of the sentence in the denials of `@haft/core` and `@haft/permission`. Here, a person can be asked. */
const noApprover = /, and no (?:user can be asked|permission engine can (?:ask|approve it))$/;

/** Returns the reason for the person who is asked. */
function reasonOf({ reason }: Denial): string {
  return reason.replace(noApprover, ', and no rule allows it');
}

function deny(source: 'person' | 'no-approver', reason: string): PermissionDecision {
  return { action: 'deny', denial: { source, reason } };
}

/** Identifies a call by its tool and exactly its arguments. */
export function fingerprintOf({
  tool,
  provider,
  arguments: args,
}: Pick<PermissionRequest, 'tool' | 'provider' | 'arguments'>): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, provider, sorted(args)]))
    .digest('hex');
}

/** Sorts the keys of objects, because their order has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
