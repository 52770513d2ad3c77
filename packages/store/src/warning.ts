/**
 * What a store reports beside its answers.
 *
 * - `FILE_SET_ASIDE`: the file was damaged, so it was renamed and a new one was begun.
 * - `LISTENER_FAILED`: a listener of `watch` threw.
 * - `WATCH_INTERRUPTED`: changes can't be heard at present; they will be told once they can be.
 */
export const storeWarningCodes = ['FILE_SET_ASIDE', 'LISTENER_FAILED', 'WATCH_INTERRUPTED'] as const;

/** One of {@link storeWarningCodes}. */
export type StoreWarningCode = (typeof storeWarningCodes)[number];

/** Something that whoever runs the program should know and that fails no call. */
export interface StoreWarning {
  readonly code: StoreWarningCode;
  readonly message: string;
  /** Where a file that was set aside is now. */
  readonly movedTo?: string;
  readonly cause?: unknown;
}

/** Takes warnings. */
export type WarningListener = (warning: StoreWarning) => void;

/**
 * Tells warnings to whoever asked for them. Those that nobody asked for, and those whose listener throws, become warnings
 * of Node on standard error: nothing is reported to nobody.
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
