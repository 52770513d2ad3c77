/**
 * Programs around the recipes of `docs/scaling.md`. They are texts, because they import packages that only a long test
 * installs.
 */

/** A tool that pays. With `DIES` it kills its process after the payment, and with `FAILS` the first result is lost. */
export const toolsProgram = `import { appendFileSync, existsSync, readFileSync } from 'node:fs';

import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { openJobs } from '@haft/jobs';

const { BANK: bank = '', DATABASE_URL: url = '', DIES: dies } = process.env;

const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  input: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
  recover: (_, { key }) => (existsSync(bank) && readFileSync(bank, 'utf8').includes(key) ? 'done' : 'not-done'),
  execute: ({ euros }, { idempotencyKey }) => {
    appendFileSync(bank, \`\${idempotencyKey} \${euros}\\n\`);
    if (dies !== undefined) process.kill(process.pid, 'SIGKILL');
    return 'paid';
  },
});

const opened = await openJobs({ url, timeoutMs: 30_000 });
opened.work({ dispatcher: createDispatcher({ registry: [pay], permission: allowAll }), leaseMs: 1_000 });

let fails = process.env['FAILS'] !== undefined;
export const jobs = {
  ...opened,
  async submit(...given: Parameters<typeof opened.submit>) {
    const job = await opened.submit(...given);
    const result: typeof job.result = async (options) => {
      const found = await job.result(options);
      if (!fails) return found;
      fails = false;
      throw new Error('interrupted after the payment');
    };
    return { ...job, result };
  },
};
`;

/** Files by host and name. */
export const hostPrograms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dbos: {
    'main.ts': `import { DBOS } from '@dbos-inc/dbos-sdk';

import { runTool } from './run-tool.ts';
import { jobs } from './tools.ts';

const order = DBOS.registerWorkflow((euros: number) => runTool({ id: 'pay', name: 'pay', arguments: { euros } }), {
  name: 'order',
});
DBOS.setConfig({
  name: 'shop',
  applicationVersion: '1',
  systemDatabaseUrl: process.env['DATABASE_URL']!,
  runAdminServer: false,
  logLevel: 'error',
});
await DBOS.launch();
const handle = await DBOS.startWorkflow(order, { workflowID: 'order-7' })(20);
console.log(\`result \${JSON.stringify(await handle.getResult())}\`);
await DBOS.shutdown();
await jobs.close();
`,
  },
  temporal: {
    'main.ts': `import { MockActivityEnvironment } from '@temporalio/testing';

import { runTool } from './run-tool.ts';
import { jobs } from './tools.ts';

// A server would repeat the activity with the same IDs after its worker was lost.
const info = { activityId: '1', workflowExecution: { workflowId: 'order-7', runId: 'run-1' } };
const call = { id: 'pay', name: 'pay', arguments: { euros: 20 } };
for (const attempt of [1, 2]) {
  const environment = new MockActivityEnvironment({ ...info, attempt });
  console.log(\`result \${JSON.stringify(await environment.run(runTool, call))}\`);
}
await jobs.close();
process.exit(0);
`,
  },
  'workflow-sdk': {
    'vitest.config.ts': `import { workflow } from '@workflow/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [workflow()],
  test: { include: ['*.integration.test.ts'], testTimeout: 120_000 },
});
`,
    'order.integration.test.ts': `import { expect, it } from 'vitest';
import { start } from 'workflow/api';

import { order } from './workflows/order.ts';

it('pays once although the step fails after the payment', async () => {
  const run = await start(order, [20]);
  expect(await run.returnValue).toMatchObject({ content: [{ text: 'paid' }] });
});
`,
    'workflows/order.ts': `import { runTool } from '../run-tool.ts';

export async function order(euros: number) {
  'use workflow';
  return runTool({ id: 'pay', name: 'pay', arguments: { euros } });
}
`,
  },
};
