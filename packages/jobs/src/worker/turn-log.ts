import type { OpenTurn, RunLog } from '@haft/core';

import { keepTrying, type Patience } from '../engine/keep-trying.ts';
import { jobSignal, type Ledger } from '../ledger/ledger.ts';
import type { HeldJob } from './held-job.ts';

interface TurnRow {
  readonly turn: number;
  readonly answer: string | null;
  readonly record: string | null;
  readonly interrupted: number;
  readonly asking: number | null;
}

/** Stores the turns of a run in the ledger. Rejects every write if this attempt no longer holds the job. */
export function createTurnLog({ engine, tables, channel }: Ledger, patience: Patience, held: HeldJob): RunLog {
  const { id, attempt } = held.job;
  const isHeld = `select id from ${tables.jobs} where id = $1 and attempt = $2 and state = 'started'`;

  const write = async (doing: string, text: string, values: readonly unknown[]): Promise<void> => {
    // A run that ends because its worker stopped is not complete.
    if (held.isReleased || held.isLost) throw new Error(`${doing}: the worker no longer holds the run`);
    const rows = await keepTrying(engine, { ...patience, timeoutMs: Infinity }, doing, () => {
      held.controller.signal.throwIfAborted();
      return engine.query(text, [id, attempt, ...values]);
    });
    if (rows.length > 0) return;
    held.lose();
    throw new Error(`${doing}: another worker has taken over the run`);
  };

  return {
    async read() {
      const rows = await keepTrying(engine, patience, 'reading turns', () =>
        engine.query<TurnRow>(
          `select turn, answer, record, interrupted, asking from ${tables.turns} where job = $1 order by turn`,
          [id],
        ),
      );
      const complete = rows.filter(({ record }) => record !== null);
      const last = rows.find(({ record }) => record === null);
      return { turns: complete.map(({ record }) => JSON.parse(record!) as unknown), open: openTurnOf(last, attempt) };
    },
    ask: (turn) =>
      write(
        'recording a request',
        `with held as (${isHeld}), asked as (
          insert into ${tables.turns} as t (job, turn, asking) select id, $3::integer, $2::integer from held
          on conflict (job, turn) do update set asking = $2::integer,
            interrupted = t.interrupted + case when t.asking <> $2::integer then 1 else 0 end
          returning job, interrupted
        ), recorded as (
          insert into ${tables.events} (job, attempt, kind, data)
          select job, $2::integer, 'asked-again', json_build_object('turn', $3::integer)::text from asked
            where interrupted > 0
        ) select job from asked`,
        [turn],
      ),
    answer: (turn, answer) =>
      write(
        'recording an answer',
        `with held as (${isHeld} for update)
        update ${tables.turns} set answer = $4, asking = null from held where job = held.id and turn = $3 returning job`,
        [turn, JSON.stringify(answer)],
      ),
    complete: (turn, record) =>
      write(
        'recording a turn',
        `with held as (
          update ${tables.jobs} set lost = 0 where id = $1 and attempt = $2 and state = 'started' returning id
        ), complete as (
          insert into ${tables.turns} (job, turn, record) select id, $3::integer, $4 from held
          on conflict (job, turn) do update set record = $4, answer = null, asking = null
          returning job
        ), recorded as (
          insert into ${tables.events} (job, attempt, kind, data)
          select job, $2::integer, 'turn', json_build_object('turn', $3::integer)::text from complete
        ) select job, pg_notify('${channel}', '${jobSignal}' || job) from complete`,
        [turn, JSON.stringify(record)],
      ),
  };
}

function openTurnOf(row: TurnRow | undefined, attempt: number): OpenTurn {
  if (row === undefined) return { interrupted: 0 };
  const { answer, interrupted, asking } = row;
  return {
    ...(answer !== null && { answer: JSON.parse(answer) as unknown }),
    interrupted: interrupted + (asking !== null && asking !== attempt ? 1 : 0),
  };
}
