import { runModule } from '@haft-tooling/measure';
import { comparedAgents, type ComparedAgent } from '@haft-tooling/peers/behaviours/agents';
import type { Behaviour } from './judge-behaviour.ts';

/** The behaviours of an agent, in the order of the scenarios. */
export interface MeasuredAgent {
  readonly agent: ComparedAgent;
  readonly behaviours: readonly Behaviour[];
}

/** Disables the telemetry of all agents. */
const environment = { MASTRA_TELEMETRY_DISABLED: '1', LANGSMITH_TRACING: 'false', DO_NOT_TRACK: '1' };

/** Runs the agents one after the other, each in its own process. */
export async function measureBehaviours(log: (line: string) => void = () => {}): Promise<readonly MeasuredAgent[]> {
  const measured: MeasuredAgent[] = [];
  for (const agent of comparedAgents) {
    log(`  ${agent.name}`);
    const module = new URL('behaviour-process.ts', import.meta.url);
    const behaviours = await runModule<readonly Behaviour[]>(module, [agent.module], {
      environment,
      timeoutMs: 120_000,
    });
    measured.push({ agent, behaviours });
  }
  return measured;
}
