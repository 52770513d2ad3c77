import { ToolkitError } from '../toolkit-error.ts';

/** The lifetime of an object, from creation until everything it started has ended. */
export interface Life {
  /** Whether shutdown has begun. */
  readonly isOver: boolean;
  /** Starts the shutdown once. Every call returns the same promise. */
  end(): Promise<void>;
  /** Registers a callback that runs when the shutdown begins. */
  atEnd(run: () => void): void;
  /** Waits until the signal aborts or the shutdown begins. Resolves when the shutdown is complete. */
  last(signal?: AbortSignal): Promise<void>;
}

/** Creates a lifetime whose shutdown runs `finish`. */
export function createLife(finish: () => Promise<void>): Life {
  let ending: Promise<void> | undefined;
  const waiting: (() => void)[] = [];
  const end = (): Promise<void> => {
    if (ending) return ending;
    ending = Promise.resolve().then(finish);
    for (const run of waiting) run();
    return ending;
  };
  return {
    get isOver() {
      return ending !== undefined;
    },
    end,
    atEnd: (run) => void waiting.push(run),
    async last(signal) {
      if (signal !== undefined && typeof signal?.addEventListener !== 'function')
        throw new ToolkitError('BAD_PARAMETER', 'run: the argument must be an AbortSignal or undefined');
      if (ending === undefined && signal?.aborted !== true)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          signal?.addEventListener('abort', () => resolve(), { once: true });
        });
      await end();
    },
  };
}
