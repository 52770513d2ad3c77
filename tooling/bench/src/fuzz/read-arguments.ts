import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface FuzzRequest {
  /** Inputs to read, all processes together. */
  readonly count: number;
  readonly seed: string;
  readonly minutes: number;
  readonly jobs: number;
  readonly json: boolean;
  /** Where failures are written, if there are any. */
  readonly out: string;
}

export const usage: string = [
  'pnpm fuzz [--count N] [--seed S] [--minutes M] [--jobs N] [--out FILE] [--json]',
  '',
  'Reads made-up texts with repairJson, createJsonStream and extractToolCalls, and reports those that break a law.',
  '',
  '  --count N    texts to read (1,000,000)',
  '  --seed S     where to begin; the same seed gives the same texts (today’s date)',
  '  --minutes M  end after so many minutes, however many texts were read',
  '  --jobs N     processes (as many as there are cores)',
  '  --out FILE   where failures are written, as short as they could be made (fuzz-failures.json)',
  '  --json       print one object, { done, seconds, traits, failures }, and nothing else',
  '',
].join('\n');

/** Reads the command line of `pnpm fuzz`. A mistake comes back as one line for the reader, `help` as an empty one. */
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
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return '';
    const number = (name: 'count' | 'minutes' | 'jobs'): number => {
      const value = Number(values[name].replaceAll(/[_,]/g, ''));
      if (!(value > 0)) throw new TypeError(`--${name} takes a number above 0, not ${JSON.stringify(values[name])}`);
      return value;
    };
    const [count, minutes, jobs] = [Math.ceil(number('count')), number('minutes'), Math.ceil(number('jobs'))];
    return { count, minutes, jobs, seed: values.seed, json: values.json, out: values.out };
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}
