import { createHash } from 'node:crypto';

import {
  allowAll,
  combineSources,
  createDispatcher,
  defineTool,
  failure,
  success,
  toolError,
  type AnyTool,
  type DurableAgent,
  type DurableRunResult,
  type ToolCall,
  type ToolResult,
  type ToolSource,
} from '@haft/core';

import type { Job, SubmitOptions } from '../contracts/job.ts';
import { JobsError } from '../jobs-error.ts';
import type { Patience } from '../engine/keep-trying.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { currentJob } from '../worker/current-job.ts';
import type { HeldJob } from '../worker/held-job.ts';
import { createTurnLog } from '../worker/turn-log.ts';
import { createJobSource } from './as-tool-source.ts';

/** Dependencies of agent runs. */
export interface AgentDeps {
  readonly ledger: Ledger;
  readonly patience: Patience;
  readonly submit: (call: ToolCall, options: SubmitOptions) => Promise<Job>;
}

/** Returns the name under which the runs of an agent are jobs. Models of other agents see it as a tool. */
export function agentToolName(agent: string): string {
  return `agent_${agent}`;
}

/** Adds agents to the tools of a worker. A run is a call of such a tool; its own calls and agents are further jobs. */
export function addAgents(deps: AgentDeps, dispatcher: ToolSource, agents: readonly DurableAgent[]): ToolSource {
  if (agents.length === 0) return dispatcher;
  const tools = new Map<string, AnyTool>();
  const sourceOf = (names: readonly string[]): ToolSource =>
    combineSources(
      createDispatcher({ registry: names.flatMap((name) => tools.get(name) ?? []), permission: allowAll }),
      dispatcher,
    );
  for (const agent of agents) {
    for (const name of agent.subagents)
      if (!agents.some((other) => other.name === name))
        throw new JobsError('INVALID_OPTION', `work: agents: ${agent.name} may start ${name}, which is missing`);
    tools.set(
      agent.name,
      createAgentTool(deps, agent, () => sourceOf(agent.subagents)),
    );
  }
  return sourceOf(agents.map(({ name }) => name));
}

function createAgentTool(deps: AgentDeps, agent: DurableAgent, sourceOf: () => ToolSource): AnyTool {
  return defineTool({
    name: agentToolName(agent.name),
    description: agent.description,
    input: {
      type: 'object',
      properties: { prompt: { type: 'string', description: 'The whole task. The agent sees nothing else.' } },
      required: ['prompt'],
    },
    // The log makes a second run a continuation of the first.
    traits: { idempotent: true },
    parallelizable: true,
    timeoutMs: Infinity,
    async execute(args, { callId, signal }) {
      const held = currentJob.getStore();
      if (held === undefined) throw new Error(`${agent.name} runs only as a job (call submitRun)`);
      const result = await agent.run({
        runId: held.job.id,
        prompt: (args as { readonly prompt: string }).prompt,
        tools: createChildSource(deps, held, sourceOf()),
        log: createTurnLog(deps.ledger, deps.patience, held),
        signal,
      });
      return toResult(callId, agent.name, result);
    },
  }) as AnyTool;
}

/** Runs the calls of a run as jobs. Because of their keys, a call that has already run returns its stored result. */
function createChildSource({ submit }: AgentDeps, held: HeldJob, source: ToolSource): ToolSource {
  const { id, queue, workspace, priority } = held.job;
  return createJobSource(submit, source, {
    queue,
    ...(workspace === '' ? {} : { workspace }),
    // A run that has begun has priority over runs that have not.
    priority: Math.min(priority + 1, 1_000_000),
    keyOf: (call, { turn = 0 }) => `${id}/${turn}/${storableId(call.id)}`,
    host: held,
  });
}

/** Models choose the IDs of their calls, so the IDs may repeat. */
function storableId(id: string): string {
  return /^[\w.-]{1,100}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32);
}

function toResult(callId: string, agent: string, result: DurableRunResult): ToolResult {
  const { text, stopReason, problem } = result;
  if (stopReason === 'finished' || stopReason === 'limit') return success(callId, text, { structured: result });
  const error = toolError('EXECUTION_ERROR', `${agent} ended with ${stopReason}: ${problem ?? 'no reason'}`, {
    modelMessage: `The agent ${agent} ended without an answer (${stopReason}).`,
    details: { ...result },
  });
  return failure(callId, error, text === '' ? {} : { content: text });
}
