import { createUnreadReplies, type UnreadLimits } from './unread-replies.ts';

/**
 * Ends a stream of events whose client does not read it. What makes the events waits for nobody, so that they are taken from it
 * as they come, and counted until the client has read them.
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
  let isOver = false;
  let failed: Error | undefined;
  let wake = (): void => undefined;

  const end = (reason?: Error): void => {
    if (isOver) return;
    isOver = true;
    failed = reason;
    unread.stop();
    if (reason) waiting.length = 0;
    wake();
  };
  const unread = createUnreadReplies(
    {
      onStalled(reason) {
        end(reason);
        reader.cancel(reason).catch(() => undefined);
        onStalled(reason);
      },
    },
    limits,
  );
  const take = async (): Promise<void> => {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (isOver) return;
      waiting.push({ chunk: read.value, done: unread.add(read.value.byteLength, true) });
      wake();
    }
    end();
  };
  take().catch((error: unknown) => end(error instanceof Error ? error : new Error(String(error))));

  const limited = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (waiting.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
        const next = waiting.shift();
        if (next) {
          next.done();
          controller.enqueue(next.chunk);
        } else if (failed) controller.error(failed);
        else controller.close();
      },
      cancel(reason) {
        end();
        waiting.length = 0;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(limited, { status, statusText, headers });
}
