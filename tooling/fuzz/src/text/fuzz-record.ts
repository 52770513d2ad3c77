import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import type { Failure } from './inputs/input.ts';
import type { FuzzRequest } from './read-arguments.ts';

/** How far one process's share of a run is. */
export interface ShareRecord {
  /** How often a process was begun for it. The next one makes other inputs than those before it. */
  attempts: number;
  done: number;
  full: number;
}

/** How far a run is, kept in a file so that it can be watched and gone on with. */
export interface FuzzRecord {
  readonly seed: string;
  /** Inputs to read, all shares together. */
  readonly count: number;
  readonly shares: readonly ShareRecord[];
  /** How long it has run, all times together. */
  seconds: number;
  traits: number;
  readonly failures: Failure[];
}

/** The record of a run in which nothing has been read. */
export function beginRecord({ seed, count, jobs }: Pick<FuzzRequest, 'seed' | 'count' | 'jobs'>): FuzzRecord {
  const shares = Array.from({ length: jobs }, () => ({ attempts: 0, done: 0, full: 0 }));
  return { seed, count, shares, seconds: 0, traits: 0, failures: [] };
}

/** The record in a file, if it is there. Throws a `TypeError` when the file holds something else. */
export function readRecord(file: string): FuzzRecord | undefined {
  if (!existsSync(file)) return undefined;
  const record = JSON.parse(readFileSync(file, 'utf8')) as Partial<FuzzRecord> | null;
  const isRecord = typeof record?.seed === 'string' && Array.isArray(record.shares) && Array.isArray(record.failures);
  if (!isRecord) throw new TypeError(`${file} is not the record of a run`);
  return record as FuzzRecord;
}

/** Writes a record so that whoever reads the file meanwhile finds all of the old one or all of the new one. */
export function writeRecord(file: string, record: FuzzRecord): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(record, undefined, 1)}\n`);
  renameSync(`${file}.new`, file);
}

/** Inputs read in all shares, and those of which all laws were asked. */
export function totalOf({ shares }: FuzzRecord): { readonly done: number; readonly full: number } {
  const sum = (of: (share: ShareRecord) => number): number => shares.reduce((total, share) => total + of(share), 0);
  return { done: sum(({ done }) => done), full: sum(({ full }) => full) };
}
