import type { DoneChange } from './done-change.ts';
import { toolError, type ToolContext, type ToolError } from '@haft/core';
import { encodeText } from '@haft/sandbox';
import { toFileError } from '../file-errors.ts';
import { carryOut, type Step } from './carry-out-changes.ts';
import type { PlannedChange } from './planned-change.ts';

/** The outcome of planned changes: all were made, or none. */
export type Commit =
  | { readonly ok: true; readonly done: readonly DoneChange[] }
  | { readonly ok: false; readonly error: ToolError };

/**
 * Makes all planned changes, or none. If one fails, undoes those before it in reverse order. Each file changes in one
 * step, and only if it is still in the state that was planned for.
 */
export async function commitChanges(changes: readonly PlannedChange[], context: ToolContext): Promise<Commit> {
  const encoded: Uint8Array[] = [];
  for (const change of changes) {
    const text = change.kind === 'delete' ? '' : change.after;
    const format = change.kind === 'create' ? change.format : change.file.format;
    const bytes = encodeText(text, format);
    if (!bytes.ok) return { ok: false, error: await toFileError(bytes, 'write', change.place) };
    encoded.push(bytes.bytes);
  }
  const steps: Step[] = [];
  for (const [index, change] of changes.entries()) {
    const step = context.signal.aborted
      ? cancelled(change)
      : await carryOut(change, encoded[index]!, changes.length > 1);
    if (!step.ok) return { ok: false, error: await undo(steps, step.error) };
    steps.push(step);
  }
  for (const step of steps) await step.finish?.();
  return { ok: true, done: steps.map(({ done }) => done) };
}

function cancelled({ place }: PlannedChange): { readonly ok: false; readonly error: ToolError } {
  return { ok: false, error: toolError('ABORTED', `${place.shown} was not changed: the call was cancelled`) };
}

async function undo(steps: readonly Step[], error: ToolError): Promise<ToolError> {
  const stuck: string[] = [];
  for (const step of steps.toReversed()) if (!(await step.undo())) stuck.push(step.done.change.place.shown);
  if (stuck.length === 0) return error;
  return {
    ...error,
    message: `${error.message}; earlier changes to ${stuck.join(', ')} could not be undone`,
    hint: `Read ${stuck.join(', ')} to see what is there now. ${error.hint ?? ''}`.trim(),
    details: { ...error.details, notUndone: stuck },
  };
}
