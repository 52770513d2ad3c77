import { join } from 'node:path';
import { renderForModel } from '@haft/core';
import { runAgent, type AgentEvent } from '@haft/runner';
import { askAtTerminal } from './ask-at-terminal.ts';
import { chooseModel } from './choose-model.ts';
import { createWorkspaceIn } from './create-workspace.ts';
import { createTools } from './create-tools.ts';

const notes = join(import.meta.dirname, '..', 'notes');
const task = process.argv.slice(2).join(' ') || 'What do I need for pancakes? Put what is missing on the list.';
const { model, description } = orExit(() => chooseModel(process.env));
console.log(`${description}\n\n> ${task}\n`);

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const result = await runAgent({
  model,
  tools: createTools(),
  workspace: createWorkspaceIn(notes, askAtTerminal),
  systemPrompt: 'You take care of the notes in the current folder. Read them before you answer. Be brief.',
  prompt: task,
  limits: { toolCalls: 30, wallTimeMs: 300_000 },
  signal: stop.signal,
  onEvent: show,
});

// Look at stopReason before the text: a run that failed has no text, or only a part.
if (result.text !== '') console.log(`\n${result.text}`);
if (result.stopReason === 'limit')
  console.error(
    `\nThe run reached its limit of ${result.limit}: raise maxToolIterations (20) or limits in src/main.ts.`,
  );
else if (result.stopReason !== 'finished')
  console.error(`\nThe run ended early: ${result.error?.message ?? result.stopReason}`);
process.exitCode = result.stopReason === 'finished' ? 0 : stop.signal.aborted ? 130 : 1;
// A question may still be open.
if (stop.signal.aborted) process.exit();

function show(event: AgentEvent): void {
  if (event.type !== 'result') return;
  const { call, result: outcome } = event.call;
  const [firstLine = ''] = renderForModel(outcome).split('\n');
  console.log(
    `${outcome.ok ? '✓' : '✗'} ${call.name} ${JSON.stringify(call.arguments)}: ${firstLine.slice(0, outcome.ok ? 80 : 300)}`,
  );
}

/** Prints a mistake in the settings as one line. */
function orExit<T>(choose: () => T): T {
  try {
    return choose();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(1);
  }
}
