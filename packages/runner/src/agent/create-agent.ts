import { createIdSource, HaftError, type Message, type SteerSink, type Usage } from '@haft/core';
import { checkOptions, custom, isRecord, nonEmptyStringKind, type OptionTable } from '@haft/core/options';
import { eitherSignal } from '../abortable.ts';
import type { RunAgentOptions } from '../options/agent-options.ts';
import { runOptionKinds } from '../options/run-option-kinds.ts';
import type { AgentResult } from '../contracts/agent-result.ts';
import { pairHistory } from '../history/pair-history.ts';
import { runAgent } from './run-agent.ts';
import { createSteerQueue, steeringKind, type SteerQueueOptions } from '../steer-queue.ts';
import { addUsage } from '../usage.ts';
import { throwIfFailed } from './throw-if-run-failed.ts';
import { readAgentState, type AgentState } from './agent-state.ts';
import { storeMessages } from '../history/stored-messages.ts';

/** Options shared by every turn of an agent. The agent manages the other {@link RunAgentOptions} itself. */
export interface AgentOptions extends Omit<
  RunAgentOptions,
  'prompt' | 'messages' | 'signal' | 'forceSignal' | 'steer' | 'sessionId' | 'runId'
> {
  /** Id of the conversation. Default: the id of `state`, or unique within this process. */
  readonly id?: string;
  /** A result of `save`, also from JSON. The agent continues from there. */
  readonly state?: AgentState;
  /** Limits of the steering queue. */
  readonly steering?: SteerQueueOptions;
}

/** Options that may differ between prompts. */
export type AgentTurnOptions = Pick<
  RunAgentOptions,
  'signal' | 'output' | 'limits' | 'onEvent' | 'maxToolIterations' | 'throwOnError'
>;

/** A conversation with a model that calls tools. It keeps the history, whatever the outcome of a run. */
export interface Agent extends SteerSink {
  readonly id: string;
  /** The conversation so far, with every call answered. During a run, its state at the latest request. */
  readonly messages: readonly Message[];
  /** Sum over all runs. */
  readonly usage: Usage;
  readonly isRunning: boolean;
  /**
   * Runs a prompt until the model answers, like {@link runAgent}. Without a prompt, continues where the agent stopped.
   * @throws HaftError `AGENT_RUNNING` during a run (use `steer`), and every error of `runAgent`.
   */
  run(prompt?: string, options?: AgentTurnOptions): Promise<AgentResult>;
  /**
   * Ends the current run, and answers all of its calls. A second call of `abort` does not wait for tools that ignore
   * the signal. The agent can be used again. Returns whether a run was active.
   */
  abort(): boolean;
  /** Returns the complete state as JSON. During a run, the state at its latest request. */
  save(): Promise<AgentState>;
  /**
   * Replaces the conversation between two runs, for example with a shorter one.
   * @throws HaftError `AGENT_RUNNING` during a run.
   */
  replaceMessages(messages: readonly Message[]): void;
}

const { prompt: _prompt, messages: _messages, signal: _signal, forceSignal: _force, ...ofRuns } = runOptionKinds;
const { steer: _steer, sessionId: _sessionId, runId: _runId, ...common } = ofRuns;
const table: OptionTable<AgentOptions> = {
  ...common,
  id: nonEmptyStringKind,
  state: custom('the result of save() of an agent', isRecord),
  steering: steeringKind,
};

const nextAgentId = createIdSource('agent');

/**
 * Creates an agent: {@link runAgent} with a history, a steering queue and an abort for each run.
 *
 * @throws HaftError `INVALID_OPTION` if an option is missing, misspelled or invalid.
 */
export function createAgent(options: AgentOptions): Agent {
  checkOptions('createAgent', options, table, '{ model, tools }');
  const { id: givenId, state, steering, shapeHistory, ...common } = options;
  const initial = readAgentState(state);
  const id = givenId ?? initial.id ?? nextAgentId();
  const steer = createSteerQueue(steering);
  for (const { text, source, trusted } of initial.waiting) steer.steer(text, { source, trusted });
  const session = common.session ?? { id, metadata: {} };
  let messages = initial.messages;
  let usage = initial.usage;
  let current: { readonly abort: AbortController; readonly force: AbortController } | undefined;

  const refuseWhileRunning = (): void => {
    if (current)
      throw new HaftError(
        'AGENT_RUNNING',
        `the agent ${id} is running (expected an idle agent): steer it, or abort it first`,
      );
  };

  return {
    id,
    get messages() {
      return messages;
    },
    get usage() {
      return usage;
    },
    get isRunning() {
      return current !== undefined;
    },
    async run(prompt, turn = {}) {
      refuseWhileRunning();
      current = { abort: new AbortController(), force: new AbortController() };
      const { abort, force } = current;
      try {
        const result = await runAgent({
          ...common,
          ...turn,
          throwOnError: false,
          messages: common.systemPrompt === undefined ? messages : withoutSystemPrompt(messages),
          ...(prompt !== undefined && { prompt }),
          session,
          sessionId: id,
          steer,
          signal: eitherSignal(turn.signal, abort.signal)!,
          forceSignal: force.signal,
          shapeHistory: (given, about) => {
            messages = given;
            return shapeHistory?.(given, about);
          },
        });
        messages = result.messages;
        usage = addUsage(usage, result.usage);
        if (turn.throwOnError ?? common.throwOnError) throwIfFailed(result);
        return result;
      } finally {
        current = undefined;
      }
    },
    steer: (text, about) => steer.steer(text, about),
    abort() {
      if (!current) return false;
      (current.abort.signal.aborted ? current.force : current.abort).abort();
      return true;
    },
    async save() {
      const waiting = steer.peek();
      return { version: 1, id, messages: await storeMessages(pairHistory(messages).messages), usage, waiting };
    },
    replaceMessages(given) {
      refuseWhileRunning();
      messages = pairHistory(given).messages;
    },
  };
}

/** Removes the stored system prompt, because the agent adds its current one. */
function withoutSystemPrompt(messages: readonly Message[]): readonly Message[] {
  return messages[0]?.role === 'system' ? messages.slice(1) : messages;
}
