import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** The options of the command line. */
export interface FuzzRequest {
  /** Number of inputs to read, all processes together. */
  readonly count: number;
  readonly seed: string;
  readonly minutes: number;
  readonly jobs: number;
  readonly json: boolean;
  /** Folder for failures. */
  readonly out: string;
  /** File for the progress of the run. If it exists, the run continues from it. */
  readonly resume?: string;
}

export const usage: string = [
  'pnpm fuzz [text] [--count N] [--seed S] [--minutes M] [--jobs N] [--out FILE] [--resume FILE] [--json]',
  '',
  'Reads made-up texts with repairJson, createJsonStream and extractToolCalls, and reports those that break a law.',
  '',
  '  --count N    texts to read (1,000,000)',
  '  --seed S     where to begin; the same seed gives the same texts (today’s date)',
  '  --minutes M  end after so many minutes, however many texts were read',
  '  --jobs N     processes (as many as there are cores)',
  '  --out FILE   where failures are written, as short as they could be made (fuzz-failures.json)',
  '  --resume FILE  keep in this file how far it is; if it is there, go on with that run, its seed, count and jobs',
  '  --json       print one object, { done, full, seconds, traits, failures }, and nothing else',
  '',
].join('\n');

/**
 * Parses the command line of `pnpm fuzz`. Returns a text instead if it is wrong (the reason, in one line) or asks for
 * help (an empty text).
 */
export function readArguments(args: readonly string[], today: string): FuzzRequest | string {
  try {
    const { values } = parseArgs({
      args: args.filter((argument) => argument !== '--'),
      options: {
        count: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: today },
        minutes: { type: 'string', default: '100000' },
        jobs: { type: 'string', default: String(availableParallelism()) },
        out: { type: 'string', default: 'fuzz-failures.json' },
        resume: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return '';
    const number = (name: 'count' | 'minutes' | 'jobs'): number => {
      const value = Number(values[name].replaceAll(/[_,]/g, ''));
      if (!(value > 0))
        throw new TypeError(`--${name}: invalid (expected a number above 0, got ${JSON.stringify(values[name])})`);
      return value;
    };
    const [count, minutes, jobs] = [Math.ceil(number('count')), number('minutes'), Math.ceil(number('jobs'))];
    const { seed, json, out, resume } = values;
    return { count, minutes, jobs, seed, json, out, ...(resume === undefined ? {} : { resume }) };
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}
