import type { ToolResult, ToolSnapshot } from '@haft/core';
import type { AgentEvent, CompletedCall } from '@haft/runner';
import type { Terminal } from '../program/terminal.ts';
import { formatDuration } from './call-line.ts';
import { formatCalls } from './format-calls.ts';
import { outputPreview, wholeOutput, type OutputExtent } from './output-lines.ts';
import { showable, showableLine } from './showable.ts';
import { showCompletedCall, type ShownCall } from './shown-call.ts';
import { createWordWrap } from './word-wrap.ts';
import { wrapLine } from './wrap-line.ts';

/** Options of {@link createRunView}. */
export interface RunViewOptions {
  readonly terminal: Terminal;
  /** The current tools, for the kind of each. */
  readonly snapshot: () => ToolSnapshot;
  /**
   * How much to show of the output of calls. Default `short`: a few lines of each output and diff. `none` shows diffs
   * only.
   */
  readonly output?: OutputExtent;
  /** Lines to add below the calls of a turn. */
  readonly remarks?: (calls: readonly CompletedCall[]) => readonly string[];
}

/**
 * Shows a run while it happens: the model's words, with reasoning dimmed, then the turn's calls, one line each, with
 * their output dimmed.
 */
export function createRunView(options: RunViewOptions): (event: AgentEvent) => void {
  const { terminal, output = 'short' } = options;
  const { paint } = terminal;
  let expected = 0;
  let completed: CompletedCall[] = [];
  let order: readonly string[] = [];
  let spoken: 'text' | 'reasoning' | undefined;
  const words = createWordWrap({
    width: () => terminal.columns,
    indent: '  ',
    write: (text) => terminal.write(text),
    dress: (text) => (spoken === 'reasoning' ? paint('quiet', text) : text),
  });
  const print = (lines: readonly string[]): void => {
    words.end();
    for (const line of lines) terminal.line(`  ${line}`);
  };
  const remark = (text: string): void => print(wrapLine(paint('warn', text), terminal.columns - 2, '  '));
  const detailsOf = (result: ToolResult): readonly string[] => {
    if (output === 'none') return [];
    return output === 'whole' ? wholeOutput(result) : outputPreview(result, terminal.columns - outputIndent);
  };
  const showCompleted = (): void => {
    const inOrder = completed.toSorted((a, b) => order.indexOf(a.call.id) - order.indexOf(b.call.id));
    const shown = formatCalls(inOrder.map(view), {
      paint,
      width: terminal.columns - 2,
      isWhole: output === 'whole',
      details: ({ result }) => detailsOf(result).map((line) => paint('quiet', line)),
    });
    const remarks = options.remarks?.(inOrder) ?? [];
    print([...shown, ...remarks.flatMap((line) => wrapLine(line, terminal.columns - 2, '  '))]);
    completed = [];
    expected = 0;
  };
  const view = (completed: CompletedCall): ShownCall => showCompletedCall(completed, options.snapshot());

  return (event) => {
    switch (event.type) {
      case 'turn-start':
        words.end();
        terminal.line(`${event.turn === 1 ? '' : '\n'}${paint('accent', `turn ${event.turn}`)}`);
        break;
      case 'text':
      case 'reasoning':
        // An answer begins on its own line, after the reasoning.
        if (spoken !== event.type) words.end();
        spoken = event.type;
        words.push(showable(event.text));
        break;
      case 'retry':
        remark(
          `the request failed (${showableLine(event.error.message, 400)}); trying again in ${formatDuration(event.delayMs)}`,
        );
        break;
      case 'calls':
        words.end();
        expected = event.calls.length;
        order = event.calls.map((call) => call.id);
        break;
      case 'result':
        completed.push(event.call);
        if (completed.length >= expected) showCompleted();
        break;
      case 'diagnostic':
        if (!hasOwnLine.has(event.diagnostic.kind)) remark(`note: ${showableLine(event.diagnostic.message, 400)}`);
        break;
      case 'run-end':
        if (completed.length > 0) showCompleted();
        words.end();
        break;
      default:
        break;
    }
  };
}

/** Columns before the output of a call. */
const outputIndent = 6;

/** Cut calls and retries are shown on their own lines, and users do not need ids. */
const hasOwnLine: ReadonlySet<string> = new Set(['cut-call', 'renamed-call', 'request-retried']);
