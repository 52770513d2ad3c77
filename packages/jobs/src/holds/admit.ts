import type { Footprint } from '@haft/core';

import type { Queryable } from '../engine/engine.ts';
import { conflicts, footprintOfHolds, holdsOf, parseFootprint, type Hold } from './footprints.ts';
import { jobSignal, type Ledger } from '../ledger/ledger.ts';
import type { Attempt } from '../ledger/job-row.ts';

/** A limit, with the name under which its calls are counted. */
export interface LimitSpace {
  readonly space: string;
  readonly parallel?: number;
  readonly rate?: { readonly calls: number; readonly perMs: number };
}

/** The requirements of an attempt before its body may start. */
export interface Needs extends Attempt {
  readonly workspace: string;
  readonly footprint: Footprint | undefined;
  readonly limits: readonly LimitSpace[];
  /** Whether the attempt already counts towards the rates of its limits. */
  readonly isCounted: boolean;
}

/**
 * Whether an attempt may start. `waiting`: it was queued again and waits. `lost`: it no longer holds its job.
 */
export type Admission = 'admitted' | 'waiting' | 'lost';

/** Returns the space of the footprints of a workspace. */
export function footprintSpace(workspace: string): string {
  return `footprint:${workspace}`;
}

/**
 * Grants an attempt its footprint and its limits, all of them or none. If one of them is not available, queues the job
 * again. Locks the spaces in sorted order, so that two attempts never wait for each other.
 */
export async function admit(ledger: Ledger, needs: Needs): Promise<Admission> {
  const { engine, tables } = ledger;
  const { id, attempt, workspace, footprint, limits, isCounted } = needs;
  const own = footprintSpace(workspace);
  return engine.transaction(async (transaction) => {
    await lockSpaces(transaction, tables.schema, [
      ...(footprint === undefined ? [] : [own]),
      ...limits.map(({ space }) => space),
    ]);
    const [job] = await transaction.query<{ seq: number; priority: number; queue: string; tool: string }>(
      `select seq, priority, queue, tool from ${tables.jobs} where id = $1 and attempt = $2 and state = 'leased' for update`,
      [id, attempt],
    );
    if (job === undefined) return 'lost';
    await transaction.query(`delete from ${tables.holds} where job = $1`, [id]);
    const obstacle =
      (await findTakenLimit(ledger, transaction, { limits, isCounted }, job.seq)) ??
      (footprint && (await hasConflict(ledger, transaction, own, footprint, job.seq))
        ? { waitingFor: own }
        : undefined);
    if (obstacle !== undefined) {
      await transaction.query(
        `update ${tables.jobs} set state = 'queued', lease_until = null, called_at = null, waiting_for = $3, footprint = $4
         where id = $1 and attempt = $2`,
        [id, attempt, obstacle.waitingFor, JSON.stringify(footprint ?? null)],
      );
      await transaction.query(
        `insert into ${tables.events} (job, attempt, kind, data) values ($1, $2, 'waiting', $3)`,
        [id, attempt, JSON.stringify({ for: obstacle.waitingFor })],
      );
      await transaction.query('select pg_notify($1, $2)', [ledger.channel, `${jobSignal}${id}`]);
      if (obstacle.retryAfterMs !== undefined) {
        const ticket = {
          job: id,
          tool: job.tool,
          priority: job.priority,
          isCalled: true,
          startAfter: obstacle.retryAfterMs,
        };
        await ledger.queue.issue(transaction, job.queue, [ticket]);
      }
      return 'waiting';
    }
    await insertHolds(ledger, transaction, needs);
    return 'admitted';
  });
}

/** Locks spaces until the end of the transaction. */
export async function lockSpaces(transaction: Queryable, schema: string, spaces: readonly string[]): Promise<void> {
  for (const space of [...new Set(spaces)].sort()) {
    await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${schema} ${space}`]);
  }
}

interface Obstacle {
  readonly waitingFor: string;
  readonly retryAfterMs?: number;
}

async function findTakenLimit(
  { tables }: Ledger,
  transaction: Queryable,
  { limits, isCounted }: Pick<Needs, 'limits' | 'isCounted'>,
  seq: number,
): Promise<Obstacle | undefined> {
  for (const { space, parallel, rate } of limits) {
    if (parallel !== undefined) {
      const [row] = await transaction.query<{ count: number }>(
        `select ((select count(*) from ${tables.holds} where space = $1)
           + (select count(*) from ${tables.jobs} where waiting_for = $1 and state = 'queued' and seq < $2))::integer as count`,
        [space, seq],
      );
      if ((row?.count ?? 0) >= parallel) return { waitingFor: space };
    }
    if (rate !== undefined && !isCounted) {
      const [row] = await transaction.query<{ count: number; waitMs: number | null }>(
        `with recent as (
          select at from ${tables.starts} where space = $1 and at > clock_timestamp() - $2::float8 * interval '1 millisecond'
        ) select count(*)::integer as count,
            (extract(epoch from min(at) - clock_timestamp()) * 1000 + $2::float8)::float8 as "waitMs" from recent`,
        [space, rate.perMs],
      );
      if (row !== undefined && row.count >= rate.calls)
        return { waitingFor: `rate:${space}`, retryAfterMs: Math.max(1, row.waitMs ?? 0) };
    }
  }
  return undefined;
}

/** Checks whether a footprint conflicts with running calls, or with calls that have waited longer. */
async function hasConflict(
  { tables }: Ledger,
  transaction: Queryable,
  space: string,
  footprint: Footprint,
  seq: number,
): Promise<boolean> {
  const holds = await transaction.query<Hold>(
    `select key, is_write as "isWrite" from ${tables.holds} where space = $1`,
    [space],
  );
  if (conflicts(footprint, footprintOfHolds(holds))) return true;
  const earlier = await transaction.query<{ footprint: string | null }>(
    `select footprint from ${tables.jobs} where waiting_for = $1 and state = 'queued' and seq < $2`,
    [space, seq],
  );
  return earlier.some((row) => {
    const other = parseFootprint(row.footprint);
    return other !== null && conflicts(footprint, other);
  });
}

async function insertHolds(
  { tables }: Ledger,
  transaction: Queryable,
  { id, attempt, workspace, footprint, limits, isCounted }: Needs,
): Promise<void> {
  const rows = [
    ...(footprint === undefined ? [] : holdsOf(footprint)).map((hold) => ({
      ...hold,
      space: footprintSpace(workspace),
    })),
    ...limits.filter(({ parallel }) => parallel !== undefined).map(({ space }) => ({ space, key: '', isWrite: true })),
  ];
  if (rows.length > 0) {
    await transaction.query(
      `insert into ${tables.holds} (space, key, is_write, job, attempt) select space, key, "isWrite", $2, $3
       from json_to_recordset($1::json) as (space text, key text, "isWrite" boolean)`,
      [JSON.stringify(rows), id, attempt],
    );
  }
  for (const { space, rate } of limits) {
    if (rate === undefined || isCounted) continue;
    await transaction.query(
      `delete from ${tables.starts} where space = $1 and at <= clock_timestamp() - $2::float8 * interval '1 millisecond'`,
      [space, rate.perMs],
    );
    await transaction.query(`insert into ${tables.starts} values ($1, clock_timestamp())`, [space]);
  }
}
