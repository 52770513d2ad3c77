import { HaftError, type DurableAgent } from '@haft/core';
import { arrayOf, checkOptions, custom, isRecord, required, stringKind, type OptionTable } from '@haft/core/options';
import { runAgent } from './run-agent.ts';
import type { RunAgentOptions } from '../options/agent-options.ts';
import { runOptionKinds } from '../options/run-option-kinds.ts';

/** Options of {@link createDurableAgent}: the options of a run, except those that its host provides. */
export interface DurableAgentOptions extends Omit<
  RunAgentOptions,
  | 'tools'
  | 'prompt'
  | 'messages'
  | 'signal'
  | 'forceSignal'
  | 'steer'
  | 'throwOnError'
  | 'log'
  | 'session'
  | 'sessionId'
  | 'runId'
  | 'agentName'
  | 'permission'
  | 'workspace'
  | 'errors'
  | 'locale'
  | 'observer'
  | 'middleware'
> {
  /** Up to 50 letters, digits, `-` and `_`. */
  readonly name: string;
  /** When to use it, as one sentence for the model of an agent that may start it. Default: its name. */
  readonly description?: string;
  /** Names of the agents that it may start. Default: none. */
  readonly subagents?: readonly string[];
}

const {
  tools: _tools,
  prompt: _prompt,
  messages: _messages,
  signal: _signal,
  forceSignal: _forceSignal,
  steer: _steer,
  throwOnError: _throwOnError,
  log: _log,
  session: _session,
  sessionId: _sessionId,
  runId: _runId,
  agentName: _agentName,
  permission: _permission,
  workspace: _workspace,
  errors: _errors,
  locale: _locale,
  observer: _observer,
  middleware: _middleware,
  ...ofRuns
} = runOptionKinds;

const nameKind = custom<string>(
  'up to 50 letters, digits, "-" and "_"',
  (value) => typeof value === 'string' && /^[\w-]{1,50}$/.test(value),
);
const table: OptionTable<DurableAgentOptions> = {
  ...ofRuns,
  name: required(nameKind),
  description: stringKind,
  subagents: arrayOf(nameKind, 'a list of names'),
};

/**
 * Creates an agent whose runs any process can continue after the last complete turn: {@link runAgent} with a log. Pass it
 * to `work` of `@haft/jobs`, and start runs with `submitRun`. The tools are those of the host.
 *
 * @throws HaftError `INVALID_OPTION` if an option is missing, misspelled or invalid.
 */
export function createDurableAgent(options: DurableAgentOptions): DurableAgent {
  const ofHost = ['tools', 'permission', 'middleware'].find(
    (name) => isRecord(options) && Object.hasOwn(options, name),
  );
  if (ofHost !== undefined) {
    const remedy = 'the dispatcher of the worker has it: jobs.work({ dispatcher, agents: [agent] })';
    throw new HaftError('INVALID_OPTION', `createDurableAgent: ${ofHost} is not an option (${remedy})`);
  }
  checkOptions('createDurableAgent', options, table, '{ name, model }');
  const { name, description = `The agent ${name}.`, subagents = [], ...common } = options;
  if (subagents.includes(name))
    throw new HaftError('INVALID_OPTION', `subagents: an agent can't start itself (expected other names, got ${name})`);
  return {
    name,
    description,
    subagents: [...subagents],
    async run({ runId, prompt, tools, log, signal }) {
      const { stopReason, text, turns, usage, error, ...rest } = await runAgent({
        ...common,
        tools,
        prompt,
        log,
        signal,
        runId,
        sessionId: runId,
        agentName: name,
      });
      return {
        stopReason,
        text,
        turns,
        usage,
        ...('output' in rest && { output: rest.output }),
        ...(error && { problem: error.message }),
      };
    },
  };
}
