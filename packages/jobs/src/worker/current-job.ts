import { AsyncLocalStorage } from 'node:async_hooks';

import type { HeldJob } from './held-job.ts';

/** The job whose call is being dispatched, for the permission engine. */
export const currentJob: AsyncLocalStorage<HeldJob> = new AsyncLocalStorage();
