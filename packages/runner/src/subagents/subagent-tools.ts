import {
  defineTool,
  failure,
  success,
  toolError,
  type AnyTool,
  type DispatchMiddleware,
  type ToolContext,
  type ToolResult,
} from '@haft/core';
import { eraseTool } from '@haft/core/define';
import type { Issue } from '@haft/schema';
import { taskOf } from '../memo/memo-task.ts';
import { createSubagentRunner, depthKey, type SubagentRunnerOptions } from './subagent-runner.ts';
import type { SubagentOrigin, SubagentReport, SubagentRunner } from './subagent-type.ts';

/** Tools for subagents, and the middleware that ties background agents to their run. */
export interface Subagents {
  readonly runner: SubagentRunner;
  /** `subagent`, `agent_spawn`, `agent_await`, `agent_status`, `agent_stop`. */
  readonly tools: readonly AnyTool[];
  /**
   * Add it to the dispatcher of the source, so that an abort of the run also aborts its background agents. Without it,
   * they end at their own limits or by `agent_stop`.
   */
  readonly middleware: DispatchMiddleware;
}

/** Starting an agent needs permission but touches no files, so several agents can start at the same time. */
const spawnTraits = { readOnly: false, destructive: false, idempotent: false, sideEffects: 'external' } as const;
const readTraits = { sideEffects: 'none', readOnly: true, idempotent: true, openWorld: false } as const;
const emptyFootprint = (): { readonly reads: readonly string[]; readonly writes: readonly string[] } => ({
  reads: [],
  writes: [],
});

const work = {
  type: 'object',
  properties: {
    subagent_type: { type: 'string', description: 'Which agent: one of the types in the description of this tool.' },
    description: { type: 'string', description: 'The task in three to five words.' },
    prompt: {
      type: 'string',
      minLength: 1,
      description: 'The task with all necessary details: the agent does not see this conversation.',
    },
  },
  required: ['subagent_type', 'prompt'],
  additionalProperties: false,
} as const;

const ids = {
  type: 'object',
  properties: { agent_id: { type: 'string', description: 'The agent_id that agent_spawn returned.' } },
  required: ['agent_id'],
  additionalProperties: false,
} as const;

/**
 * Creates the tools with which a model delegates work to agents, also in the background.
 * @throws HaftError `INVALID_OPTION` for invalid limits.
 */
export function createSubagents(options: SubagentRunnerOptions): Subagents {
  const runner = createSubagentRunner(options);
  /** The signals of runs by task. The signal of a call would end with the call. */
  const runSignals = new Map<string, AbortSignal>();
  return {
    runner,
    tools: [createSubagentTool(runner), ...createBackgroundTools(runner, runSignals, options)],
    middleware: {
      name: 'subagents',
      around(info, next) {
        if (info.context.signal) runSignals.set(taskOf(info), info.context.signal);
        return next();
      },
      forgetTask(taskId) {
        runSignals.delete(taskId);
        runner.forgetTask(taskId);
      },
    },
  };
}

/** Creates the tool `subagent`: one agent does one task, and its last answer is the result. */
export function createSubagentTool(runner: SubagentRunner): AnyTool {
  const tool = defineTool({
    name: 'subagent',
    description: () => `Delegates a task to another agent and waits for its answer. ${listTypes(runner)}`,
    input: work,
    aliases: { subagent_type: ['agent', 'type'] },
    traits: spawnTraits,
    parallelizable: true,
    footprint: emptyFootprint,
    timeoutMs: 30 * 60_000,
    check: ({ subagent_type }) => unknownType(runner, subagent_type),
    initialTitle: ({ subagent_type, description = 'work' }) => `${subagent_type}: ${description}`,
    async execute({ subagent_type, prompt }, context) {
      const started = runner.start({ type: subagent_type, prompt }, { ...originOf(context), signal: context.signal });
      if ('refused' in started) return refuse(context, started.refused);
      const report = await runner.wait(started.id, taskIdOf(context));
      return answer(context, report!);
    },
  });
  return eraseTool(tool);
}

function createBackgroundTools(
  runner: SubagentRunner,
  runSignals: ReadonlyMap<string, AbortSignal>,
  { steer }: SubagentRunnerOptions,
): readonly AnyTool[] {
  const spawn = defineTool({
    name: 'agent_spawn',
    description: () =>
      `Delegates a task to another agent and returns at once; agent_await gets its answer. ${listTypes(runner)}`,
    input: work,
    aliases: { subagent_type: ['agent', 'type'] },
    traits: spawnTraits,
    parallelizable: true,
    footprint: emptyFootprint,
    check: ({ subagent_type }) => unknownType(runner, subagent_type),
    initialTitle: ({ subagent_type, description = 'work' }) => `${subagent_type}: ${description}`,
    execute({ subagent_type, prompt }, context) {
      const taskId = taskIdOf(context);
      const signal = runSignals.get(taskId);
      const started = runner.start(
        { type: subagent_type, prompt },
        { ...originOf(context), ...(signal && { signal }) },
      );
      if ('refused' in started) return refuse(context, started.refused);
      const { id } = started;
      if (steer) void runner.wait(id, taskId).then((report) => report && steer.steer(announce(report), { source: id }));
      return success(context.callId, `Agent ${id} is working. Call agent_await with it when you need the answer.`, {
        structured: { agent_id: id },
        metadata: { sessionId: id },
      });
    },
  });
  const wait = defineTool({
    name: 'agent_await',
    description: 'Waits for a background agent and returns its answer.',
    input: {
      ...ids,
      properties: { ...ids.properties, timeout_ms: { type: 'integer', minimum: 1, maximum: 600_000 } },
    } as const,
    traits: readTraits,
    footprint: emptyFootprint,
    timeoutMs: 11 * 60_000,
    async execute({ agent_id, timeout_ms = 300_000 }, context) {
      const time = AbortSignal.timeout(timeout_ms);
      const report = await runner.wait(agent_id, taskIdOf(context), AbortSignal.any([time, context.signal]));
      return report ? answer(context, report) : unknownAgent(context, agent_id);
    },
  });
  const status = defineTool({
    name: 'agent_status',
    description: 'Shows the state of the background agents.',
    traits: readTraits,
    footprint: emptyFootprint,
    execute(_, context) {
      const reports = runner.list(taskIdOf(context));
      const lines = reports.map(
        ({ id, type, state, turns, calls }) => `${id} (${type}): ${state}, ${turns} turns, ${calls} calls`,
      );
      return success(context.callId, lines.length === 0 ? 'No agents were started.' : lines.join('\n'), {
        structured: reports.map(({ text: _text, ...report }) => report),
      });
    },
  });
  const stop = defineTool({
    name: 'agent_stop',
    description: 'Stops a background agent.',
    input: ids,
    traits: { ...readTraits, readOnly: true },
    footprint: emptyFootprint,
    execute({ agent_id }, context) {
      const taskId = taskIdOf(context);
      if (!runner.report(agent_id, taskId)) return unknownAgent(context, agent_id);
      return runner.stop(agent_id, taskId)
        ? `Agent ${agent_id} is being stopped.`
        : `Agent ${agent_id} had already ended.`;
    },
  });
  return [eraseTool(spawn), eraseTool(wait), eraseTool(status), eraseTool(stop)];
}

function listTypes(runner: SubagentRunner): string {
  const lines = Object.entries(runner.types()).map(([name, { description }]) => `- ${name}: ${description}`);
  return ['Types of agents:', ...lines].join('\n');
}

function unknownType(runner: SubagentRunner, given: string): readonly Issue[] {
  const names = Object.keys(runner.types());
  if (names.includes(given)) return [];
  const expected = `one of ${names.join(', ')}`;
  return [
    {
      path: '$.subagent_type',
      code: 'enum',
      expected,
      received: JSON.stringify(given).slice(0, 60),
      message: `expected ${expected}`,
    },
  ];
}

function originOf(context: ToolContext): SubagentOrigin {
  const depth = context.session.metadata[depthKey];
  const { callId, model } = context;
  return { taskId: taskIdOf(context), callId, depth: typeof depth === 'number' ? depth : 0, model };
}

function taskIdOf({ runId, sessionId }: ToolContext): string {
  return runId || sessionId;
}

function answer({ callId }: ToolContext, report: SubagentReport): ToolResult {
  const { id, type, state, text = '', stopReason, usage, costUsd, durationMs, turns, calls, problem } = report;
  const metadata = {
    sessionId: id,
    usage,
    ...(costUsd !== undefined && { costUsd }),
    duration: durationMs,
    turns,
    calls,
  };
  const extras = { metadata, summary: `${type}: ${state}`, structured: { agent_id: id, state, text } };
  if (state === 'running')
    return success(callId, `Agent ${id} is still working: ${turns} turns, ${calls} calls so far.`, extras);
  if (state === 'done') {
    const advisories = stopReason === 'limit' ? ['the agent stopped at a limit; its work may not be complete'] : [];
    return success(callId, text.trim() === '' ? '(the agent gave no answer)' : text, { ...extras, advisories });
  }
  const error =
    state === 'stopped'
      ? toolError('ABORTED', `agent ${id} was stopped`)
      : toolError('EXECUTION_ERROR', `agent ${id} failed: ${problem ?? stopReason ?? 'unknown'}`, { fault: 'world' });
  return failure(callId, error, { ...extras, content: text === '' ? [] : [{ type: 'text', text }] } as object);
}

function announce({ id, type, state }: SubagentReport): string {
  return `Agent ${id} (${type}) has ended: ${state}. Call agent_await to read its answer.`;
}

function refuse({ callId }: ToolContext, reason: string): ToolResult {
  return failure(
    callId,
    toolError('LIMIT_REACHED', reason, {
      hint: 'No agent was started. Do the work yourself, or wait for one that runs.',
    }),
  );
}

function unknownAgent({ callId }: ToolContext, id: string): ToolResult {
  const hint = 'Call agent_status for the agents of this task.';
  return failure(callId, toolError('NOT_FOUND', `this task has no agent ${id.slice(0, 80)}`, { hint }));
}
