import { createBuiltins } from '@haft/builtins';
import { createDispatcher, createWorkspace, silentLogger, ToolRegistry, type ToolSnapshot } from '@haft/core';
import { runAgent, type AgentResult, type CompletedCall } from '@haft/runner';
import { delimiter, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { formatDuration } from '../show/call-line.ts';
import type { Invocation } from '../program/command.ts';
import { ownCommand } from '../program/own-command.ts';
import { createRunView } from '../show/run-view.ts';
import { showCompletedCall, type ShownCall } from '../show/shown-call.ts';
import { describeFaults, formatSummary } from '../show/summary-table.ts';
import { wrapLine } from '../show/wrap-line.ts';
import { createStopwatch, findOverlap, type Stopwatch } from './overlap.ts';
import { playPayments } from './payment-scene.ts';
import { runProjectTests } from './run-project-tests.ts';
import { createTourModel } from './script.ts';
import { createStage } from './stage.ts';
import { createTemporaryWorkspace } from './temporary-workspace.ts';
import { createTourPermission } from './tour-permission.ts';

/** Pause after each turn, in milliseconds, if the output is a terminal. */
const readingMs = 900;

/** Runs the tour in a temporary folder. Returns 0 if the project's tests pass at the end. */
export async function runTour(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { paint } = terminal;
  const startedAt = performance.now();
  const signal = AbortSignal.any([invocation.signal, terminal.closed]);
  useOwnNode();

  const workspace = await createTemporaryWorkspace('ferry-fares');
  try {
    const say = (line: string, hang = ''): void => {
      for (const each of wrapLine(line, terminal.columns, hang)) terminal.line(each);
    };
    say(`${paint('strong', 'haft')}: from the text a model wrote to tools that ran`);
    const about =
      'The model is a script: offline, no key. Loop, tools, files, processes, plugin folder and MCP server are real.';
    say(paint('quiet', about));
    const before = await runProjectTests(workspace.project, signal);
    terminal.line(
      `${paint('quiet', 'project  ')} a copy of ferry-fares: ${paint('bad', `${before.failed} of ${before.passed + before.failed} tests fail`)}`,
    );
    say(`${paint('quiet', 'workspace')} ${workspace.project}`, ' '.repeat(10));
    terminal.line();

    const { result, summary, eventLog } = await play(workspace, invocation, signal);
    const stopped = (): number => {
      terminal.note('haft: stopped');
      return terminal.closed.aborted ? 141 : 130;
    };
    if (signal.aborted) return stopped();
    terminal.line(`\n${paint('strong', 'what happened')}`);
    for (const line of summary.table) terminal.line(line);
    if (summary.legend !== undefined) say(paint('quiet', summary.legend), '  ');
    terminal.line(`\n${paint('strong', 'event log')}`);
    for (const line of eventLog) say(line, ' '.repeat(9));

    terminal.line();
    await playPayments({ state: workspace.state, terminal, signal, say }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return stopped();

    const after = await runProjectTests(workspace.project, signal);
    const isMended = after.ok && result.stopReason === 'finished';
    const verdict = after.ok
      ? paint('good', `✓ all ${after.passed} tests pass`)
      : paint('bad', `✗ ${after.failed} tests fail`);
    terminal.line(`\n${verdict} in the project (${formatDuration(performance.now() - startedAt)} in total)`);
    if (result.error) terminal.note(`haft: the run ended early: ${result.error.message}`);
    if (!invocation.flag('keep')) say(paint('quiet', 'The workspace has been removed; --keep keeps it.'));
    for (const line of nextCommands()) terminal.line(line);
    return isMended ? 0 : 1;
  } finally {
    if (invocation.flag('keep')) terminal.line(`kept: ${workspace.project}`);
    else await workspace.remove();
  }
}

interface Played {
  readonly result: AgentResult;
  /** Events around the model, with the time since the start. */
  readonly eventLog: readonly string[];
  readonly summary: { readonly table: readonly string[]; readonly legend: string | undefined };
}

async function play(
  { project, plugins, state }: { readonly project: string; readonly plugins: string; readonly state: string },
  invocation: Invocation,
  signal: AbortSignal,
): Promise<Played> {
  const { terminal } = invocation;
  const { paint } = terminal;
  const registry = new ToolRegistry();
  registry.batch((draft) => {
    for (const tool of createBuiltins()) draft.registerWithProvider(tool, 'builtin');
  });
  const startedAt = performance.now();
  const eventLog: string[] = [];
  const announce = (line: string, tone: 'accent' | 'warn'): void => {
    eventLog.push(`${formatDuration(performance.now() - startedAt).padStart(7)}  ${line}`);
    for (const each of wrapLine(`  ${paint(tone, '▸')} ${line}`, terminal.columns, '    ')) terminal.line(each);
  };
  await using stage = await createStage({ registry, plugins, state, signal, announce });
  const stopwatch = createStopwatch();
  const dispatcher = createDispatcher({
    registry,
    workspace: createWorkspace({
      cwd: project,
      permission: createTourPermission(),
      jail: { policy: 'preferred' },
      logger: { ...silentLogger, warn: (line) => announce(line, 'warn') },
    }),
    middleware: [stopwatch],
  });
  const isPaced = terminal.isInteractive && !invocation.flag('fast');
  const model = createTourModel({
    dropPlugin: () => stage.dropPlugin(),
    breakPlugin: () => stage.breakPlugin(),
    editPlugin: () => stage.editPlugin(),
    removePlugin: () => stage.removePlugin(),
    restart: () => stage.restart(),
    connectServer: () => stage.connectServer(),
    pause: async () => {
      if (isPaced) await wait(readingMs, undefined, { signal }).catch(() => undefined);
    },
  });
  const result = await runAgent({
    model,
    tools: dispatcher,
    systemPrompt: 'You fix small projects.',
    prompt: 'The tests of this project fail. Fix them.',
    signal,
    onEvent: createRunView({
      terminal,
      // The output of the calls is too long to read along.
      output: 'none',
      snapshot: () => registry.snapshot(),
      remarks: (calls) => describeOverlap(calls, registry.snapshot(), stopwatch).map((line) => paint('accent', line)),
    }),
  });
  const snapshot = registry.snapshot();
  const calls = result.calls.map((each) => ({ turn: each.turn, ...showCompletedCall(each, snapshot) }));
  const table = formatSummary(calls, project, paint, terminal.columns);
  return { result, eventLog, summary: { table, legend: describeFaults(calls) } };
}

/** Names the calls of a turn that ran at the same time. */
function describeOverlap(
  calls: readonly CompletedCall[],
  snapshot: ToolSnapshot,
  stopwatch: Stopwatch,
): readonly string[] {
  const timed = calls.filter((each) => stopwatch.spanOf(each.call.id) !== undefined);
  const together = findOverlap(timed.map((each) => stopwatch.spanOf(each.call.id)!));
  if (together.length < 2) return [];
  const shown = together.map((index): ShownCall => showCompletedCall(timed[index]!, snapshot));
  const names = shown.map(({ name, target }) => `${name} ${target}`.trimEnd());
  return [`⇉ at the same time: ${names.join(', ')}`];
}

/** Commands to try after the tour, ready to copy. */
function nextCommands(): readonly string[] {
  const own = ownCommand();
  return [
    '',
    'Try next, in your own folder:',
    `  ${own} tools`,
    `  echo '<tool_call>{name: "ls", arguments: {path: "."}}' | ${own} dispatch -`,
    `  ${own} chat --base-url http://localhost:11434/v1 --model NAME`,
  ];
}

/** The tour's commands use the Node that runs the tour, whatever PATH contains. */
function useOwnNode(): void {
  process.env['PATH'] = [dirname(process.execPath), process.env['PATH']].filter(Boolean).join(delimiter);
}
