import type { JobInfo, Jobs, Question } from '@haft/jobs';

import type { Invocation } from '../program/command.ts';
import { formatTable } from '../show/format-table.ts';
import { resultAsJson } from '../show/result-as-json.ts';
import { showableLine } from '../show/showable.ts';

/** Prints jobs as a table or as one JSON array. */
export function showJobs(invocation: Invocation, infos: readonly JobInfo[]): void {
  const { terminal } = invocation;
  if (invocation.flag('json')) return terminal.line(JSON.stringify(infos, null, 2));
  if (infos.length === 0) return terminal.line('No jobs.');
  const columns = [
    { title: 'id' },
    { title: 'tool', shrinks: true, minimum: 10 },
    { title: 'state' },
    { title: 'attempt', align: 'right' as const },
    { title: 'created' },
    { title: 'about', shrinks: true, minimum: 20 },
  ];
  const cells = infos.map((info) => [
    info.id,
    showableLine(info.tool, 60),
    info.state,
    `${info.attempt}`,
    timeOf(info.createdAt),
    showableLine(aboutOf(info), 200),
  ]);
  const width = terminal.isInteractive ? terminal.columns : Infinity;
  for (const line of formatTable(columns, cells, terminal.paint, width)) terminal.line(line);
}

function aboutOf({ waitingFor, note, worker, state }: JobInfo): string {
  if (waitingFor !== undefined) return `waits for ${waitingFor}`;
  if (note !== undefined) return note;
  return worker === undefined || state === 'queued' ? '' : `on ${worker}`;
}

/** Prints one job with its events and its result. */
export async function showJob(invocation: Invocation, jobs: Jobs, id: string): Promise<void> {
  const { terminal } = invocation;
  const job = jobs.job(id);
  const info = await job.info();
  const isOver = ['done', 'failed', 'cancelled', 'unknown'].includes(info.state);
  const events = await job.history();
  const result = isOver ? resultAsJson(await job.result()) : undefined;
  const call = await job.call();
  if (invocation.flag('json')) return terminal.line(JSON.stringify({ ...info, call, events, result }, null, 2));
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['job', info.id],
    ['tool', info.tool],
    ['arguments', JSON.stringify(call.arguments)],
    ['key', info.key],
    ['queue', info.queue],
    ['state', info.state],
    ['waits for', info.waitingFor],
    ['attempt', `${info.attempt} (${info.lost} workers lost)`],
    ['worker', info.worker],
    ['note', info.note],
  ];
  for (const [name, value] of facts)
    if (value !== undefined) terminal.line(`${name.padEnd(10)} ${showableLine(value, 400)}`);
  for (const { at, kind, attempt, data } of events)
    terminal.line(`  ${timeOf(at)}  ${kind.padEnd(16)} ${attempt}  ${showableLine(JSON.stringify(data), 200)}`);
  if (result !== undefined) terminal.line(showableLine(JSON.stringify(result), 2_000));
}

/** Prints the calls that wait for a person. */
export function showQuestions(invocation: Invocation, questions: readonly Question[]): void {
  const { terminal } = invocation;
  if (invocation.flag('json')) return terminal.line(JSON.stringify(questions, null, 2));
  if (questions.length === 0) return terminal.line('No call waits for a person.');
  for (const { id, title, tool, arguments: args, reason, expiresAt } of questions) {
    terminal.line(`${id}  ${terminal.paint('strong', showableLine(title, 200))}`);
    // Shows all arguments, because all of them are used.
    terminal.line(`  ${tool} ${showableLine(JSON.stringify(args), 100_000)}`);
    terminal.line(`  ${showableLine(reason, 300)}; until ${timeOf(expiresAt)}`);
  }
}

function timeOf(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').slice(0, 19);
}
