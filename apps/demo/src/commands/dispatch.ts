import { asCallableTools, renderPart, toToolCall, type ToolResult, type ToolSnapshot } from '@haft/core';
import { extractToolCalls, type Extraction, type RejectReason } from '@haft/repair/calls';
import { assembleTools } from '../assembly/assemble-tools.ts';
import { permissionOptions, permissionMode } from '../permission/permission-mode.ts';
import type { Command, Invocation } from '../program/command.ts';
import { readText } from '../program/read-text.ts';
import { UsageError } from '../program/usage-error.ts';
import { formatCalls } from '../show/format-calls.ts';
import { resultAsJson } from '../show/result-as-json.ts';
import { showable } from '../show/showable.ts';
import { showCall, type ShownCall } from '../show/shown-call.ts';
import { sourceOptions } from '../assembly/source-options.ts';

/** Text any model wrote, turned into calls that ran. */
export const dispatch: Command = {
  name: 'dispatch',
  summary: 'run the tool calls in text that a model wrote',
  operands: '[FILE|-]',
  maximumOperands: 1,
  options: {
    ...permissionOptions,
    json: { type: 'boolean', description: 'print one JSON value: the calls, how they were read, their results' },
    stopped: {
      type: 'string',
      value: 'WHY',
      description: 'why the text ends: stop (the model was done) or length (it was cut; the default)',
    },
    ...sourceOptions,
  },
  notes: [
    'Reads a file, or standard input (-), finds the calls in whatever form they are written, repairs and checks them,',
    'and runs them in the current folder. Reading inside the folder is allowed; for the rest the terminal is asked.',
    'Exit code 0: there were calls and all of them succeeded. 1: none was found, or one was refused or failed.',
    '',
    'Example: echo \'<tool_call>{name: "ls", arguments: {path: "."}}\' | haft dispatch -',
  ],
  async run(invocation) {
    const stopped = stopReason(invocation.value('stopped'));
    const mode = permissionMode(invocation);
    const text = await readText(invocation.positionals[0], invocation);
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
    report(invocation, extraction, results, snapshot);
    return extraction.calls.length > 0 && isAllDone(extraction, results) ? 0 : 1;
  },
};

function stopReason(given: string | undefined): 'stop' | 'length' {
  if (given === undefined || given === 'length' || given === 'stop') return given ?? 'length';
  throw new UsageError(`--stopped ${given}: expected stop or length`);
}

function isAllDone(extraction: Extraction, results: readonly ToolResult[]): boolean {
  return extraction.rejected.length === 0 && results.every((result) => result.ok);
}

function report(
  invocation: Invocation,
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
  const shown = calls.map((call, index) =>
    showCall(
      { name: call.name, arguments: call.arguments, envelope: call.envelope, result: results[index]! },
      snapshot,
    ),
  );
  for (const line of formatCalls(shown, terminal.paint, contentLines)) terminal.line(line);
  for (const one of rejected) {
    terminal.line(
      `${terminal.paint('bad', '✗')} ${terminal.paint('strong', one.name ?? 'a call')} not run: ${reasons[one.reason]}`,
    );
  }
  if (calls.length + rejected.length === 0) terminal.note('haft: no tool call was found in the text');
}

const reasons: Readonly<Record<RejectReason, string>> = {
  incomplete: 'its arguments end before they are complete',
  unknown_tool: 'there is no tool of this name; see haft tools',
  invalid_json: 'its arguments can not be read',
  invalid_arguments: 'its arguments are not what the tool takes',
};

/** What the tool answered, unless a diff says it better. */
function contentLines({ result }: ShownCall): readonly string[] {
  if (result.diff) return [];
  return result.content.flatMap((part) => showable(renderPart(part)).replace(/\n$/, '').split('\n'));
}
