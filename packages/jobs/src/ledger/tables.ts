/** Names of the ledger's tables, with their schema. */
export interface Tables {
  readonly schema: string;
  readonly ledger: string;
  readonly jobs: string;
  readonly events: string;
  readonly holds: string;
  readonly starts: string;
  readonly questions: string;
  readonly turns: string;
}

/** Returns the names of the tables in a schema. The schema is a checked identifier. */
export function tablesIn(schema: string): Tables {
  return {
    schema,
    ledger: `${schema}.ledger`,
    jobs: `${schema}.jobs`,
    events: `${schema}.events`,
    holds: `${schema}.holds`,
    starts: `${schema}.starts`,
    questions: `${schema}.questions`,
    turns: `${schema}.turns`,
  };
}

/** The default of the option `schema`. */
export const defaultSchema = 'haft_jobs';

/** SQL that migrates tables from one version to the next. */
export type Migrations = readonly ((tables: Tables) => string)[];

/**
 * The steps that create the tables. Step n migrates a ledger from version n to version n + 1. Never change a released
 * step. Steps only add tables and columns, so that programs of the previous version keep working.
 */
export const migrations: Migrations = [
  ({ jobs, events, holds, starts, questions }) => `
    create table ${jobs} (
      seq bigint generated always as identity,
      id uuid primary key,
      queue text not null,
      workspace text not null,
      key text,
      tool text not null,
      call_id text not null,
      call text not null,
      context text not null,
      schema_hash text,
      priority integer not null,
      timeout_ms double precision,
      start_after timestamptz not null,
      state text not null default 'queued',
      waiting_for text,
      called_at timestamptz,
      footprint text,
      attempt integer not null default 0,
      lost integer not null default 0,
      worker text,
      lease_ms integer,
      lease_until timestamptz,
      if_lost text,
      is_recovering boolean not null default false,
      cancel_reason text,
      result text,
      note text,
      settled_by text,
      created_at timestamptz not null default clock_timestamp(),
      started_at timestamptz,
      finished_at timestamptz
    );
    create unique index on ${jobs} (workspace, tool, key) where key is not null;
    create index on ${jobs} (lease_until) where state in ('leased', 'started');
    create index on ${jobs} (waiting_for, seq) where waiting_for is not null;
    create index on ${jobs} (finished_at) where finished_at is not null;
    create index on ${jobs} (state, seq) where state in ('queued', 'unknown');
    create table ${events} (
      seq bigint generated always as identity primary key,
      job uuid not null,
      attempt integer not null,
      kind text not null,
      data text not null,
      at timestamptz not null default clock_timestamp()
    );
    create index on ${events} (job, seq);
    create table ${holds} (
      space text not null,
      key text not null,
      is_write boolean not null,
      job uuid not null,
      attempt integer not null
    );
    create index on ${holds} (space);
    create index on ${holds} (job);
    create table ${starts} (space text not null, at timestamptz not null);
    create index on ${starts} (space, at);
    create table ${questions} (
      seq bigint generated always as identity,
      id uuid primary key,
      job uuid not null,
      fingerprint text not null,
      question text not null,
      asked_at timestamptz not null default clock_timestamp(),
      expires_at timestamptz not null,
      action text,
      reason text,
      answered_by text,
      answered_at timestamptz,
      applied_at timestamptz
    );
    create unique index on ${questions} (job, fingerprint) where applied_at is null;
    create index on ${questions} (seq) where applied_at is null and action is null;`,
  ({ turns }) => `
    create table ${turns} (
      job uuid not null,
      turn integer not null,
      answer text,
      record text,
      asking integer,
      interrupted integer not null default 0,
      primary key (job, turn)
    );`,
  // Jobs that were submitted with a delay, or by an earlier version, have null: they have a ticket, but no place in a
  // backlog.
  ({ jobs }) => `
    alter table ${jobs} add column has_ticket boolean;
    create index on ${jobs} (queue, workspace, priority desc, seq)
      where state = 'queued' and waiting_for is null and has_ticket is not null;
    create index on ${jobs} (queue, workspace) where state = 'queued' and not has_ticket;`,
];

/** Identifies the tables of a new ledger in the default schema. */
export const newTables: string = migrations.map((step) => step(tablesIn(defaultSchema))).join('\n');
