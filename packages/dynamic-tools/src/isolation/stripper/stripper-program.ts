// The program of a thread that strips types from TypeScript. It never runs the code that it receives.
import { stripTypeScriptTypes } from 'node:module';
import { parentPort } from 'node:worker_threads';

/** A text to strip. */
export interface StripQuestion {
  readonly id: number;
  readonly text: string;
}

/** The result. `code` is absent if the text is not TypeScript that can be stripped. */
export interface StripAnswer {
  readonly id: number;
  readonly code?: string;
  /** The parser crashed and may be in an invalid state. The thread must not be used again. */
  readonly isSpent?: true;
}

/** Codes of errors about the text, as opposed to errors of the parser. */
const verdicts: ReadonlySet<unknown> = new Set(['ERR_INVALID_TYPESCRIPT_SYNTAX', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX']);

// Ignores the warning that type stripping is experimental, which each thread prints once.
process.removeAllListeners('warning');
// Loads the parser now, because the first use takes longest.
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
