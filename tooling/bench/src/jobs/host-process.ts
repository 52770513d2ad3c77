/** Works on jobs until its standard input ends. Arguments: URL and schema of the database, number of parallel jobs. */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { openJobs } from '@haft/jobs';

const [url = '', schema = '', parallel = '8'] = process.argv.slice(2);
const wait = defineTool({
  name: 'wait',
  description: 'Waits.',
  input: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
  traits: { idempotent: true },
  execute: async ({ ms }) => (ms > 0 ? delay(ms, 'waited') : 'done'),
});
const jobs = await openJobs({ url, schema, timeoutMs: 60_000 });
const dispatcher = createDispatcher({ registry: [wait], permission: allowAll });
await jobs.work({ dispatcher, maxParallel: Number(parallel), leaseMs: 60_000 }).ready;
writeSync(1, 'ready\n');
process.stdin.resume();
await once(process.stdin, 'end');
const { user, system } = process.cpuUsage();
writeSync(1, `cpu ${(user + system) / 1_000}\n`);
await jobs.close();
