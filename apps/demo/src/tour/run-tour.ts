import { createBuiltins } from '@haft/builtins';
import { createDispatcher, createWorkspace, ToolRegistry } from '@haft/core';
import { runAgent, type AgentResult, type CompletedCall } from '@haft/runner';
import { delimiter, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { formatDuration } from '../show/call-line.ts';
import type { Invocation } from '../program/command.ts';
import { createRunView } from '../show/run-view.ts';
import { showCompletedCall } from '../show/shown-call.ts';
import { formatSummary } from '../show/summary-table.ts';
import { countOverlap, createStopwatch, type Stopwatch } from './overlap.ts';
import { runProjectTests } from './run-project-tests.ts';
import { createTourModel } from './script.ts';
import { createStage } from './stage.ts';
import { createTemporaryWorkspace } from './temporary-workspace.ts';
import { createTourPermission } from './tour-permission.ts';

/** How long a person gets to read a turn, in milliseconds; nobody waits where nobody watches. */
const readingMs = 900;

/** Plays the tour in a folder of its own and answers 0 when the project's tests pass in the end. */
export async function runTour(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { paint } = terminal;
  const startedAt = performance.now();
  const signal = AbortSignal.any([invocation.signal, terminal.closed]);
  useOwnNode();

  const workspace = await createTemporaryWorkspace('ferry-fares');
  try {
    terminal.line(`${paint('strong', 'haft')}: from the text a model wrote to tools that ran`);
    terminal.line(
      paint(
        'quiet',
        'The model is a script: offline, no key. Loop, tools, files, processes, plugin folder and MCP server are real.',
      ),
    );
    const before = await runProjectTests(workspace.project, signal);
    terminal.line(
      `${paint('quiet', 'project  ')} a copy of ferry-fares: ${paint('bad', `${before.failed} of ${before.passed + before.failed} tests fail`)}`,
    );
    terminal.line(`${paint('quiet', 'workspace')} ${workspace.project}\n`);

    const { result, summary } = await play(workspace, invocation, signal);
    if (signal.aborted) {
      terminal.note('haft: stopped');
      return terminal.closed.aborted ? 141 : 130;
    }
    terminal.line(`\n${paint('strong', 'what happened')}`);
    for (const line of summary) terminal.line(line);

    const after = await runProjectTests(workspace.project, signal);
    const isMended = after.ok && result.stopReason === 'finished';
    const verdict = after.ok
      ? paint('good', `✓ all ${after.passed} tests pass`)
      : paint('bad', `✗ ${after.failed} tests fail`);
    terminal.line(`\n${verdict} in the project (${formatDuration(performance.now() - startedAt)} in all)`);
    if (result.error) terminal.note(`haft: the run ended early: ${result.error.message}`);
    return isMended ? 0 : 1;
  } finally {
    if (invocation.flag('keep')) terminal.line(`kept: ${workspace.project}`);
    else await workspace.remove();
  }
}

interface Played {
  readonly result: AgentResult;
  readonly summary: readonly string[];
}

async function play(
  { project, plugins }: { readonly project: string; readonly plugins: string },
  invocation: Invocation,
  signal: AbortSignal,
): Promise<Played> {
  const { terminal } = invocation;
  const { paint } = terminal;
  const registry = new ToolRegistry();
  registry.batch((draft) => {
    for (const tool of createBuiltins()) draft.registerWithProvider(tool, 'builtin');
  });
  const announce = (line: string, tone: 'accent' | 'warn'): void => terminal.line(`  ${paint(tone, '▸')} ${line}`);
  await using stage = await createStage({ registry, plugins, signal, announce });
  const stopwatch = createStopwatch();
  const dispatcher = createDispatcher({
    registry,
    workspace: createWorkspace({ cwd: project, permission: createTourPermission() }),
    middleware: [stopwatch],
  });
  const isPaced = terminal.isInteractive && !invocation.flag('fast');
  const model = createTourModel({
    dropPlugin: () => stage.dropPlugin(),
    breakPlugin: () => stage.breakPlugin(),
    connectServer: () => stage.connectServer(),
    pause: async () => {
      if (isPaced) await wait(readingMs, undefined, { signal }).catch(() => undefined);
    },
  });
  const result = await runAgent({
    model,
    tools: dispatcher,
    systemPrompt: 'You mend small projects.',
    prompt: 'The tests of this project fail. Mend it.',
    signal,
    onEvent: createRunView({
      terminal,
      snapshot: () => registry.snapshot(),
      remarks: (calls) => describeOverlap(calls, stopwatch).map((line) => paint('accent', line)),
    }),
  });
  const snapshot = registry.snapshot();
  const calls = result.calls.map((each) => ({ turn: each.turn, ...showCompletedCall(each, snapshot) }));
  return { result, summary: formatSummary(calls, project, paint, terminal.columns) };
}

function describeOverlap(calls: readonly CompletedCall[], stopwatch: Stopwatch): readonly string[] {
  const spans = calls.map((each) => stopwatch.spanOf(each.call.id)).filter((span) => span !== undefined);
  const most = countOverlap(spans);
  return most < 2 ? [] : [`⇉ ${most} of them at the same time`];
}

/** Commands of the tour find the Node that runs the tour, also where another one comes first, or none. */
function useOwnNode(): void {
  process.env['PATH'] = [dirname(process.execPath), process.env['PATH']].filter(Boolean).join(delimiter);
}
