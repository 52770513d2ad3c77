import { asCallableTools, toToolCall, type ToolResult, type ToolSnapshot } from '@haft/core';
import { extractToolCalls, type Extraction } from '@haft/repair/calls';
import { assembleTools } from '../assembly/assemble-tools.ts';
import type { PermissionMode } from '../permission/permission-mode.ts';
import type { Invocation } from '../program/command.ts';
import { ownCommand } from '../program/own-command.ts';
import { explainRejection } from '../show/explain-rejection.ts';
import { formatCalls } from '../show/format-calls.ts';
import { outputLines } from '../show/output-lines.ts';
import { resultAsJson } from '../show/result-as-json.ts';
import { showableLine } from '../show/showable.ts';
import { showCall, type ShownCall } from '../show/shown-call.ts';
import { wrapLine } from '../show/wrap-line.ts';

/** Input of a dispatch. */
export interface DispatchRun {
  readonly invocation: Invocation;
  readonly mode: PermissionMode;
  /** Why the text ends. */
  readonly stopped: 'stop' | 'length';
  readonly text: string;
}

/** Finds the calls in the text, runs them and shows the results. Returns the exit code. */
export async function runDispatch({ invocation, mode, stopped, text }: DispatchRun): Promise<number> {
  invocation.terminal.reserve();
  await using tools = await assembleTools({ invocation, mode });
  const snapshot = tools.dispatcher.snapshot();
  const extraction = extractToolCalls(text, {
    tools: asCallableTools(snapshot),
    stopped,
  });
  const results = await tools.dispatcher.dispatchBatch(
    extraction.calls.map((call, index) => toToolCall(call, `call_${index + 1}`, stopped)),
    { snapshot, signal: invocation.signal, sessionId: 'dispatch' },
  );
  report(invocation, text, extraction, results, snapshot);
  return extraction.calls.length > 0 && isAllDone(extraction, results) ? 0 : 1;
}

function isAllDone(extraction: Extraction, results: readonly ToolResult[]): boolean {
  return extraction.rejected.length === 0 && results.every((result) => result.ok);
}

function report(
  invocation: Invocation,
  given: string,
  extraction: Extraction,
  results: readonly ToolResult[],
  snapshot: ToolSnapshot,
): void {
  const { terminal } = invocation;
  const { calls, rejected, text } = extraction;
  if (invocation.flag('json')) {
    const answers = calls.map((call, index) => ({
      id: results[index]!.callId,
      ...call,
      result: resultAsJson(results[index]!),
    }));
    const ok = calls.length > 0 && isAllDone(extraction, results);
    terminal.line(JSON.stringify({ ok, calls: answers, rejected, text }, null, 2));
    return;
  }
  const { paint, columns } = terminal;
  const shown = calls.map((call, index) =>
    showCall(
      { name: call.name, arguments: call.arguments, envelope: call.envelope, result: results[index]! },
      snapshot,
    ),
  );
  const details = ({ result }: ShownCall): readonly string[] => [...outputLines(result), ...adviseReading(result)];
  for (const line of formatCalls(shown, { paint, width: columns, details })) terminal.line(line);
  const context = {
    text: given,
    snapshot,
    toolsCommand: `${ownCommand()} tools`,
    mayHaveStopped: invocation.value('stopped') === undefined,
  };
  for (const one of rejected) {
    const [reason = '', ...more] = explainRejection(one, context);
    const head = `${paint('bad', '✗')} ${paint('strong', showableLine(one.name ?? 'a call', 80))} not run: ${reason}`;
    for (const line of wrapLine(head, columns, margin)) terminal.line(line);
    for (const line of more.flatMap((each) => wrapLine(margin + each, columns, `${margin}  `))) terminal.line(line);
  }
  if (calls.length + rejected.length === 0) noteNothingFound(invocation, given, snapshot);
}

const margin = '    ';

/** Each run is a new session: files that an earlier run has read do not count. */
function adviseReading(result: ToolResult): readonly string[] {
  if (result.ok || result.error.code !== 'NOT_READ') return [];
  return ['the file must be read first: put a read call for it before this call, in the same text'];
}

function noteNothingFound({ terminal }: Invocation, text: string, snapshot: ToolSnapshot): void {
  if (text.trim() === '') {
    terminal.note('haft: no tool call was found in the text: it is empty');
    return;
  }
  const lines = [
    `haft: no tool call was found in the text (${text.length} characters)`,
    '  looked for: tags such as <tool_call>…</tool_call>, tokens such as [TOOL_CALLS], fenced JSON, bare JSON with a name and arguments',
    `  of the tools: ${snapshot.names.join(', ')}`,
  ];
  for (const line of lines.flatMap((each) => wrapLine(each, terminal.columns, '    '))) terminal.note(line);
}
