import type { ToolResult } from '@haft/core';
import { describeReading } from './describe-reading.ts';
import type { Paint, Tone } from './paint.ts';
import { showableEnds, showableLine } from './showable.ts';
import type { ShownCall } from './shown-call.ts';

/** One call on one line: `✓ read src/a.ts (1 ms)`, `✓ edit src/a.ts (+3 −1)`, `✗ bash node --test · EXIT_CODE (world)`. */
export function formatCallLine(call: ShownCall, paint: Paint): string {
  const { result } = call;
  const { mark, tone } = verdictOf(result);
  const head = `${paint(tone, mark)} ${paint('strong', call.name)}${call.target === '' ? '' : ` ${call.target}`}`;
  const tail = result.ok ? '' : ` ${paint(tone, `${result.error.code} (${result.error.fault})`)}`;
  return `${head} ${paint('quiet', `(${measure(result)})`)}${tail}`;
}

/** What a person wants to know besides: how the call was read, and why it was not done. */
export function formatCallRemarks(call: ShownCall, paint: Paint): readonly string[] {
  const { result } = call;
  const reading = describeReading(result, call.envelope);
  const label = result.arguments?.risk === 'truncated' ? 'cut off' : 'read as meant';
  const remarks = call.written === undefined ? [] : [paint('quiet', `written: ${showableEnds(call.written)}`)];
  if (reading.length > 0) remarks.push(paint('warn', `${label}: ${showableLine(reading.join(', '), 78)}`));
  if (!result.ok) remarks.push(paint('quiet', reasonOf(result)));
  return remarks;
}

/** The sign of an answer and how it looks. */
export function verdictOf(result: ToolResult): { readonly mark: string; readonly tone: Tone } {
  if (result.ok) return { mark: '✓', tone: 'good' };
  if (result.error.fault === 'policy') return { mark: '⊘', tone: 'warn' };
  if (result.error.fault === 'cancelled') return { mark: '◌', tone: 'quiet' };
  return { mark: '✗', tone: 'bad' };
}

function measure(result: ToolResult): string {
  const { diff } = result;
  return diff ? `+${diff.additions} −${diff.deletions}` : formatDuration(result.durationMs);
}

/** `1 ms`, `940 ms`, `1.2 s`. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function reasonOf(result: ToolResult & { readonly ok: false }): string {
  const { error } = result;
  const issue = error.issues?.[0]?.message;
  return showableLine(
    error.denial?.reason ?? (issue === undefined ? error.message : `${error.message}: ${issue}`),
    110,
  );
}
