import type { Message, Model, ToolSource } from '@haft/core';
import { checkOptions, custom, functionKind, isRecord, required, type OptionTable } from '@haft/core/options';
import { createChangeSignal, type ChangeSignal } from '../contract/change-signal.ts';
import { chatSession, type ChatState } from '../contract/chat-data.ts';
import { Conversation, type ChatEvent } from './conversation.ts';

/** An OpenAI-compatible server. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
}

/** One task for the agent. */
export interface ChatRun {
  readonly model: Model;
  readonly tools: ToolSource;
  readonly messages: readonly Message[];
  readonly prompt: string;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ChatEvent) => void;
}

/** Options of {@link createChat}. */
export interface ChatOptions {
  /** Runs a task: `runAgent` of `@haft/runner`, or a function that records it, too. */
  readonly run: (
    run: ChatRun,
  ) => Promise<{ readonly messages: readonly Message[]; readonly error?: { readonly message: string } }>;
  /** The models that can be chosen, by name. The first one is used at the beginning. */
  readonly models: Readonly<Record<string, Model>>;
  /** Creates a model for an endpoint that the user types. Without it, only `models` can be used. */
  readonly connect?: (endpoint: Endpoint) => Model | Promise<Model>;
  /**
   * Checks an endpoint before `connect`, for example its key. Returns a sentence for the user about anything that could
   * not be checked. Rejects if the endpoint can't be used.
   */
  readonly check?: (endpoint: Endpoint) => string | undefined | Promise<string | undefined>;
}

/** A conversation with an agent. */
export interface Chat extends Pick<ChangeSignal, 'onChange'> {
  state(): ChatState;
  /** Starts a task. Returns why it can't start, or undefined. */
  send(text: string, tools: ToolSource): string | undefined;
  /** Chooses a model by its name. Returns false if there is no such model. */
  choose(model: string): boolean;
  /**
   * Checks and connects an endpoint, and chooses its model. Returns the remark of `check`. Rejects if the check fails or
   * the model can't be created.
   */
  connect(endpoint: Endpoint): Promise<string | undefined>;
  /** Ends the running task. */
  stop(): void;
  /** Ends the running task and forgets the conversation. */
  clear(): void;
}

const table: OptionTable<ChatOptions> = {
  run: required(functionKind),
  models: required(
    custom<ChatOptions['models']>('models by name', (value) => isRecord(value) && Object.keys(value).length > 0),
  ),
  connect: functionKind,
  check: functionKind,
};

/**
 * Creates a conversation for the page Chat. Its agent uses the tools of the workbench, with their permissions.
 *
 * @throws HaftError `INVALID_OPTION`.
 */
export function createChat(options: ChatOptions): Chat {
  checkOptions('createChat', options, table, '{ run, models }');
  const { run, connect, check } = options;
  const models = new Map(Object.entries(options.models));
  const { notify, onChange } = createChangeSignal();
  let [chosen = ''] = models.keys();
  let conversation = new Conversation();
  let messages: readonly Message[] = [];
  let running: AbortController | undefined;

  const work = async (text: string, model: Model, tools: ToolSource, own: AbortController): Promise<void> => {
    const current = conversation;
    const isCurrent = (): boolean => current === conversation;
    try {
      const onEvent = (event: ChatEvent): void => {
        current.apply(event);
        if (isCurrent()) notify();
      };
      const { signal } = own;
      const result = await run({ model, tools, messages, prompt: text, sessionId: chatSession, signal, onEvent });
      if (isCurrent()) messages = result.messages;
      if (signal.aborted) current.add({ kind: 'note', text: 'The task was stopped.', isProblem: false });
      else if (result.error) current.add({ kind: 'note', text: result.error.message, isProblem: true });
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause);
      current.add({ kind: 'note', text: problem, isProblem: true });
    } finally {
      if (running === own) running = undefined;
      notify();
    }
  };

  return {
    onChange,
    state: () => ({
      isConnected: true,
      isRunning: running !== undefined,
      models: [...models.keys()],
      model: chosen,
      canConnect: connect !== undefined,
      entries: conversation.entries,
      tokens: conversation.tokens,
      costUsd: conversation.costUsd,
    }),
    send(text, tools) {
      const model = models.get(chosen);
      if (model === undefined) return 'choose a model first';
      if (running !== undefined) return 'the agent still works on the last task (stop it first)';
      if (text.trim() === '') return 'the task is empty';
      running = new AbortController();
      conversation.add({ kind: 'user', text });
      notify();
      void work(text, model, tools, running);
      return undefined;
    },
    choose(model) {
      if (!models.has(model)) return false;
      chosen = model;
      notify();
      return true;
    },
    async connect(endpoint) {
      if (connect === undefined) throw new Error('this program does not accept other endpoints');
      const unchecked = endpoint.apiKey === undefined ? undefined : 'The key was not checked.';
      const remark = check === undefined ? unchecked : await check(endpoint);
      const model = await connect(endpoint);
      chosen = `${endpoint.model} at ${endpoint.baseUrl}`;
      models.set(chosen, model);
      notify();
      return remark;
    },
    stop: () => running?.abort(new Error('stopped in the workbench')),
    clear() {
      running?.abort(new Error('stopped in the workbench'));
      running = undefined;
      conversation = new Conversation();
      messages = [];
      notify();
    },
  };
}
