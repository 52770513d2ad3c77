/**
 * What a store reports beside its answers.
 *
 * - `FILE_SET_ASIDE`: the file was damaged, so it was renamed and a new one was begun.
 * - `LISTENER_FAILED`: a listener of `watch` threw.
 * - `WATCH_INTERRUPTED`: changes can't be heard at present; they will be told once they can be.
 */
export const storeNoticeCodes = ['FILE_SET_ASIDE', 'LISTENER_FAILED', 'WATCH_INTERRUPTED'] as const;

/** One of {@link storeNoticeCodes}. */
export type StoreNoticeCode = (typeof storeNoticeCodes)[number];

/** Something that whoever runs the program should know and that fails no call. */
export interface StoreNotice {
  readonly code: StoreNoticeCode;
  readonly message: string;
  /** Where a file that was set aside is now. */
  readonly movedTo?: string;
  readonly cause?: unknown;
}

/** Takes notices. */
export type NoticeListener = (notice: StoreNotice) => void;

/**
 * Tells notices to whoever asked for them. Those that nobody asked for, and those whose listener throws, become warnings
 * of Node on standard error: nothing is reported to nobody.
 */
export function createNotifier(listener: NoticeListener = warn): NoticeListener {
  return (notice) => {
    try {
      listener(notice);
    } catch {
      warn(notice);
    }
  };
}

function warn({ code, message }: StoreNotice): void {
  process.emitWarning(message, { type: 'StoreWarning', code });
}
