/**
 * A worker of the tour. It submits the payments, runs them, and is killed after the bank has made all of them.
 * Arguments: URL of the jobs, path of the bank's file.
 */
import { JobsError, openJobs } from '@haft/jobs';

import { createPaymentTools, missingPackage, payments, readBank } from './payment-tools.ts';

const [url = '', bank = ''] = process.argv.slice(2);
const jobs = await openJobs({ url }).catch((error: unknown) => {
  if (!(error instanceof JobsError && error.code === 'MISSING_PACKAGE')) throw error;
  process.stderr.write(error.message);
  return process.exit(missingPackage);
});
for (const { name, key, euros } of payments) await jobs.submit({ id: key, name, arguments: { euros } }, { key });
const dispatcher = createPaymentTools(bank, () => {
  if (readBank(bank).length === payments.length) process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
});
jobs.work({ dispatcher });
