import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

const quietMs = 100;
const maxDrainMs = 250;
const maxLateTurns = 16;

/**
 * Reads the remaining output of a command that has exited, until its pipes close, have been quiet for 100 ms, or 250 ms
 * have passed. A background process may hold the pipes open forever.
 */
export async function drainStreams(streams: readonly Readable[]): Promise<void> {
  const isOpen = (stream: Readable): boolean => !stream.closed && !stream.readableEnded;
  if (!streams.some(isOpen)) return;

  let chunks = 0;
  const count = (): void => {
    chunks += 1;
  };
  const closed = Promise.all(
    streams.filter(isOpen).map((stream) => new Promise<void>((resolve) => stream.once('close', resolve))),
  );
  const stopWaiting = new AbortController();
  for (const stream of streams) stream.on('data', count);

  const startedAt = performance.now();
  let lastChunkAt = startedAt;
  for (let seen = 0, late = 0; streams.some(isOpen);) {
    await Promise.race([closed, wait(20, undefined, { signal: stopWaiting.signal }).catch(() => {})]);
    // On a busy machine, a timer may run before pipes that are already readable.
    await nextTurn();
    const now = performance.now();
    const isSilent = chunks === seen;
    if (!isSilent) lastChunkAt = now;
    seen = chunks;
    if (isSilent && now - lastChunkAt >= quietMs) break;
    if (now - startedAt >= maxDrainMs && (isSilent || (late += 1) > maxLateTurns)) break;
  }
  stopWaiting.abort();
  for (const stream of streams) stream.off('data', count);
}
