import type { PermissionEngine } from '@haft/core';

import { assembleTools } from '../assembly/assemble-tools.ts';
import { permissionMode } from '../permission/permission-mode.ts';
import type { Invocation } from '../program/command.ts';
import { openLedger } from './open-ledger.ts';
import { readCount } from '../program/read-count.ts';
import { parseHealthAddress, serveHealth, type HealthServer } from './serve-health.ts';

/** Takes jobs and runs them until the program is asked to end. Returns the exit code. */
export async function runWorker(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const mode = permissionMode(invocation);
  const maxParallel = readCount(invocation, 'max-parallel', 1_000);
  const drainSeconds = readCount(invocation, 'drain', 86_400) ?? 30;
  const queues = invocation.value('queues')?.split(',').filter(Boolean);
  const given = invocation.value('health');
  const healthAddress = given === undefined ? undefined : parseHealthAddress(given);
  const jobs = await openLedger(invocation, true);
  let health: HealthServer | undefined;
  try {
    // A worker has no user at its terminal, so questions wait in the ledger.
    const asksInLedger = (engine: PermissionEngine): PermissionEngine => jobs.approvals(engine);
    await using tools = await assembleTools({
      invocation,
      mode,
      asks: false,
      permission: asksInLedger,
    });
    const worker = jobs.work({
      dispatcher: tools.dispatcher,
      cwd: invocation.cwd,
      ...(maxParallel === undefined ? {} : { maxParallel }),
      ...(queues === undefined ? {} : { queues }),
    });
    if (healthAddress !== undefined) {
      health = await serveHealth(worker, healthAddress);
      terminal.line(`Probes are answered at ${health.url}/live and ${health.url}/ready`);
    }
    await worker.ready;
    terminal.line(`The worker ${worker.name} takes jobs (Ctrl-C ends it)`);
    await untilAborted(signal);
    if (worker.running > 0) terminal.note(`haft: waiting up to ${drainSeconds} s for ${worker.running} running jobs`);
    await worker.stop({ timeoutMs: drainSeconds * 1_000 });
    return 0;
  } finally {
    await health?.close();
    await jobs.close();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
