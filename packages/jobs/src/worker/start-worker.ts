import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import type { Worker, WorkOptions } from '../contracts/worker.ts';
import { wakeWaitingJobs, listWaits } from '../holds/wake-waiting-jobs.ts';
import { leaseJobs } from '../states/lease-jobs.ts';
import type { LeasedJob } from '../ledger/job-row.ts';
import { cancelSignal, queueSignal, waitSignal, type Ledger } from '../ledger/ledger.ts';
import type { Signals } from '../ledger/signals.ts';
import { deleteOldJobs } from '../states/delete-old-jobs.ts';
import { takeOverLost } from '../states/take-over-lost-jobs.ts';
import { handBack, renewLeases } from '../states/job-transitions.ts';
import type { Writers } from '../states/state-writers.ts';
import { createBacklogRefills } from '../holds/backlog-refills.ts';
import { createCoalescer } from '../engine/coalesce-work.ts';
import { keepTrying, type Patience } from '../engine/keep-trying.ts';
import { HeldJob } from './held-job.ts';
import { runJob, type RunDeps } from './run-job.ts';
import { limitsOf, toLimitSpace } from './tool-needs.ts';
import { stopJobs } from './stop-jobs.ts';

/** Dependencies of a worker besides its options. */
export interface WorkerDeps {
  readonly ledger: Ledger;
  readonly writers: Writers;
  readonly signals: Signals;
  readonly patience: Patience;
  /** Milliseconds for which ended jobs are kept. */
  readonly retentionMs: number;
  /** Receives problems that do not stop the worker. */
  readonly warn: (doing: string, error: unknown) => void;
}

/** Interval at which a worker looks for lost workers and delayed jobs, which notifications do not announce. */
const maxTickMs = 500;

/** Maximum number of jobs for one statement. Each number needs its own prepared statement. */
const maxTaken = 32;

/** Interval at which old jobs are deleted. */
const cleaningMs = 60_000;

/** Starts to take and run jobs. */
export function startWorker(deps: WorkerDeps, options: WorkOptions): Worker {
  const { ledger, signals, warn } = deps;
  const { dispatcher, queues = ['default'], maxParallel = 8, leaseMs = 10_000, limits = [], cwd } = options;
  const name = options.name ?? `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const running = new Set<HeldJob>();
  const limitSpaces = new Map(limits.map((limit) => [`limit:${limit.tool}`, toLimitSpace(limit)]));
  const runDeps: RunDeps = {
    ledger,
    writers: deps.writers,
    patience: deps.patience,
    dispatcher,
    leaseMs,
    cwd: cwd ?? process.cwd(),
    limitsOf: (tool) => limitsOf(tool, limits),
  };
  const missing = new Set<string>();
  const unsubscribe: (() => void)[] = [];
  let isStopping = false;
  /** Whether the queues may still have jobs, because the worker had no room for more. */
  let isFull = false;
  const isStopped = (): boolean => isStopping;
  let nextCleaning = performance.now();
  /** When the database last answered everything. */
  let reachedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const { coalesce, settled } = createCoalescer(warn);
  const backlogs = createBacklogRefills(ledger, queues, { coalesce });

  const fill = coalesce('taking jobs', async () => {
    for (const queue of queues) {
      for (let isMore = true; isMore && !isStopped();) {
        const free = maxParallel - [...running].filter(({ waits }) => waits === 0).length;
        isFull = free <= 0;
        if (isFull) return;
        const limit = Math.min(free, maxTaken);
        const { names: tools } = dispatcher.snapshot();
        for (const tool of tools) missing.delete(tool);
        const sentAt = performance.now();
        const { jobs, taken } = await leaseJobs(ledger, { queue, worker: name, tools, missing, leaseMs, limit });
        for (const job of jobs) begin(job, sentAt);
        backlogs.taken(jobs);
        isMore = taken === limit;
      }
    }
  });

  const begin = (job: LeasedJob, sentAt: number): void => {
    const held = new HeldJob(job);
    held.renewed(sentAt);
    for (const earlier of running) if (earlier.job.id === job.id) earlier.lose();
    running.add(held);
    held.onWait = () => {
      if (isStopped()) void handOver(held);
      else if (isFull) void fill();
    };
    const unwatch = signals.on(`${cancelSignal}${job.id}`, () => void renew());
    held.ended = runJob(runDeps, held)
      .catch((error: unknown) => warn(`running the job ${job.id}`, error))
      .then(() => {
        unwatch();
        running.delete(held);
        if (isFull && !isStopping) void fill();
        for (const space of held.spaces) void offer(space);
        return undefined;
      });
  };

  /** Lets another worker continue a run that waits for a job. */
  const handOver = async (held: HeldJob): Promise<void> => {
    // If the database can't be reached, the lease ends by itself.
    if (await handBack(ledger, held.job).catch(() => false)) held.release('the worker stops');
  };

  /** Whether the last renewal succeeded. */
  let hasRenewed = true;
  const renew = coalesce('renewing leases', async () => {
    hasRenewed = false;
    await renewHeld();
    hasRenewed = true;
  });

  const renewHeld = async (): Promise<void> => {
    const held = [...running].filter((each) => !each.isReleased && !each.isLost);
    if (held.length === 0) return;
    const sentAt = performance.now();
    const renewals = await renewLeases(
      ledger,
      held.map(({ job: { id, attempt } }) => ({ id, attempt })),
      leaseMs,
    );
    const byId = new Map(renewals.map((renewal) => [renewal.id, renewal]));
    for (const each of held) {
      const renewal = byId.get(each.job.id);
      // A job that has just ended has no lease either.
      if (renewal === undefined) {
        if (each.isOverdue(leaseMs)) each.lose();
        continue;
      }
      each.renewed(sentAt);
      if (renewal.cancelReason !== null)
        each.controller.abort(new DOMException(`cancelled: ${renewal.cancelReason}`, 'AbortError'));
    }
  };

  const offers = new Map<string, () => Promise<void>>();
  const offer = (space: string): Promise<void> => {
    let run = offers.get(space);
    if (run === undefined) {
      run = coalesce('waking jobs', () => wakeWaitingJobs(ledger, space, limitSpaces.get(space)));
      offers.set(space, run);
    }
    return run();
  };

  const tick = coalesce('looking for jobs', async () => {
    await renew();
    // A worker that can't report must not declare others lost, which may have the same problem.
    if (!hasRenewed) return;
    await takeOverLost(ledger);
    await callOwn();
    if (performance.now() >= nextCleaning) {
      nextCleaning = performance.now() + cleaningMs;
      await deleteOldJobs(ledger, deps.retentionMs);
    }
    reachedAt = performance.now();
    if (!isStopping) void fill();
  });

  /** Calls the jobs that wait for a tool, lease or limit that this worker can provide. */
  const callOwn = coalesce('waking jobs', async () => {
    await backlogs.find();
    const tools = dispatcher.snapshot();
    for (const wait of await listWaits(ledger)) {
      const isOwn = wait.startsWith('footprint:') || limitSpaces.has(wait) || tools.has(wait.replace(/^tool:/, ''));
      if (isOwn) await offer(wait);
    }
  });

  const schedule = (): void => {
    timer = setTimeout(
      () => void tick().then(() => (isStopping ? undefined : schedule())),
      Math.min(maxTickMs, leaseMs / 3),
    );
  };

  const untilReachable: Patience = {
    timeoutMs: Infinity,
    isClosed: () => isStopping || deps.patience.isClosed(),
    onDelay: warn,
  };
  const ready = (async () => {
    for (const queue of queues) {
      await keepTrying(ledger.engine, untilReachable, 'starting the worker', () => ledger.queue.ensure(queue));
      unsubscribe.push(signals.on(`${queueSignal}${queue}`, () => void fill()));
    }
    unsubscribe.push(signals.on(waitSignal, () => void callOwn()));
    await tick();
    if (!isStopping) schedule();
  })();
  ready.catch((error: unknown) => (isStopping ? undefined : warn('starting the worker', error)));

  let stopping: Promise<void> | undefined;
  return {
    name,
    ready,
    get running() {
      return running.size;
    },
    health() {
      const sinceReachedMs = reachedAt === undefined ? undefined : performance.now() - reachedAt;
      const isReachable = (sinceReachedMs ?? 0) < Math.max(leaseMs, 2 * maxTickMs);
      const state = isStopping
        ? 'stopping'
        : reachedAt === undefined
          ? 'starting'
          : isReachable
            ? 'ready'
            : 'unreachable';
      return { state, running: running.size, sinceReachedMs };
    },
    stop({ timeoutMs = 30_000 } = {}) {
      stopping ??= (async () => {
        isStopping = true;
        for (const end of unsubscribe) end();
        await ready.catch(() => undefined);
        // Renews leases while jobs end.
        const renewing = setInterval(() => void renew(), Math.min(maxTickMs, leaseMs / 3));
        try {
          await fill();
          await Promise.all([...running].filter(({ waits }) => waits > 0).map(handOver));
          await stopJobs([...running], timeoutMs, (held) => handBack(ledger, held.job));
        } finally {
          clearInterval(renewing);
          clearTimeout(timer);
          await settled();
        }
      })();
      return stopping;
    },
  };
}
