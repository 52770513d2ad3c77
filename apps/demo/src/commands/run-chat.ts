import { randomUUID } from 'node:crypto';
import type { Message, Model } from '@haft/core';
import { runAgent, type AgentResult } from '@haft/runner';
import { assembleTools, type AssembledTools } from '../assembly/assemble-tools.ts';
import { runConversationCommand } from '../chat/conversation-commands.ts';
import type { CurrentConversation } from '../chat/confirm-undo.ts';
import { keepConversations, type KeptConversations, type OpenedConversation } from '../chat/kept-conversations.ts';
import type { Endpoint } from '../chat/endpoint.ts';
import { connectModel } from '../chat/connect-model.ts';
import { systemPromptFor } from '../chat/system-prompt.ts';
import type { PermissionMode } from '../permission/permission-mode.ts';
import { takePromptTurn } from '../permission/take-turn.ts';
import type { TerminalDevice } from '../permission/terminal-device.ts';
import type { Invocation } from '../program/command.ts';
import { createRunView } from '../show/run-view.ts';
import { showableLine } from '../show/showable.ts';
import { wrapLine } from '../show/wrap-line.ts';

/** Input of a chat. */
export interface ChatRun {
  readonly invocation: Invocation;
  readonly mode: PermissionMode;
  readonly endpoint: Endpoint;
  /** Empty: the user types tasks. */
  readonly task: string;
  /** Requests to the model for one task. */
  readonly maxTurns: number;
}

/** Runs the model on one task or on typed tasks. Returns the exit code. */
export async function runChat({ invocation, mode, endpoint, task, maxTurns }: ChatRun): Promise<number> {
  invocation.terminal.reserve();
  const { cwd, terminal } = invocation;
  await using kept = await keepConversations({ cwd, note: (line) => terminal.note(line) });
  const opened = await kept.open(invocation.flag('continue'));
  await using tools = await assembleTools({
    invocation,
    mode,
    journals: mode !== 'read-only',
    announcesServers: true,
    notes: kept.notes,
  });
  const model = await connectModel(endpoint);
  const hasKey = endpoint.apiKey !== undefined;
  const conversation: Conversation = {
    model,
    hasKey,
    maxTurns,
    tools,
    invocation,
    opened,
    current: { sessionId: opened.sessionId, runs: [], undos: [] },
    findTask: (sessionId, callId) => kept.findTask(sessionId, callId),
    messages: opened.messages,
    remarks: [],
  };
  introduce(invocation, endpoint, task === '');
  // Awaited here, because the tools end when this block does.
  if (task === '') return await converse(conversation);
  return exitCodeOf(await work(conversation, task), invocation);
}

/** Prints the model, the folder, and how to stop. */
function introduce({ terminal, cwd }: Invocation, { model, baseUrl }: Endpoint, isConversation: boolean): void {
  const end = isConversation ? 'Ctrl-C ends a turn, Ctrl-D the program; /help shows more' : 'Ctrl-C ends it';
  const line = `${showableLine(model)} at ${showableLine(baseUrl)} works in ${showableLine(cwd, 400)}; ${end}`;
  for (const each of wrapLine(terminal.paint('quiet', line), terminal.columns, '  ')) terminal.line(each);
}

interface Conversation {
  readonly model: Model;
  readonly hasKey: boolean;
  readonly maxTurns: number;
  readonly tools: AssembledTools;
  readonly invocation: Invocation;
  readonly opened: OpenedConversation;
  readonly current: CurrentConversation;
  readonly findTask: KeptConversations['findTask'];
  messages: readonly Message[];
  /** News for the model's next turn. */
  remarks: readonly string[];
}

/** One task: the model's turns until it is done, or until Ctrl-C. */
async function work(conversation: Conversation, task: string): Promise<AgentResult> {
  const { model, maxTurns, tools, invocation, opened, messages, remarks } = conversation;
  const { terminal } = invocation;
  const stopped = new AbortController();
  // Identifies the run in the journal, also in later processes.
  const runId = randomUUID();
  conversation.current.runs.push(runId);
  const giveBack = invocation.onInterrupt(() => stopped.abort());
  try {
    const result = await runAgent({
      model,
      tools: tools.dispatcher,
      maxToolIterations: maxTurns,
      systemPrompt: systemPromptFor(invocation.cwd),
      messages,
      prompt: [...remarks, task].join('\n\n'),
      sessionId: opened.sessionId,
      runId,
      signal: AbortSignal.any([invocation.signal, stopped.signal, terminal.closed]),
      onEvent: createRunView({
        terminal,
        snapshot: () => tools.registry.snapshot(),
        output: invocation.flag('full-output') ? 'whole' : 'short',
      }),
    });
    conversation.messages = result.messages;
    conversation.remarks = [];
    await opened.keep(result.messages);
    if (result.stopReason === 'aborted') terminal.note('haft: stopped');
    else if (result.stopReason === 'limit')
      terminal.note(`haft: the task reached its limit of ${maxTurns} turns (--max-turns N raises it)`);
    else if (result.error)
      terminal.note(`haft: ${result.error.message.split('\n', 1)[0]}${adviceFor(result, conversation)}`);
    return result;
  } finally {
    giveBack();
  }
}

/** Advice if the server refused the key, or needs one. */
function adviceFor({ error }: AgentResult, { hasKey }: Conversation): string {
  const status = error?.details?.['status'];
  if (status !== 401 && status !== 403) return '';
  return hasKey ? '; check the key' : '; no key was sent: name the variable that holds it with --api-key-env';
}

/** Runs typed tasks one after another. */
async function converse(conversation: Conversation): Promise<number> {
  const { invocation } = conversation;
  const device = invocation.device();
  if (!device) return 0;
  for (;;) {
    // Approvals that were requested while the user typed come before the task.
    const task = await takePromptTurn(device, () => nextTask(device, invocation.signal));
    if (task === undefined) return 0;
    if (task === '') continue;
    const { tools, current, findTask } = conversation;
    const done = await runConversationCommand(task, {
      invocation,
      journal: tools.journal,
      conversation: current,
      taskOf: ({ sessionId, callId }) => findTask(sessionId, callId),
    });
    if (!done) await work(conversation, task);
    else if (done.remark !== undefined) conversation.remarks = [...conversation.remarks, done.remark];
  }
}

async function nextTask(device: TerminalDevice, signal: AbortSignal): Promise<string | undefined> {
  device.write(`\n${device.paint('strong', 'you')} `);
  const line = await device.readLine(signal);
  return line?.trim();
}

function exitCodeOf({ stopReason }: AgentResult, { terminal }: Invocation): number {
  if (terminal.closed.aborted) return 141;
  return stopReason === 'finished' ? 0 : stopReason === 'aborted' ? 130 : 1;
}
