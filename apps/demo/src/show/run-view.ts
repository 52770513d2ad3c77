import type { ToolSnapshot } from '@haft/core';
import type { AgentEvent, CompletedCall } from '@haft/runner';
import type { Terminal } from '../program/terminal.ts';
import { formatCalls } from './format-calls.ts';
import { showable, showableLine } from './showable.ts';
import { showCompletedCall, type ShownCall } from './shown-call.ts';

/** What a run view is given. */
export interface RunViewOptions {
  readonly terminal: Terminal;
  /** The tools as they are now; tells the kind of each. */
  readonly snapshot: () => ToolSnapshot;
  /** Lines to add below the calls of a turn. */
  readonly remarks?: (calls: readonly CompletedCall[]) => readonly string[];
}

/** Shows a run as it happens: the model's words dimmed, then the turn's calls, one line each. */
export function createRunView(options: RunViewOptions): (event: AgentEvent) => void {
  const { terminal } = options;
  const { paint } = terminal;
  let expected = 0;
  let completed: CompletedCall[] = [];
  let order: readonly string[] = [];
  let isMidLine = false;

  const endLine = (): void => {
    if (isMidLine) terminal.write('\n');
    isMidLine = false;
  };
  const speak = (text: string): void => {
    const words = showable(text);
    if (words === '') return;
    const margin = isMidLine ? '' : '  ';
    terminal.write(
      margin +
        words
          .split('\n')
          .map((line) => paint('quiet', line))
          .join('\n  '),
    );
    isMidLine = true;
  };
  const print = (lines: readonly string[]): void => {
    endLine();
    for (const line of lines) terminal.line(`  ${line}`);
  };
  const showCompleted = (): void => {
    const inOrder = completed.toSorted((a, b) => order.indexOf(a.call.id) - order.indexOf(b.call.id));
    print([...formatCalls(inOrder.map(view), paint), ...(options.remarks?.(inOrder) ?? [])]);
    completed = [];
    expected = 0;
  };
  const view = (completed: CompletedCall): ShownCall => showCompletedCall(completed, options.snapshot());

  return (event) => {
    switch (event.type) {
      case 'turn-start':
        endLine();
        terminal.line(`${event.turn === 1 ? '' : '\n'}${paint('accent', `turn ${event.turn}`)}`);
        break;
      case 'text':
      case 'reasoning':
        speak(event.text);
        break;
      case 'retry':
        print([
          paint(
            'warn',
            `the request failed (${showableLine(event.error.message)}); trying again in ${event.delayMs} ms`,
          ),
        ]);
        break;
      case 'calls':
        endLine();
        expected = event.calls.length;
        order = event.calls.map((call) => call.id);
        break;
      case 'result':
        completed.push(event.call);
        if (completed.length >= expected) showCompleted();
        break;
      case 'diagnostic':
        // A call that was cut has a line of its own, with its result.
        if (event.diagnostic.kind === 'cut-call') break;
        print([paint('warn', `note: ${showableLine(event.diagnostic.message, 120)}`)]);
        break;
      case 'run-end':
        if (completed.length > 0) showCompleted();
        endLine();
        break;
      default:
        break;
    }
  };
}
