/** Options of {@link createRestarts}. */
export interface RestartOptions {
  /** Makes one attempt. Resolves to true if the server is back. */
  readonly attempt: () => Promise<boolean>;
  /** Called when no attempts are left. */
  readonly onExhausted: () => void;
  readonly maxAttempts: number;
  /** Attempts counted before the first one. Default 0, so that the first attempt starts at once. */
  readonly initialAttempts?: number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/** Schedules attempts to restart a server. */
export interface Restarts {
  /** Attempts since the server was last healthy. */
  readonly attempts: number;
  /** Starts the attempts: the first one at once, later ones with growing delays. */
  start(): void;
  /** Skips the delay before the next attempt. Resolves to true if the server is back. */
  retryNow(): Promise<boolean>;
  stop(): void;
}

const initialBackoffMs = 500;
const maxBackoffMs = 60_000;
/** A server that ran this long was healthy, so earlier attempts don't count. */
const healthyMs = 10_000;

/**
 * Creates a schedule of attempts with exponential backoff and full jitter, so that the clients of one server don't
 * reconnect at the same moment. Source: Marc Brooker, "Exponential Backoff And Jitter", 2015.
 */
export function createRestarts(options: RestartOptions): Restarts {
  const { attempt, onExhausted, maxAttempts, random, initialAttempts = 0 } = options;
  let attempts = initialAttempts;
  let restartedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<boolean> | undefined;
  let isStopped = false;

  const run = (): Promise<boolean> => {
    clearTimeout(timer);
    timer = undefined;
    running ??= (async () => {
      attempts += 1;
      const isBack = await attempt().catch(() => false);
      running = undefined;
      if (isBack) restartedAt = performance.now();
      else if (!isStopped) schedule();
      return isBack;
    })();
    return running;
  };

  function schedule(): void {
    clearTimeout(timer);
    if (attempts >= maxAttempts) return onExhausted();
    const maxDelay = attempts === 0 ? 0 : Math.min(maxBackoffMs, initialBackoffMs * 2 ** (attempts - 1));
    timer = setTimeout(() => void run(), random() * maxDelay);
    timer.unref();
  }

  return {
    get attempts() {
      return attempts;
    },
    start() {
      if (isStopped) return;
      if (restartedAt === undefined || performance.now() - restartedAt >= healthyMs) attempts = initialAttempts;
      restartedAt = undefined;
      schedule();
    },
    retryNow: () => (isStopped ? Promise.resolve(false) : (running ?? (timer ? run() : Promise.resolve(false)))),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
