import { createIdSource, HaftError, type Message, type SteerSink, type Usage } from '@haft/core';
import { checkOptions, custom, isRecord, nonEmptyString, type OptionTable } from '@haft/core/options';
import { eitherSignal } from '../abortable.ts';
import type { RunAgentOptions } from '../contracts/agent-options.ts';
import { runOptionKinds } from '../contracts/run-option-kinds.ts';
import type { AgentResult } from '../contracts/agent-result.ts';
import { pairHistory } from '../history/pair-history.ts';
import { runAgent } from './run-agent.ts';
import { createSteerQueue, steeringKind, type SteerQueueOptions } from '../steer-queue.ts';
import { addUsage } from '../usage.ts';
import { readAgentState, type AgentState } from './agent-state.ts';
import { storeMessages } from './stored-messages.ts';

/** What every turn of an agent has in common; the rest of {@link RunAgentOptions} is the agent's own business. */
export interface AgentOptions extends Omit<
  RunAgentOptions,
  'prompt' | 'messages' | 'signal' | 'forceSignal' | 'steer' | 'sessionId' | 'runId'
> {
  /** Names the conversation; default: unique within this process, or that of `state`. */
  readonly id?: string;
  /** What `save` gave: the agent goes on where that one was. It may come from JSON. */
  readonly state?: AgentState;
  /** Bounds of the messages that wait for the next request. */
  readonly steering?: SteerQueueOptions;
}

/** What may differ from one prompt to the next. */
export type AgentTurnOptions = Pick<RunAgentOptions, 'signal' | 'output' | 'limits' | 'onEvent' | 'maxToolIterations'>;

/** A conversation with a model that works with tools: it keeps the history, and outlives whatever becomes of a run. */
export interface Agent extends SteerSink {
  readonly id: string;
  /** The conversation so far, every call answered; while it runs, as of the latest request. */
  readonly messages: readonly Message[];
  /** Sums over all runs. */
  readonly usage: Usage;
  readonly isRunning: boolean;
  /**
   * Works on a prompt until there is an answer, as {@link runAgent} does; without one it goes on from where it stopped.
   * @throws HaftError `AGENT_RUNNING` while a run is going on (`steer` reaches that one), and where `runAgent` throws.
   */
  run(prompt?: string, options?: AgentTurnOptions): Promise<AgentResult>;
  /**
   * Ends the current run, whose calls are all answered; a second time, without waiting for tools that don't listen. The
   * agent itself can be asked again. Answers whether there was a run.
   */
  abort(): boolean;
  /** All that is needed to go on elsewhere, as JSON. Also during a run: then as of its latest request. */
  save(): Promise<AgentState>;
  /**
   * Replaces the conversation between two runs, such as by a shorter one.
   * @throws HaftError `AGENT_RUNNING` during one.
   */
  replaceMessages(messages: readonly Message[]): void;
}

const { prompt: _prompt, messages: _messages, signal: _signal, forceSignal: _force, ...ofRuns } = runOptionKinds;
const { steer: _steer, sessionId: _sessionId, runId: _runId, ...common } = ofRuns;
const table: OptionTable<AgentOptions> = {
  ...common,
  id: nonEmptyString,
  state: custom('what save() of an agent gave', isRecord),
  steering: steeringKind,
};

const nextAgentId = createIdSource('agent');

/**
 * Makes an agent: a session over {@link runAgent} with its history, its steer queue and an abort for each run.
 *
 * @throws HaftError `INVALID_OPTION` for an option that is missing, misspelt or not what it has to be.
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
    if (current) throw new HaftError('AGENT_RUNNING', `the agent ${id} is running: steer it, or abort it first`);
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

/** The agent's own prompt may have changed since, and one is enough. */
function withoutSystemPrompt(messages: readonly Message[]): readonly Message[] {
  return messages[0]?.role === 'system' ? messages.slice(1) : messages;
}
