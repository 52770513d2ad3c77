import { randomUUID } from 'node:crypto';
import type { Message, Model } from '@haft/core';
import { runAgent, type AgentResult } from '@haft/runner';
import { assembleTools, type AssembledTools } from '../assembly/assemble-tools.ts';
import { sourceOptions } from '../assembly/source-options.ts';
import { chatSession, conversationHelp, runConversationCommand } from '../chat/conversation-commands.ts';
import { checkReachable, resolveEndpoint, type Endpoint } from '../chat/endpoint.ts';
import { systemPromptFor } from '../chat/system-prompt.ts';
import { permissionMode, permissionOptions } from '../permission/permission-mode.ts';
import type { TerminalDevice } from '../permission/terminal-device.ts';
import type { Command, Invocation } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';
import { createRunView } from '../show/run-view.ts';
import { showableLine } from '../show/showable.ts';
import { wrapLine } from '../show/wrap-line.ts';

/** A real model, on the person's folder. */
export const chat: Command = {
  name: 'chat',
  summary: 'let a real model work in this folder, with your approval',
  operands: '[TASK]',
  maximumOperands: Infinity,
  options: {
    'base-url': {
      type: 'string',
      value: 'URL',
      description: 'address of an OpenAI-compatible API, such as http://localhost:11434/v1',
    },
    model: { type: 'string', short: 'm', value: 'NAME', description: 'which model' },
    'api-key-env': { type: 'string', value: 'NAME', description: 'variable that holds the key for the address' },
    ...permissionOptions,
    ...sourceOptions,
  },
  notes: [
    'Without --base-url the first of these keys in the environment chooses: OPENAI_API_KEY (with OPENAI_BASE_URL and',
    'OPENAI_MODEL), OPENROUTER_API_KEY, GROQ_API_KEY, MISTRAL_API_KEY, DEEPSEEK_API_KEY, GEMINI_API_KEY.',
    'A key from the environment is sent to its own vendor only; for another address name it with --api-key-env.',
    'Without a task, tasks are read from the terminal. Ctrl-C ends the turn; Ctrl-D ends the program.',
    'There you can also type:',
    ...conversationHelp.map((line) => `  ${line}`),
    'What somebody else has changed since is left as it is. Runs before this one, in the same folder, can be undone too.',
    'Exit code 0 when the model came to an end, 1 when it failed, 130 after Ctrl-C.',
  ],
  async run(invocation) {
    const mode = permissionMode(invocation);
    const endpoint = resolveEndpoint(
      {
        baseUrl: invocation.value('base-url'),
        model: invocation.value('model'),
        apiKeyEnv: invocation.value('api-key-env'),
      },
      process.env,
    );
    const task = invocation.positionals.join(' ').trim();
    await checkReachable(endpoint.baseUrl, invocation.signal);
    invocation.terminal.reserve();
    await using tools = await assembleTools({ invocation, mode, journals: mode !== 'read-only' });
    const model = await connectModel(endpoint);
    const conversation: Conversation = { model, tools, invocation, messages: [], remarks: [] };
    introduce(invocation, endpoint, task === '');
    // Awaited here, since the tools are ended on the way out.
    if (task === '') return await converse(conversation);
    return exitCodeOf(await work(conversation, task), invocation);
  },
};

/** Says who works where, and how to stop. */
function introduce({ terminal, cwd }: Invocation, { model, baseUrl }: Endpoint, isConversation: boolean): void {
  const end = isConversation ? 'Ctrl-C ends a turn, Ctrl-D the program; /help shows more' : 'Ctrl-C ends it';
  const line = `${showableLine(model)} at ${showableLine(baseUrl)} works in ${showableLine(cwd, 400)}; ${end}`;
  for (const each of wrapLine(terminal.paint('quiet', line), terminal.columns, '  ')) terminal.line(each);
}

interface Conversation {
  readonly model: Model;
  readonly tools: AssembledTools;
  readonly invocation: Invocation;
  messages: readonly Message[];
  /** What the model has to know before its next turn. */
  remarks: readonly string[];
}

async function connectModel({ vendor, baseUrl, apiKey, model }: Endpoint): Promise<Model> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { aiSdkModel } = await import('@haft/ai-sdk');
  const provider = createOpenAICompatible({
    name: vendor,
    baseURL: baseUrl,
    includeUsage: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  return aiSdkModel(provider.chatModel(model), { vendor });
}

/** One task: the model's turns until it is done, or until Ctrl-C. */
async function work(conversation: Conversation, task: string): Promise<AgentResult> {
  const { model, tools, invocation, messages, remarks } = conversation;
  const { terminal } = invocation;
  const stopped = new AbortController();
  const giveBack = invocation.onInterrupt(() => stopped.abort());
  try {
    const result = await runAgent({
      model,
      tools: tools.dispatcher,
      systemPrompt: systemPromptFor(invocation.cwd),
      messages,
      prompt: [...remarks, task].join('\n\n'),
      sessionId: chatSession,
      // The journal knows runs by it, those of earlier processes too.
      runId: randomUUID(),
      signal: AbortSignal.any([invocation.signal, stopped.signal, terminal.closed]),
      onEvent: createRunView({ terminal, snapshot: () => tools.registry.snapshot() }),
    });
    conversation.messages = result.messages;
    conversation.remarks = [];
    if (result.stopReason === 'aborted') terminal.note('haft: stopped');
    else if (result.error) terminal.note(`haft: ${result.error.message.split('\n', 1)[0]}`);
    return result;
  } finally {
    giveBack();
  }
}

/** One task after the other, as they are typed. */
async function converse(conversation: Conversation): Promise<number> {
  const { invocation } = conversation;
  const device = invocation.device();
  if (!device) throw new UsageError('chat needs a TASK where there is no terminal to type one at');
  for (;;) {
    const task = await nextTask(device, invocation.signal);
    if (task === undefined) return 0;
    if (task === '') continue;
    const { terminal, cwd } = invocation;
    const done = await runConversationCommand(task, { journal: conversation.tools.journal, terminal, cwd });
    if (!done) await work(conversation, task);
    else if (done.remark !== undefined) conversation.remarks = [...conversation.remarks, done.remark];
  }
}

async function nextTask(device: TerminalDevice, signal: AbortSignal): Promise<string | undefined> {
  device.write(`\n${device.paint('strong', 'you')} `);
  return (await device.readLine(signal))?.trim();
}

function exitCodeOf({ stopReason }: AgentResult, { terminal }: Invocation): number {
  if (terminal.closed.aborted) return 141;
  return stopReason === 'finished' ? 0 : stopReason === 'aborted' ? 130 : 1;
}
