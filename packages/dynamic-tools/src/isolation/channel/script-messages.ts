/** A message from the host to a script's process. */
export type ToScript =
  | {
      readonly t: 'script';
      readonly text: string;
      /** The tools that the script may call as `tools.NAME`. */
      readonly names: readonly string[];
      /** Maximum number of characters that the script may print. */
      readonly maxPrinted: number;
    }
  | { readonly t: 'answer'; readonly id: number; readonly ok: true; readonly value?: unknown }
  | { readonly t: 'answer'; readonly id: number; readonly ok: false; readonly code: string; readonly message: string };

/** A message from a script's process to the host. It is untrusted, because the script may send anything. */
export type FromScript =
  | { readonly t: 'invoke'; readonly id: number; readonly name: string; readonly args?: unknown }
  | { readonly t: 'print'; readonly text: string }
  /** The script printed more than the maximum. */
  | { readonly t: 'cut' }
  | { readonly t: 'done'; readonly ok: true; readonly value?: unknown }
  | {
      readonly t: 'done';
      readonly ok: false;
      readonly reason: 'syntax' | 'threw' | 'value';
      /** The thrown value, in one line. */
      readonly message: string;
      /** Line of the script, starting at 1. */
      readonly line?: number;
      /** The failed call, if the error came from one. */
      readonly call?: number;
    };

/** The file name of a script in its stack traces. */
export const scriptName = 'script';
