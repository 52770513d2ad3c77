import type { SectionName } from '../contract/page-data.ts';
import { refuse, respond } from './respond.ts';

/** Subscribes to the changes of all sections. Returns a function that unsubscribes. */
export type Subscribe = (listener: (section: SectionName) => void) => () => void;

/** Notifies open pages of the sections that have changed. */
export interface ChangeStream {
  /** Answers with a stream of server-sent events, one each time sections have changed. */
  open(signal: AbortSignal): Response;
  /** Ends all streams. */
  close(): void;
}

const maxStreams = 50;
/** Changes within this time are sent together, in milliseconds. */
const mergeMs = 50;
const heartbeatMs = 15_000;

/**
 * Creates the change stream. An event only names the sections that changed, so that ten thousand changes cost a slow page
 * no more than one. Nothing is subscribed while no page is open.
 */
export function createChangeStream(subscribe: Subscribe, initial: readonly SectionName[]): ChangeStream {
  const streams = new Set<(section: SectionName) => void>();
  const closers = new Set<() => void>();
  let unsubscribe: (() => void) | undefined;

  const leave = (): void => {
    if (streams.size > 0) return;
    unsubscribe?.();
    unsubscribe = undefined;
  };

  return {
    open(signal) {
      if (streams.size >= maxStreams) return refuse(503, `${maxStreams} pages are open already (close one of them)`);
      const encoder = new TextEncoder();
      const changed = new Set<SectionName>(initial);
      let timer: NodeJS.Timeout | undefined;
      let beat: NodeJS.Timeout | undefined;
      let end = (): void => undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const flush = (): void => {
            timer = undefined;
            if (changed.size === 0) return;
            // A slow page is notified later, with all changes up to then combined.
            if ((controller.desiredSize ?? 0) <= 0) {
              timer = setTimeout(flush, mergeMs * 4).unref();
              return;
            }
            controller.enqueue(encoder.encode(`event: changed\ndata: ${JSON.stringify([...changed])}\n\n`));
            changed.clear();
          };
          const receive = (section: SectionName): void => {
            changed.add(section);
            timer ??= setTimeout(flush, mergeMs).unref();
          };
          end = () => {
            clearTimeout(timer);
            clearInterval(beat);
            streams.delete(receive);
            closers.delete(close);
            signal.removeEventListener('abort', close);
            leave();
          };
          const close = (): void => {
            end();
            try {
              controller.close();
            } catch {
              // The page has disconnected.
            }
          };
          streams.add(receive);
          closers.add(close);
          unsubscribe ??= subscribe((section) => {
            for (const stream of streams) stream(section);
          });
          beat = setInterval(() => {
            if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': alive\n\n'));
          }, heartbeatMs).unref();
          signal.addEventListener('abort', close, { once: true });
          flush();
          if (signal.aborted) close();
        },
        cancel: () => end(),
      });
      return respond(200, 'text/event-stream; charset=utf-8', body, { 'x-accel-buffering': 'no' });
    },
    close() {
      for (const close of closers) close();
    },
  };
}
