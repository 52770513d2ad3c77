import { dirname, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ReadSource } from '../../files/plugin-own-files.ts';
import type { StripAnswer, StripQuestion } from './stripper-program.ts';

/** JavaScript stripped from TypeScript, by file path. */
export type StrippedSources = Readonly<Record<string, string>>;

/**
 * Strips types from the sources of plugins, in a thread of this program. Loading Node's parser takes longer than
 * everything else that a plugin's process does, and without this thread each process would have to load it.
 */
export interface TypeStripper {
  /**
   * Strips a TypeScript file and the TypeScript files that it imports by path. Omits files that can't be read or parsed
   * in time: the plugin's process strips them itself and reports what is wrong. Never rejects.
   */
  strip(entry: string, read: ReadSource): Promise<StrippedSources>;
  close(): void;
}

/** Time after which an unused thread is ended, in milliseconds. It takes some 50 MB. */
const keptMs = 60_000;

/** Time limits, in milliseconds. */
export interface StripTimeouts {
  /** Limit for one text, once the thread has started. */
  readonly textMs: number;
  /** Limit for all files of a load, including the start of the thread. */
  readonly loadMs: number;
}

const defaultStripTimeouts: StripTimeouts = { textMs: 500, loadMs: 1_000 };
const maxFiles = 64;
const maxCharacters = 262_144;
/** Maximum characters of all files of a load together. Even if each takes six bytes, they fit into one message. */
const maxTotal = 2_000_000;

const isSource = import.meta.url.endsWith('.ts');
const program = new URL(isSource ? './stripper-program.ts' : './stripper-program.js', import.meta.url);
const typed = /\.m?ts$/;
/** Matches imported paths. Whitespace matches in only one way, so matching takes linear time. */
const importedPath = /\b(?:from|import)\s*(?:\(\s*)?(['"])(\.{1,2}\/[^'"\n]+\.m?ts)\1/g;

/** Creates a stripper. The first file starts its thread. */
export function createTypeStripper({ textMs, loadMs }: StripTimeouts = defaultStripTimeouts): TypeStripper {
  let thread: StripThread | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  /** Files that made the parser crash or take too long. */
  const spurned = new Set<string>();

  const end = (): void => {
    clearTimeout(idle);
    thread?.end();
    thread = undefined;
  };
  const stripText = async (file: string, text: string): Promise<string | undefined> => {
    if (thread?.isGone !== false) thread = startThread(textMs);
    clearTimeout(idle);
    idle = setTimeout(end, keptMs).unref();
    const answer = await thread.ask(text);
    if (answer === 'harmful') spurned.add(file);
    return typeof answer === 'object' ? answer.code : undefined;
  };
  const gather = async (entry: string, read: ReadSource, found: Map<string, string>): Promise<void> => {
    const seen = new Set([entry]);
    let left = maxTotal;
    for (const file of seen) {
      if (spurned.has(file)) continue;
      const text = await read(file).catch(() => undefined);
      if (text === undefined || text.length > Math.min(maxCharacters, left) || isClosed) continue;
      const code = await stripText(file, text.replace(/^\uFEFF/, ''));
      if (code === undefined) continue;
      left -= code.length;
      if (left < 0) return;
      found.set(file, code);
      for (const [, , path = ''] of code.matchAll(importedPath))
        if (seen.size < maxFiles) seen.add(resolve(dirname(file), path));
    }
  };

  return {
    async strip(entry, read) {
      if (!typed.test(entry) || isClosed) return {};
      const found = new Map<string, string>();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((done) => (timer = setTimeout(done, loadMs)));
      await Promise.race([gather(entry, read, found).catch(() => undefined), late]);
      clearTimeout(timer);
      return Object.fromEntries(found);
    },
    close() {
      isClosed = true;
      end();
    },
  };
}

/**
 * The result for one text: its code, `unfit` if it is not TypeScript, `harmful` if it ended the thread, and `unasked`
 * if an earlier text ended the thread first.
 */
type Stripped = { readonly code: string } | 'unfit' | 'harmful' | 'unasked';

interface StripThread {
  readonly isGone: boolean;
  ask(text: string): Promise<Stripped>;
  end(): void;
}

/** Starts a thread, which strips one text after the other. */
function startThread(textMs: number): StripThread {
  const open = new Map<number, (answer: Stripped) => void>();
  let count = 0;
  let isGone = false;
  const worker = new Worker(program, {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  });
  worker.unref();
  const fail = (): void => {
    isGone = true;
    // The thread was processing the oldest text.
    let answer: Stripped = 'harmful';
    for (const settle of open.values()) {
      settle(answer);
      answer = 'unasked';
    }
    open.clear();
    void worker.terminate();
  };
  const ready = new Promise<void>((started) => {
    worker.once('message', () => started());
    worker.once('exit', () => started());
  });
  worker.on('message', (message: StripAnswer | 'ready') => {
    if (message === 'ready') return;
    if (message.isSpent === true) return fail();
    open.get(message.id)?.(message.code === undefined ? 'unfit' : { code: message.code });
    open.delete(message.id);
  });
  worker.on('error', fail);
  worker.on('exit', fail);

  return {
    get isGone() {
      return isGone;
    },
    async ask(text) {
      await ready;
      if (isGone) return 'unasked';
      count += 1;
      const question: StripQuestion = { id: count, text };
      const answered = new Promise<Stripped>((resolve) => open.set(question.id, resolve));
      const timer = setTimeout(fail, textMs);
      worker.postMessage(question, []);
      return answered.finally(() => clearTimeout(timer));
    },
    end() {
      isGone = true;
      void worker.terminate();
    },
  };
}
