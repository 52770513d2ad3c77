import type { HeldJob } from './held-job.ts';

/** Milliseconds that a body may take to end after its signal was aborted. */
const graceMs = 2_000;

/**
 * Waits until jobs end. After the timeout, hands back those that can run again, and aborts the others, which then
 * record their results.
 */
export async function stopJobs(
  jobs: readonly HeldJob[],
  timeoutMs: number,
  giveBack: (held: HeldJob) => Promise<boolean>,
): Promise<void> {
  const left = new Set(jobs);
  const ended = jobs.map((held) => held.ended.then(() => left.delete(held)));
  if (await endsWithin(ended, timeoutMs)) return;
  const end = async (held: HeldJob): Promise<void> => {
    const isUnrepeatable = (): boolean => held.hasStarted && !held.isRepeatable;
    const isGivenBack = !isUnrepeatable() && (await giveBack(held).catch(() => undefined));
    if (isGivenBack === true) held.release('the worker stops');
    // The body may have started in the meantime.
    else if (isUnrepeatable()) held.controller.abort(new DOMException('the worker stops', 'AbortError'));
    // If the database can't be reached, the lease ends by itself. Until then, the body must not start.
    else if (isGivenBack === undefined && !held.hasStarted) held.lose();
  };
  await Promise.all([...left].map(end));
  await endsWithin(ended, graceMs);
}

/** Resolves to whether everything ended in time. */
async function endsWithin(ended: readonly Promise<unknown>[], timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const isInTime = await Promise.race([Promise.all(ended).then(() => true), timeout]);
  clearTimeout(timer);
  return isInTime;
}
