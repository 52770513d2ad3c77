import { createIdSource, type Model, type SteerSink, type ToolSource } from '@haft/core';
import type { RunTracing } from '@haft/core/events';
import {
  functionKind,
  modelKind,
  integerKind,
  checkOptions,
  either,
  objectOf,
  objectWith,
  stringKind,
  recordOf,
  required,
  toolSourceKind,
  type OptionTable,
} from '@haft/core/options';
import { createSnapshotFilter } from '@haft/core/registry';
import { eitherSignal } from '../abortable.ts';
import type { AgentResult } from '../contracts/agent-result.ts';
import { allowKind, limitKind, tracingKind } from '../options/run-option-kinds.ts';
import type { RunLimits } from '../limits/run-limits.ts';
import { notify } from '../notify.ts';
import { runAgent } from '../agent/run-agent.ts';
import type {
  SubagentEvent,
  SubagentOrigin,
  SubagentReport,
  SubagentRequest,
  SubagentRunner,
  SubagentType,
} from './subagent-type.ts';

/** Options of {@link createSubagentRunner}. */
export interface SubagentRunnerOptions {
  /** Model of the agents. Default: the model of the run that starts the agent. */
  readonly model?: Model;
  /** The source for the agents' calls, with its permission and middleware. Use the source of the parent agent. */
  readonly source: ToolSource | (() => ToolSource);
  /** Types by name. A function is called at each listing and start. */
  readonly types: Readonly<Record<string, SubagentType>> | (() => Readonly<Record<string, SubagentType>>);
  /** Maximum depth of agents; default 1: an agent cannot start further agents. */
  readonly maxDepth?: number;
  /** Agents that one task may start; default 8. */
  readonly maxPerTask?: number;
  /** Agents that may run at the same time; default 4. */
  readonly maxParallel?: number;
  /** Default limits of each agent. */
  readonly limits?: RunLimits;
  /** Traces the runs of the agents. Each is a child of the call that started it. */
  readonly tracing?: RunTracing;
  /** Receives every event of the agents. Exceptions are ignored. */
  readonly onEvent?: (event: SubagentEvent) => void;
  /** Notified when a background agent has ended. */
  readonly steer?: SteerSink;
}

const typeKind = objectOf<SubagentType>(
  {
    description: required(stringKind),
    systemPrompt: stringKind,
    model: modelKind,
    allow: allowKind,
    maxToolIterations: integerKind({ min: 0 }),
    limits: limitKind,
  },
  '{ description: "Searches the web." }',
);
const bound = integerKind({ min: 1 });
const table: OptionTable<SubagentRunnerOptions> = {
  model: modelKind,
  source: required(either(toolSourceKind, functionKind)),
  types: required(either(functionKind, recordOf(typeKind, 'an object of agent types by name'))),
  maxDepth: bound,
  maxPerTask: bound,
  maxParallel: bound,
  limits: limitKind,
  tracing: tracingKind,
  onEvent: functionKind,
  steer: objectWith<SteerSink>('a queue such as createSteerQueue() returns', 'steer'),
};

/** Tools that start and control agents. Hidden from agents at the maximum depth. */
export const subagentToolNames: readonly string[] = [
  'subagent',
  'agent_spawn',
  'agent_await',
  'agent_status',
  'agent_stop',
];

/** Session metadata key for the depth of an agent. Only the runner writes it. */
export const depthKey = 'subagentDepth';

interface Subagent {
  readonly id: string;
  readonly type: string;
  readonly startedAt: number;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  endedAt: number | undefined;
  turns: number;
  calls: number;
  result: AgentResult | undefined;
  problem: string | undefined;
}

const nextId = createIdSource('agent');

/**
 * Creates a runner for subagents. Each has its own conversation, limits and selection of tools, and the permission of
 * the source. An abort of the call or the task aborts its agents.
 *
 * @throws HaftError `INVALID_OPTION` for limits that are not positive integers.
 */
export function createSubagentRunner(options: SubagentRunnerOptions): SubagentRunner {
  checkOptions('createSubagentRunner', options, table, '{ source, types }');
  const { maxDepth = 1, maxPerTask = 8, maxParallel = 4 } = options;
  const tasks = new Map<string, Map<string, Subagent>>();
  let running = 0;
  const types = (): Readonly<Record<string, SubagentType>> =>
    typeof options.types === 'function' ? options.types() : options.types;
  const find = (id: string, taskId: string): Subagent | undefined => tasks.get(taskId)?.get(id);

  const refusal = ({ type }: SubagentRequest, { depth, taskId }: SubagentOrigin): string | undefined => {
    const known = types();
    if (!Object.hasOwn(known, type))
      return `there is no agent type ${type.slice(0, 80)}; there are: ${Object.keys(known).join(', ')}`;
    if (depth >= maxDepth) return 'an agent cannot start further agents';
    if ((tasks.get(taskId)?.size ?? 0) >= maxPerTask)
      return `this task has started ${maxPerTask} agents, which is the limit`;
    return running >= maxParallel ? `${maxParallel} agents are running: wait for one of them first` : undefined;
  };

  return {
    types,
    start(request, origin) {
      const refused = refusal(request, origin);
      if (refused !== undefined) return { refused };
      const id = nextId();
      const controller = new AbortController();
      const type = types()[request.type]!;
      const model = type.model ?? options.model ?? origin.model;
      if (!model) return { refused: `no model is known for agents of the type ${request.type}` };
      const depth = origin.depth + 1;
      running += 1;
      const work = runAgent({
        model,
        tools: narrow(typeof options.source === 'function' ? options.source() : options.source, depth >= maxDepth),
        prompt: request.prompt,
        signal: eitherSignal(controller.signal, origin.signal)!,
        session: { id, metadata: { [depthKey]: depth, parent: origin.taskId, agentType: request.type } },
        sessionId: id,
        runId: id,
        limits: type.limits ?? options.limits ?? {},
        agentName: request.type,
        ...(options.tracing && { tracing: options.tracing }),
        ...(type.systemPrompt !== undefined && { systemPrompt: type.systemPrompt }),
        ...(type.allow && { allow: type.allow }),
        ...(type.maxToolIterations !== undefined && { maxToolIterations: type.maxToolIterations }),
        onEvent: (event) => {
          if (event.type === 'turn-end') agent.turns = event.turn;
          if (event.type === 'result') agent.calls += 1;
          const { taskId, callId } = origin;
          notify(options.onEvent, { agentId: id, agentType: request.type, depth, taskId, callId, event });
        },
      });
      const ended = work
        .then(
          (result) => void (agent.result = result),
          (cause: unknown) => void (agent.problem = cause instanceof Error ? cause.message : String(cause)),
        )
        .finally(() => {
          running -= 1;
          agent.endedAt = Date.now();
        });
      const agent: Subagent = {
        id,
        type: request.type,
        startedAt: Date.now(),
        controller,
        ended,
        endedAt: undefined,
        turns: 0,
        calls: 0,
        result: undefined,
        problem: undefined,
      };
      const ofTask = tasks.get(origin.taskId) ?? new Map<string, Subagent>();
      tasks.set(origin.taskId, ofTask.set(id, agent));
      return { id };
    },
    report(id, taskId) {
      const agent = find(id, taskId);
      return agent && reportOf(agent);
    },
    list: (taskId) => [...(tasks.get(taskId)?.values() ?? [])].map(reportOf),
    async wait(id, taskId, signal) {
      const agent = find(id, taskId);
      if (!agent) return undefined;
      await Promise.race([agent.ended, aborted(signal)]);
      return reportOf(agent);
    },
    stop(id, taskId) {
      const agent = find(id, taskId);
      if (!agent || agent.endedAt !== undefined) return false;
      agent.controller.abort();
      return true;
    },
    forgetTask(taskId) {
      for (const { controller } of tasks.get(taskId)?.values() ?? []) controller.abort();
      tasks.delete(taskId);
    },
  };
}

function reportOf(agent: Subagent): SubagentReport {
  const { id, type, turns, calls, startedAt, endedAt = Date.now(), result, problem } = agent;
  const { costUsd, ...usage } = result?.usage ?? {};
  const report = {
    id,
    type,
    turns,
    calls,
    durationMs: endedAt - startedAt,
    usage,
    ...(costUsd !== undefined && { costUsd }),
  };
  if (problem !== undefined) return { ...report, state: 'failed', problem };
  if (!result) return { ...report, state: 'running' };
  const { stopReason, text, error } = result;
  const isDone = stopReason === 'finished' || stopReason === 'limit';
  return {
    ...report,
    state: isDone ? 'done' : stopReason === 'aborted' ? 'stopped' : 'failed',
    text,
    stopReason,
    ...(error && { problem: error.message }),
  };
}

/** Removes the agent tools from the source of an agent at the maximum depth, whatever its type allows. */
function narrow(source: ToolSource, isAtMaxDepth: boolean): ToolSource {
  if (!isAtMaxDepth) return source;
  const without = createSnapshotFilter(({ name }) => !subagentToolNames.includes(name));
  return {
    snapshot: () => without(source.snapshot()),
    visibleTo: async (model) => without(await source.visibleTo(model)),
    dispatch: (call, context) => source.dispatch(call, context),
    dispatchBatch: (calls, context) => source.dispatchBatch(calls, context),
    forgetTask: (taskId) => source.forgetTask?.(taskId),
  };
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!signal) return;
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
