import { failure, success, type FileEffect, type ToolContext, type ToolResult } from '@haft/core';
import type { ReadTracker } from '../read-tracker.ts';
import { commitChanges } from './commit-changes.ts';
import { type DoneChange } from './done-change.ts';
import { describeChange, diffOfAll } from './describe-change.ts';
import type { PlannedChange } from './planned-change.ts';

/** How the result describes the changes. */
export interface ChangeReport {
  /** Text for the model, after the sentence that names the file and what happened to it. */
  readonly detail?: string;
  readonly advisories?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Whether the session has seen the new content of the files. Default true. */
  readonly seen?: boolean;
  /** The kind of effect on an existing file; default `modify`. */
  readonly op?: 'append' | 'modify';
}

/**
 * Makes all planned changes, or none if a file has changed since they were planned. The result contains one sentence
 * per file, a one-line summary, the diff and the effects.
 */
export async function saveChanges(
  changes: readonly PlannedChange[],
  context: ToolContext,
  readTracker: ReadTracker,
  report: ChangeReport = {},
): Promise<ToolResult> {
  const commit = await commitChanges(changes, context);
  if (!commit.ok) return failure(context.callId, commit.error);
  const { done } = commit;
  for (const one of done) track(one, context, readTracker, report.seen ?? true);
  const described = done.map(describeChange);
  const [only] = described;
  const isOne = described.length === 1 && only !== undefined;
  const sentence = isOne
    ? only.sentence
    : [`Changed ${described.length} files:`, ...described.map((one) => one.sentence)].join('\n');
  const diff = diffOfAll(described.map((one) => one.diff));
  const totals = `+${diff.additions} -${diff.deletions}`;
  const detail = report.detail === undefined ? '' : `${isOne ? '. ' : '\n'}${report.detail}`;
  return success(context.callId, `${sentence}${detail}${detail === '' && isOne ? '.' : ''}`, {
    summary: isOne ? only.summary : `Changed: ${described.length} files (${totals})`,
    diff,
    effects: done.map((one) => effectOf(one, report.op ?? 'modify')),
    metadata: {
      path: diff.path,
      additions: diff.additions,
      deletions: diff.deletions,
      ...(isOne ? { firstChangedLine: only.firstChangedLine } : {}),
      ...report.metadata,
    },
    advisories: report.advisories ?? [],
  });
}

function track({ change, path, hash }: DoneChange, context: ToolContext, tracker: ReadTracker, isSeen: boolean): void {
  if (change.kind !== 'create' && change.file.path !== path) tracker.forget(context.sessionId, change.file.path);
  if (change.kind === 'delete') tracker.forget(context.sessionId, path);
  else if (isSeen) tracker.record(context.sessionId, path, { hash, text: change.after });
}

function effectOf({ change, path, bytes }: DoneChange, modified: 'append' | 'modify'): FileEffect {
  if (change.kind === 'delete') return { kind: 'file', path, op: 'delete' };
  if (change.kind === 'create') return { kind: 'file', path, op: 'create', bytesAfter: bytes };
  return change.to === undefined
    ? { kind: 'file', path, op: modified, bytesAfter: bytes }
    : { kind: 'file', path, op: 'rename', from: change.file.path, bytesAfter: bytes };
}
