/**
 * Codes of the warnings a store reports in addition to its results.
 *
 * - `FILE_SET_ASIDE`: the file was damaged, so it was renamed and a new one was created.
 * - `LISTENER_FAILED`: a listener of `watch` threw.
 * - `WATCH_INTERRUPTED`: changes cannot be received at present; they are delivered later.
 */
export const storeWarningCodes = ['FILE_SET_ASIDE', 'LISTENER_FAILED', 'WATCH_INTERRUPTED'] as const;

/** One of {@link storeWarningCodes}. */
export type StoreWarningCode = (typeof storeWarningCodes)[number];

/** A problem that does not make a call fail, but that the operator should know. */
export interface StoreWarning {
  readonly code: StoreWarningCode;
  readonly message: string;
  /** The new path of a file that was set aside. */
  readonly movedTo?: string;
  readonly cause?: unknown;
}

/** Receives the warnings of a store. */
export type WarningListener = (warning: StoreWarning) => void;

/**
 * Creates a function that passes warnings to `listener`. Without a listener, or if the listener throws, they become
 * Node process warnings on standard error, so no warning is lost.
 */
export function createWarningEmitter(listener: WarningListener = warn): WarningListener {
  return (warning) => {
    try {
      listener(warning);
    } catch {
      warn(warning);
    }
  };
}

function warn({ code, message }: StoreWarning): void {
  process.emitWarning(message, { type: 'StoreWarning', code });
}
