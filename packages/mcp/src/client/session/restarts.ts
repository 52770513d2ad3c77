/** How a lost server is brought back. */
export interface RestartOptions {
  /** Tries once; true when the server is back. */
  readonly attempt: () => Promise<boolean>;
  /** Is told when nothing more is tried. */
  readonly onExhausted: () => void;
  readonly maxAttempts: number;
  /** Attempts that were initialAttempts before it begins; default 0, so that the first is initialAttempts at once. */
  readonly initialAttempts?: number;
  /** A number from 0 to 1. */
  readonly random: () => number;
}

/** The attempts to bring a server back. */
export interface Restarts {
  /** Attempts since the server was last well. */
  readonly attempts: number;
  /** Begins to try: at once the first time, then after ever longer pauses. */
  begin(): void;
  /** Ends the pause before the next attempt; true when the server is back. */
  retryNow(): Promise<boolean>;
  stop(): void;
}

const initialBackoffMs = 500;
const maxBackoffMs = 60_000;
/** A server that ran so long was well: what came before doesn't count. */
const healthyMs = 10_000;

/**
 * Makes a schedule of attempts with full jitter: each pause is a random part of a bound that doubles, so that many clients of
 * one server don't come back at the same moment. Source: Marc Brooker, "Exponential Backoff And Jitter", 2015.
 */
export function createRestarts(options: RestartOptions): Restarts {
  const { attempt, onExhausted, maxAttempts, random, initialAttempts = 0 } = options;
  let attempts = initialAttempts;
  let backAt: number | undefined;
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
      if (isBack) backAt = performance.now();
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
    begin() {
      if (isStopped) return;
      if (backAt === undefined || performance.now() - backAt >= healthyMs) attempts = initialAttempts;
      backAt = undefined;
      schedule();
    },
    retryNow: () => (isStopped ? Promise.resolve(false) : (running ?? (timer ? run() : Promise.resolve(false)))),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
