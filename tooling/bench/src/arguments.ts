import { parseArgs } from 'node:util';

/** The options of the command line. */
export type Request =
  | { readonly kind: 'help' }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'mistake'; readonly message: string }
  | {
      readonly kind: 'run';
      readonly name: string;
      readonly json: boolean;
      readonly write: boolean;
      readonly full: boolean;
      readonly rounds: number;
    };

const flag = { type: 'boolean', default: false } as const;
const rounds = { type: 'string', default: '9' } as const;
const options = { json: flag, write: flag, full: flag, rounds, redraw: flag, help: { ...flag, short: 'h' } } as const;
const knownOptions = Object.keys(options).map((name) => `--${name}`);

/** Parses the command line of `pnpm bench`. Returns a mistake as one line of text. */
export function readArguments(args: readonly string[], names: readonly string[]): Request {
  // pnpm passes on the `--` that separates its own options.
  const given = args.filter((argument) => argument !== '--');
  let parsed;
  try {
    parsed = parseArgs({ args: given, options, allowPositionals: true });
  } catch (error) {
    const [problem] = (error as Error).message.split('. ');
    return { kind: 'mistake', message: `${problem}; known are ${knownOptions.join(', ')}` };
  }
  const { help, redraw, rounds, ...flags } = parsed.values;
  if (help) return { kind: 'help' };
  if (redraw) return { kind: 'redraw' };
  if (!/^[1-9]\d{0,2}$/.test(rounds))
    return { kind: 'mistake', message: `--rounds: invalid (expected 1 to 999, got ${JSON.stringify(rounds)})` };
  const [name = '', ...others] = parsed.positionals;
  if (others.length > 0 || !names.includes(name))
    return {
      kind: 'mistake',
      message: `expected the name of one benchmark, got ${JSON.stringify(parsed.positionals.join(' '))}; known are ${names.join(', ')}`,
    };
  return { kind: 'run', name, rounds: Number(rounds), ...flags };
}
