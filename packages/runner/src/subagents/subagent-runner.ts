import { createIdSource, type Model, type SteerSink, type ToolSource } from '@haft/core';
import {
  aFunction,
  aModel,
  anInteger,
  checkOptions,
  either,
  objectOf,
  objectWith,
  aString,
  recordOf,
  required,
  aToolSource,
  type OptionTable,
} from '@haft/core/options';
import { createSnapshotFilter } from '@haft/core/registry';
import { eitherSignal } from '../abortable.ts';
import type { AgentResult } from '../contracts/agent-result.ts';
import { allowKind, limitKind } from '../contracts/run-option-kinds.ts';
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

/** What {@link createSubagentRunner} takes. */
export interface SubagentRunnerOptions {
  readonly model: Model;
  /** What agents call tools through, with its permission and middleware: the very source of the agent that hands work out. */
  readonly source: ToolSource | (() => ToolSource);
  /** By name; a function is asked at each listing and start. */
  readonly types: Readonly<Record<string, SubagentType>> | (() => Readonly<Record<string, SubagentType>>);
  /** How deep agents may hand work on; default 1: an agent that was handed work hands out none. */
  readonly maxDepth?: number;
  /** Agents that one task may start in all; default 8. */
  readonly maxPerTask?: number;
  /** Agents that may run at once; default 4. */
  readonly maxParallel?: number;
  /** The budget of each agent whose type has none. */
  readonly limits?: RunLimits;
  /** Hears what happens in the agents. What it throws is dropped. */
  readonly onEvent?: (event: SubagentEvent) => void;
  /** Told when an agent that works in the background has ended. */
  readonly steer?: SteerSink;
}

const typeKind = objectOf<SubagentType>(
  {
    description: required(aString),
    systemPrompt: aString,
    model: aModel,
    allow: allowKind,
    maxToolIterations: anInteger({ min: 0 }),
    limits: limitKind,
  },
  '{ description: "Searches the web." }',
);
const bound = anInteger({ min: 1 });
const table: OptionTable<SubagentRunnerOptions> = {
  model: required(aModel),
  source: required(either(aToolSource, aFunction)),
  types: required(either(aFunction, recordOf(typeKind, 'an object of agent types by their names'))),
  maxDepth: bound,
  maxPerTask: bound,
  maxParallel: bound,
  limits: limitKind,
  onEvent: aFunction,
  steer: objectWith<SteerSink>('a queue such as createSteerQueue() makes', 'steer'),
};

/** The tools by which a model hands work out; an agent too deep never sees them. */
export const subagentToolNames: readonly string[] = [
  'subagent',
  'agent_spawn',
  'agent_await',
  'agent_status',
  'agent_stop',
];

/** The key in a session's metadata that says how deep its agent is; written by nobody but the runner. */
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
 * Makes what starts agents for others, with a conversation, a budget and a part of the tools of their own. Permission is
 * that of the source; an abort of the call, or of the task, is theirs too.
 *
 * @throws HaftError `INVALID_OPTION` for bounds that are no whole numbers above 0.
 */
export function createSubagentRunner(options: SubagentRunnerOptions): SubagentRunner {
  checkOptions('createSubagentRunner', options, table, '{ model, source, types }');
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
    if (depth >= maxDepth) return 'an agent that was handed work can not hand it on';
    if ((tasks.get(taskId)?.size ?? 0) >= maxPerTask)
      return `this task has started ${maxPerTask} agents, which is as many as it may`;
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
      const depth = origin.depth + 1;
      running += 1;
      const work = runAgent({
        model: type.model ?? options.model,
        tools: narrow(typeof options.source === 'function' ? options.source() : options.source, depth >= maxDepth),
        prompt: request.prompt,
        signal: eitherSignal(controller.signal, origin.signal)!,
        session: { id, metadata: { [depthKey]: depth, parent: origin.taskId, agentType: request.type } },
        sessionId: id,
        runId: id,
        limits: type.limits ?? options.limits ?? {},
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

/** The source of an agent that may hand nothing on: without the tools for that, whatever its type allows. */
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
