import type { ToolResult } from '@haft/core';
import { describeReading } from './describe-reading.ts';
import type { Paint, Tone } from './paint.ts';
import { showableEnds, showableLine } from './showable.ts';
import type { ShownCall } from './shown-call.ts';

/** Maximum length of a remark; the caller wraps it. */
const shownCharacters = 600;
const shownIssues = 5;

/** One call on one line: `✓ read src/a.ts (1 ms)`, `✓ edit src/a.ts (+3 −1)`, `✗ bash node --test · EXIT_CODE (world)`. */
export function formatCallLine(call: ShownCall, paint: Paint): string {
  const { result } = call;
  const { mark, tone } = verdictOf(result);
  const head = `${paint(tone, mark)} ${paint('strong', call.name)}${call.target === '' ? '' : ` ${call.target}`}`;
  const tail = result.ok ? '' : ` ${paint(tone, `${result.error.code} (${result.error.fault})`)}`;
  const measured = measure(result);
  return `${head}${measured === '' ? '' : ` ${paint('quiet', `(${measured})`)}`}${tail}`;
}

/** Remarks for the user: how the call was read, why it did not run, and what to do. */
export function formatCallRemarks(call: ShownCall, paint: Paint): readonly string[] {
  const { result } = call;
  const reading = describeReading(result, call.envelope);
  const label = result.arguments?.risk === 'truncated' ? 'cut off' : 'read as meant';
  const remarks = call.written === undefined ? [] : [paint('quiet', `written: ${showableEnds(call.written)}`)];
  if (reading.length > 0) remarks.push(paint('warn', `${label}: ${showableLine(reading.join(', '), shownCharacters)}`));
  if (result.ok) return remarks;
  const { hint } = result.error;
  return [
    ...remarks,
    ...reasonsOf(result).map((reason) => paint('quiet', showableLine(reason, shownCharacters))),
    ...(hint === undefined ? [] : [paint('accent', `→ ${showableLine(hint, shownCharacters)}`)]),
  ];
}

/** The mark of a result and its tone. */
export function verdictOf(result: ToolResult): { readonly mark: string; readonly tone: Tone } {
  if (result.ok) return { mark: '✓', tone: 'good' };
  if (result.error.fault === 'policy') return { mark: '⊘', tone: 'warn' };
  if (result.error.fault === 'cancelled') return { mark: '◌', tone: 'quiet' };
  return { mark: '✗', tone: 'bad' };
}

function measure(result: ToolResult): string {
  const { diff } = result;
  return diff ? `+${diff.additions} −${diff.deletions}` : describeTime(result);
}

/** The duration of the call; empty for a denied call, which only waited for the user. */
export function describeTime(result: ToolResult): string {
  return !result.ok && result.error.denial ? '' : formatDuration(result.durationMs);
}

/** `1 ms`, `940 ms`, `1.2 s`. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The message and its issues, a line each; for a denial, its reason. */
function reasonsOf({ error }: ToolResult & { readonly ok: false }): readonly string[] {
  const issues = (error.issues ?? []).map((issue) => issue.message);
  const more = issues.length > shownIssues ? [`… and ${issues.length - shownIssues} more`] : [];
  return [error.denial?.reason ?? error.message, ...issues.slice(0, shownIssues), ...more];
}
