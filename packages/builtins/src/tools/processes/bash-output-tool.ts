import { failure, success, type AnyTool, type ToolResult } from '@haft/core';
import type { ManagedProcess, ManagedProcessStatus, OutputSlice, ProcessManager } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { describeState, listProcess, type ListedProcess } from './describe-process.ts';
import { findProcess, processAliases } from './find-process.ts';

const maxWaitMs = 600_000;
const maxCharacters = 50_000;
const defaultMaxLines = 1_000;
const afterBreaks = /(?<=\n)/;

const input = z.strictObject({
  id: z.string().min(1).describe('The process, as bash named it when it was started, for example "p1".'),
  cursor: z
    .int()
    .min(0)
    .optional()
    .describe('Where to continue: the cursor of the last result; 0 for the beginning. Default: the latest output.'),
  max_lines: z.int().min(1).max(10_000).optional().describe(`Maximum number of lines. Default ${defaultMaxLines}.`),
  filter: z.string().min(1).optional().describe('Show only lines that contain this text, in any case.'),
  wait_ms: z
    .int()
    .min(0)
    .max(maxWaitMs)
    .optional()
    .describe(
      'Milliseconds to wait for output after the cursor, or for the end, if there is no output yet. Default 0.',
    ),
});

/** The result of `bash_output`. */
export interface ReadOutput {
  readonly text: string;
  /** The cursor for the next read. */
  readonly cursor: number;
  /** Number of characters before `text` that are no longer in memory. */
  readonly dropped: number;
  /** Whether more output is already available. */
  readonly more: boolean;
  /** The incomplete last line. It is read again when it is complete. */
  readonly open: string;
  readonly process: ListedProcess;
}

/** Creates the `bash_output` tool, which returns the output of a background process from a cursor on. */
export function createBashOutputTool(manager: ProcessManager, dependencies: BuiltinDependencies = {}): AnyTool {
  return defineBuiltin('createProcessTools', dependencies, {
    name: 'bash_output',
    title: 'Read the output of a process',
    description:
      'Reads the output of a background process of bash, and whether it still runs. ' +
      'Pass the cursor of the last result to get only new output, and wait_ms to wait for it instead of asking repeatedly.',
    input,
    kind: 'read',
    traits: { readOnly: true, idempotent: true, openWorld: false, requires: ['process'] },
    timeoutMs: maxWaitMs + 15_000,
    aliases: {
      id: processAliases,
      cursor: ['stdout_cursor', 'offset', 'since'],
      max_lines: ['maxLines', 'limit', 'lines'],
      wait_ms: ['waitMs', 'delay_ms'],
    },
    outputModes: true,
    renderModel: (output) => render(output as ReadOutput),
    footprint: ({ id }) => ({ reads: [`process:${id}`] }),
    initialTitle: ({ id }) => `Read the output of ${id}`,
    run: (args, call) => readOutput(args, call, manager),
  });
}

async function readOutput(
  args: z.output<typeof input>,
  { context }: BuiltinCall,
  manager: ProcessManager,
): Promise<ToolResult> {
  const { callId } = context;
  const process = findProcess(manager, context.sessionId, args.id);
  if (!('ok' in process)) return failure(callId, process);
  if (args.wait_ms !== undefined) await wait(process, args.cursor, args.wait_ms, context);
  const { text, slice, leftOut } = take(process, args);
  const status = process.status();
  const notes = describeRest(status, slice, leftOut);
  const summary = `Output of ${status.id}: ${text.length} characters, ${status.isAlive ? 'running' : 'ended'}`;
  const value: ReadOutput = {
    text,
    cursor: slice.cursor,
    dropped: slice.dropped,
    more: slice.hasMore,
    open: slice.open,
    process: listProcess(status),
  };
  return success(callId, [{ type: 'json', value }], { summary, structured: value, advisories: notes });
}

function render({ text, open, cursor, process }: ReadOutput): string {
  const said = `${text}${open}`.trimEnd();
  const end = `[${process.id} ${describeState(process)}; cursor ${cursor}]`;
  return said === '' ? end : `${said}\n${end}`;
}

async function wait(
  process: ManagedProcess,
  cursor: number | undefined,
  ms: number,
  context: BuiltinCall['context'],
): Promise<void> {
  const left = Math.max(0, Math.min(ms, context.deadline - context.now() - 1_000));
  const stop = AbortSignal.any([context.signal, AbortSignal.timeout(left)]);
  await process.waitForOutput(cursor ?? process.status().totalCharacters, stop);
}

interface Taken {
  readonly text: string;
  readonly slice: OutputSlice;
  /** Number of lines that the filter removed. */
  readonly leftOut: number;
}

function take(process: ManagedProcess, args: z.output<typeof input>): Taken {
  const lines = args.max_lines ?? defaultMaxLines;
  const wanted = args.filter?.toLowerCase();
  const slice = process.read(args.cursor, maxCharacters);
  const cut = args.cursor === undefined ? lastLines(slice, lines) : firstLines(slice, lines);
  if (wanted === undefined) return { text: cut.text, slice: cut, leftOut: 0 };
  const all = cut.text.split(afterBreaks);
  const kept = all.filter((line) => line.toLowerCase().includes(wanted));
  return { text: kept.join(''), slice: { ...cut, open: '' }, leftOut: all.length - kept.length };
}

/** Keeps the first lines. The next call returns the output after them. */
function firstLines(slice: OutputSlice, most: number): OutputSlice {
  const lines = slice.text.split(afterBreaks);
  if (lines.length <= most) return slice;
  const text = lines.slice(0, most).join('');
  return { ...slice, text, cursor: slice.cursor - (slice.text.length - text.length), hasMore: true, open: '' };
}

function lastLines(slice: OutputSlice, most: number): OutputSlice {
  return { ...slice, text: slice.text.split(afterBreaks).slice(-most).join('') };
}

function describeRest(status: ManagedProcessStatus, slice: OutputSlice, leftOut: number): readonly string[] {
  const notes: string[] = [];
  if (slice.dropped > 0) {
    const where = status.spill ? `, they are in ${status.spill.path}${status.spill.isComplete ? '' : ' in part'}` : '';
    notes.push(`${slice.dropped} characters before this were dropped${where}`);
  }
  if (slice.hasMore) notes.push('there is more: continue with this cursor');
  if (slice.open !== '') notes.push('its last line has not ended yet');
  if (leftOut > 0) notes.push(`${leftOut} other lines left out by the filter`);
  return notes;
}
