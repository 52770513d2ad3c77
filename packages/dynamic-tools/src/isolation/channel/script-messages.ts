/** From the host to a script's process. */
export type ToScript =
  | {
      readonly t: 'script';
      readonly text: string;
      /** The tools that it may call by `tools.NAME`. */
      readonly names: readonly string[];
      /** Characters that it may print. */
      readonly maxPrinted: number;
    }
  | { readonly t: 'answer'; readonly id: number; readonly ok: true; readonly value?: unknown }
  | { readonly t: 'answer'; readonly id: number; readonly ok: false; readonly code: string; readonly message: string };

/** From a script's process to the host, which believes none of it: the script may send what it likes. */
export type FromScript =
  | { readonly t: 'invoke'; readonly id: number; readonly name: string; readonly args?: unknown }
  | { readonly t: 'print'; readonly text: string }
  /** It printed more than is taken. */
  | { readonly t: 'cut' }
  | { readonly t: 'done'; readonly ok: true; readonly value?: unknown }
  | {
      readonly t: 'done';
      readonly ok: false;
      readonly reason: 'syntax' | 'threw' | 'value';
      /** What was thrown, in one line. */
      readonly message: string;
      /** A line of the script, from 1. */
      readonly line?: number;
      /** The call that failed, where it was one. */
      readonly call?: number;
    };

/** What a script's file is called in its stack traces. */
export const scriptName = 'script';
