import { sourceOptions } from '../assembly/source-options.ts';
import { conversationHelp } from '../chat/conversation-commands.ts';
import { checkReachable, resolveEndpoint } from '../chat/endpoint.ts';
import { permissionMode, permissionOptions } from '../permission/permission-mode.ts';
import type { Command } from '../program/command.ts';
import { readCount } from '../program/read-count.ts';
import { UsageError } from '../program/usage-error.ts';

/** Runs a real model in the user's folder. */
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
    continue: {
      type: 'boolean',
      short: 'c',
      description: 'continue the last conversation in this folder, with its tasks and its plan',
    },
    'api-key-env': {
      type: 'string',
      value: 'NAME',
      description: 'environment variable that holds the key for the URL',
    },
    'max-turns': {
      type: 'string',
      value: 'N',
      description: 'requests to the model for one task (default: 20), and one more for its answer',
    },
    'full-output': {
      type: 'boolean',
      description: 'show the whole output and all changed lines of each call (default: a few lines)',
    },
    ...permissionOptions,
    ...sourceOptions,
  },
  notes: [
    'Without --base-url, the first of these keys in the environment selects the server: OPENAI_API_KEY (with OPENAI_BASE_URL and OPENAI_MODEL), OPENROUTER_API_KEY, GROQ_API_KEY, MISTRAL_API_KEY, DEEPSEEK_API_KEY, GEMINI_API_KEY.',
    'A key from the environment is sent to its own vendor only; for another URL, name the variable with --api-key-env.',
    'The last 20 conversations of a folder are stored for --continue, in haft/conversations.db of $XDG_STATE_HOME (~/.local/state).',
    'Without a task, tasks are read from the terminal. Pasted lines are one task, which Enter sends. Ctrl-C ends the turn; Ctrl-Z suspends the program; Ctrl-D ends it. There you can also type:',
    ...conversationHelp.map((line) => `  ${line}`),
    'Files that were changed since are skipped. /undo asks first if you or another program may have changed the files, for example while a command ran, or if it would undo an earlier turn than the last one, also of earlier runs in the same folder.',
    'Exit code 0 if the model finished, 1 if it failed or reached the limit of turns, 130 after Ctrl-C.',
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
    const maxTurns = readCount(invocation, 'max-turns', 10_000) ?? 20;
    const task = invocation.positionals.join(' ').trim();
    if (task === '' && !invocation.device()) throw new UsageError('chat needs a TASK if there is no terminal');
    await checkReachable(endpoint.baseUrl, invocation.signal);
    const { runChat } = await import('./run-chat.ts');
    return runChat({ invocation, mode, endpoint, task, maxTurns });
  },
};
