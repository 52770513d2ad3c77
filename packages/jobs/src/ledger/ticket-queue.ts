import { randomUUID } from 'node:crypto';

import type { PgBoss } from 'pg-boss';

import type { Engine, Queryable } from '../engine/engine.ts';
import { loadPackage } from '../engine/load-package.ts';

/**
 * A queue of pg-boss. A ticket means that a job may be taken now. It is consumed in the transaction that leases the job,
 * and created in the transaction that queues it, so that ledger and queue never disagree.
 */
export interface TicketQueue {
  /** Creates a queue if it is missing. */
  ensure(queue: string): Promise<void>;
  issue(transaction: Queryable, queue: string, tickets: readonly Ticket[]): Promise<void>;
  /** The statement of `issue`. */
  issuing(queue: string, tickets: readonly Ticket[]): Promise<Statement>;
  /**
   * A statement that consumes up to `limit` tickets, highest priority first. Skips called tickets of the given tools.
   * Its rows have the `id` of the ticket and, in `data`, the `job`.
   */
  taking(queue: string, limit: number, exceptTools: readonly string[]): Promise<Statement>;
  /** Deletes consumed tickets soon. Until then, they are active, so pg-boss gives them to no other worker. */
  forget(queue: string, tickets: readonly string[]): void;
  stop(): Promise<void>;
}

/** A statement of pg-boss, to run alone or as a common table expression of a larger statement. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Lets a worker take a job. */
export interface Ticket {
  readonly job: string;
  readonly tool: string;
  readonly priority: number;
  /** Whether the job has waited for a lease or a limit, and goes before others of its priority. */
  readonly isCalled?: boolean;
  /** Milliseconds from now, or a time. */
  readonly startAfter?: Date | number | undefined;
}

/** How long consumed tickets are collected before one statement deletes them. */
const forgetMs = 250;

/** Lifetime of a ticket in seconds: about 60 years, so that tickets practically never expire. */
const maxRetentionSeconds = 1_900_000_000;

/** Starts pg-boss in a schema of its own. Its maintenance reports problems to `warn`. */
export async function openTicketQueue(
  engine: Engine,
  schema: string,
  warn: (error: unknown) => void,
): Promise<TicketQueue> {
  const { PgBoss: Boss } = await loadPackage('pg-boss', engine.kind, () => import('pg-boss'));
  const boss: PgBoss = new Boss({
    db: adapt(engine),
    ...(engine.kind === 'pglite' ? { backend: 'pglite' as const } : {}),
    schema: `${schema}_queue`,
    schedule: false,
    useListenNotify: false,
    monitorVacuum: false,
    reindex: engine.kind === 'postgres',
  });
  boss.on('error', warn);
  // If several hosts create the queue at the same time, all but one may fail at first.
  await boss.start({ attempts: 3 });
  const known = new Map<string, Promise<void>>();
  let consumed = new Map<string, string[]>();
  let timer: NodeJS.Timeout | undefined;

  const deleteConsumed = async (): Promise<void> => {
    timer = undefined;
    const found = consumed;
    consumed = new Map();
    for (const [queue, ids] of found) {
      // A ticket that remains expires by itself.
      await boss.deleteJob(queue, ids).catch(() => undefined);
    }
  };

  const issuing: TicketQueue['issuing'] = (queue, tickets) =>
    capture(async (db) => {
      const jobs = tickets.map(({ job, tool, priority, isCalled = false, startAfter }) => ({
        id: randomUUID(),
        data: { job },
        // A worker without the tool takes only the first ticket, so that the job is shown as waiting.
        ...(isCalled ? { group: { id: tool } } : {}),
        priority: priority * 2 + (isCalled ? 1 : 0),
        ...(startAfter === undefined
          ? {}
          : { startAfter: typeof startAfter === 'number' ? startAfter / 1_000 : startAfter }),
      }));
      await boss.insert(queue, jobs, { db });
    });

  return {
    ensure(queue) {
      let creating = known.get(queue);
      if (creating === undefined) {
        creating = boss.createQueue(queue, { retentionSeconds: maxRetentionSeconds, retryLimit: 0 });
        known.set(queue, creating);
        creating.catch(() => known.delete(queue));
      }
      return creating;
    },
    async issue(transaction, queue, tickets) {
      const { text, values } = await issuing(queue, tickets);
      await transaction.query(text, values);
    },
    issuing,
    taking: (queue, limit, exceptTools) =>
      capture((db) => boss.fetch(queue, { batchSize: limit, db, ignoreGroups: [...exceptTools] })),
    forget(queue, tickets) {
      consumed.set(queue, [...(consumed.get(queue) ?? []), ...tickets]);
      timer ??= setTimeout(() => void deleteConsumed(), forgetMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      await deleteConsumed();
      await boss.stop({ graceful: false });
    },
  };
}

/** Returns the statement that pg-boss runs, without running it. */
async function capture(work: (db: BossDatabase) => Promise<unknown>): Promise<Statement> {
  const statements: Statement[] = [];
  await work({
    async executeSql(text, values = []) {
      statements.push({ text, values });
      return { rows: [] };
    },
  });
  const [statement] = statements;
  if (statement === undefined || statements.length > 1)
    throw new Error(`this version of pg-boss is not supported (expected one statement, got ${statements.length})`);
  return statement;
}

interface BossDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

function adapt(database: Queryable): BossDatabase {
  return { executeSql: async (text, values) => ({ rows: [...(await database.query<unknown>(text, values ?? []))] }) };
}
