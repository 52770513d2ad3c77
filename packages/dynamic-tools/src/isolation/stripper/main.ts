// The program of a thread that takes the types out of TypeScript. It runs nothing of what it is given.
import { stripTypeScriptTypes } from 'node:module';
import { parentPort } from 'node:worker_threads';

/** A text on its way to the thread. */
export interface StripQuestion {
  readonly id: number;
  readonly text: string;
}

/** What became of it: no `code` where it is no TypeScript that can be stripped. */
export interface StripAnswer {
  readonly id: number;
  readonly code?: string;
  /** The parser crashed and may be in any state: this thread must not be used again. */
  readonly isSpent?: true;
}

/** What the parser says of texts, and not of itself. */
const verdicts: ReadonlySet<unknown> = new Set(['ERR_INVALID_TYPESCRIPT_SYNTAX', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX']);

// That types are stripped at all is called experimental, once a thread.
process.removeAllListeners('warning');
// What is used for the first time is loaded first, which takes longer than all that comes after it.
stripTypeScriptTypes('let isReady: true;');
parentPort?.on('message', ({ id, text }: StripQuestion) => parentPort?.postMessage(strip(id, text), []));
parentPort?.postMessage('ready', []);

function strip(id: number, text: string): StripAnswer {
  try {
    return { id, code: stripTypeScriptTypes(text) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return verdicts.has(code) ? { id } : { id, isSpent: true };
  }
}
