import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import type { Failure } from './inputs/input.ts';
import type { FuzzRequest } from './read-arguments.ts';

/** The progress of one share of a run. */
export interface ShareRecord {
  /** Number of processes started for the share. Each generates different inputs. */
  attempts: number;
  done: number;
  full: number;
}

/** The progress of a run, kept in a file so that the run can be watched and resumed. */
export interface FuzzRecord {
  readonly seed: string;
  /** Number of inputs to read, all shares together. */
  readonly count: number;
  readonly shares: readonly ShareRecord[];
  /** Total running time. */
  seconds: number;
  traits: number;
  readonly failures: Failure[];
}

/** The record of a new run. */
export function beginRecord({ seed, count, jobs }: Pick<FuzzRequest, 'seed' | 'count' | 'jobs'>): FuzzRecord {
  const shares = Array.from({ length: jobs }, () => ({ attempts: 0, done: 0, full: 0 }));
  return { seed, count, shares, seconds: 0, traits: 0, failures: [] };
}

/**
 * Reads the record in a file. Returns undefined if the file is missing. Throws a `TypeError` if its content is invalid.
 */
export function readRecord(file: string): FuzzRecord | undefined {
  if (!existsSync(file)) return undefined;
  const record = JSON.parse(readFileSync(file, 'utf8')) as Partial<FuzzRecord> | null;
  const isRecord = typeof record?.seed === 'string' && Array.isArray(record.shares) && Array.isArray(record.failures);
  if (!isRecord) throw new TypeError(`${file} is not the record of a run`);
  return record as FuzzRecord;
}

/** Writes a record atomically, so that a reader of the file sees the old one or the new one. */
export function writeRecord(file: string, record: FuzzRecord): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(record, undefined, 1)}\n`);
  renameSync(`${file}.new`, file);
}

/** Number of inputs read in all shares, and of inputs for which all laws were checked. */
export function totalOf({ shares }: FuzzRecord): { readonly done: number; readonly full: number } {
  const sum = (of: (share: ShareRecord) => number): number => shares.reduce((total, share) => total + of(share), 0);
  return { done: sum(({ done }) => done), full: sum(({ full }) => full) };
}
