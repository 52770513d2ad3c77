import { ToolkitError } from '../toolkit-error.ts';

/** From when something is made until all that it started has ended. */
export interface Life {
  /** Whether its end has begun. */
  readonly isOver: boolean;
  /** Ends it, once; the same promise for everybody who asks. */
  end(): Promise<void>;
  /** Runs something when the end begins. */
  atEnd(run: () => void): void;
  /** Waits for the signal or the end, and resolves when everything has ended. */
  last(signal?: AbortSignal): Promise<void>;
}

/** Makes a life that ends by `finish`. */
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
        throw new ToolkitError('BAD_PARAMETER', 'run: expected an AbortSignal, or nothing');
      if (ending === undefined && signal?.aborted !== true)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          signal?.addEventListener('abort', () => resolve(), { once: true });
        });
      await end();
    },
  };
}
