import { createUnreadReplies, type UnreadLimits } from './unread-replies.ts';

/**
 * Ends an event stream whose client does not read it. The producer does not wait for the client, so chunks are taken
 * from it as they arrive and counted until the client has read them.
 */
export function limitEventStream(
  response: Response,
  onStalled: (reason: Error) => void,
  limits: UnreadLimits = {},
): Response {
  const { body, status, statusText, headers } = response;
  if (body === null || !/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) return response;
  const reader = body.getReader();
  const waiting: { readonly chunk: Uint8Array; readonly done: () => void }[] = [];
  let isEnded = false;
  let failed: Error | undefined;
  let wake = (): void => undefined;

  const finish = (reason?: Error): void => {
    if (isEnded) return;
    isEnded = true;
    failed = reason;
    unread.stop();
    if (reason) waiting.length = 0;
    wake();
  };
  const unread = createUnreadReplies(
    {
      onStalled(reason) {
        finish(reason);
        reader.cancel(reason).catch(() => undefined);
        onStalled(reason);
      },
    },
    limits,
  );
  const readAll = async (): Promise<void> => {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (isEnded) return;
      waiting.push({ chunk: read.value, done: unread.add(read.value.byteLength, true) });
      wake();
    }
    finish();
  };
  readAll().catch((error: unknown) => finish(error instanceof Error ? error : new Error(String(error))));

  const limited = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (waiting.length === 0 && !isEnded) await new Promise<void>((resolve) => (wake = resolve));
        const next = waiting.shift();
        if (next) {
          next.done();
          controller.enqueue(next.chunk);
        } else if (failed) controller.error(failed);
        else controller.close();
      },
      cancel(reason) {
        finish();
        waiting.length = 0;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(limited, { status, statusText, headers });
}
