import { dirname, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ReadSource } from '../../files/own-files.ts';
import type { StripAnswer, StripQuestion } from './main.ts';

/** JavaScript stripped from TypeScript, by file path. */
export type StrippedSources = Readonly<Record<string, string>>;

/**
 * Takes the types out of plugins' sources, in a thread of this program: what Node does that with takes longer to load than all
 * the rest of a plugin's process, and would be loaded by each of them.
 */
export interface TypeStripper {
  /**
   * JavaScript of a file and of what it imports by path, as far as that is TypeScript. What can't be read, parsed or had in time is
   * left out: the plugin's process strips it itself, and says what is wrong with it. Never rejects.
   */
  strip(entry: string, read: ReadSource): Promise<StrippedSources>;
  close(): void;
}

/** Milliseconds after which an unused thread is ended; it holds some 50 MB. */
const keptMs = 60_000;

/** How long is waited for the thread, in milliseconds. */
export interface StripTimeouts {
  /** For one text, once the thread is there. */
  readonly textMs: number;
  /** For all that goes into a load, its start included. */
  readonly loadMs: number;
}

const defaultStripTimeouts: StripTimeouts = { textMs: 500, loadMs: 1_000 };
const maxFiles = 64;
const maxCharacters = 262_144;
/** Of all files of a load together: a message of them, each character in six bytes at worst, is one that can be sent. */
const maxTotal = 2_000_000;

const isSource = import.meta.url.endsWith('.ts');
const program = new URL(isSource ? './main.ts' : './main.js', import.meta.url);
const typed = /\.m?ts$/;
/** Blanks are taken in one way alone, however many a text has of them. */
const importedPath = /\b(?:from|import)\s*(?:\(\s*)?(['"])(\.{1,2}\/[^'"\n]+\.m?ts)\1/g;

/** Makes a stripper; its thread is started by the first file that needs it. */
export function createTypeStripper({ textMs, loadMs }: StripTimeouts = defaultStripTimeouts): TypeStripper {
  let thread: StripThread | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  /** Files that the parser fell over, or took too long for. */
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

/** What came of one text: its code, `unfit` for what is no TypeScript, `harmful` for what ended the thread, `unasked` where another did. */
type Stripped = { readonly code: string } | 'unfit' | 'harmful' | 'unasked';

interface StripThread {
  readonly isGone: boolean;
  ask(text: string): Promise<Stripped>;
  end(): void;
}

/** Starts a thread, which takes one text after the other. */
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
    // It was at work on the oldest.
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
