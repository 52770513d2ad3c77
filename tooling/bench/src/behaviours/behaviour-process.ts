// Runs one agent through all scenarios and prints its behaviour in each.
import type { RunAgentOnce } from '@haft-tooling/peers/behaviours/agent';
import { moduleOf } from '@haft-tooling/peers/module-of';
import { judgeBehaviour, type Behaviour } from './judge-behaviour.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import { startScriptedServer } from './scripted-server.ts';

const [module = ''] = process.argv.slice(2);
// Redirects notes that libraries write to standard output, which is reserved for the outcome.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
const { default: run } = (await import(moduleOf(module).href)) as { readonly default: RunAgentOnce };
const behaviours: Behaviour[] = [];
for (const scenario of scenarios) behaviours.push(await observe(scenario));
write(`${JSON.stringify(behaviours)}\n`, () => process.exit(0));

async function observe(scenario: Scenario): Promise<Behaviour> {
  const server = await startScriptedServer(scenario.answer);
  const received: unknown[] = [];
  const execute = (args: unknown): string => {
    received.push(structuredClone(args));
    if (scenario.thrown !== undefined) throw new Error(scenario.thrown);
    return 'booked';
  };
  const hasFailed = await run({ baseURL: server.baseURL, execute }).then(
    () => false,
    (cause: unknown) => {
      process.stderr.write(`${scenario.id}: ${String(cause).slice(0, 500)}\n`);
      return true;
    },
  );
  const { requests } = server;
  await server.close();
  return judgeBehaviour(scenario, { received, requests, hasFailed });
}
