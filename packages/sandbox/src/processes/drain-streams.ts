import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

const quietMs = 100;
const longestMs = 250;
const furtherTurns = 16;

/**
 * Reads what is still in the pipes of a command that has exited: until they close, until they have been quiet for 100 ms, or
 * for 250 ms. A process left in the background may hold them open for ever.
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
  let lastPieceAt = startedAt;
  for (let seen = 0, late = 0; streams.some(isOpen);) {
    await Promise.race([closed, wait(20, undefined, { signal: stopWaiting.signal }).catch(() => {})]);
    // On a busy machine a timer may run before pipes that have long been readable: give them their turn.
    await nextTurn();
    const now = performance.now();
    const isSilent = chunks === seen;
    if (!isSilent) lastPieceAt = now;
    seen = chunks;
    if (isSilent && now - lastPieceAt >= quietMs) break;
    if (now - startedAt >= longestMs && (isSilent || (late += 1) > furtherTurns)) break;
  }
  stopWaiting.abort();
  for (const stream of streams) stream.off('data', count);
}
