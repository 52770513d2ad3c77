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

const defaultRounds = 9;

/** Parses the command line of `pnpm bench`. Returns a mistake as one line of text. */
export function readArguments(args: readonly string[], names: readonly string[]): Request {
  const known = `known are ${names.join(', ')}`;
  const positionals: string[] = [];
  let [json, write, full, rounds] = [false, false, false, defaultRounds];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    if (argument === '--') continue;
    if (argument === '--help' || argument === '-h') return { kind: 'help' };
    if (argument === '--redraw') return { kind: 'redraw' };
    if (argument === '--json') json = true;
    else if (argument === '--write') write = true;
    else if (argument === '--full') full = true;
    else if (argument === '--rounds' || argument.startsWith('--rounds=')) {
      const value = argument.includes('=') ? argument.slice(argument.indexOf('=') + 1) : (args[(index += 1)] ?? '');
      rounds = Number(value);
      if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1_000) {
        return {
          kind: 'mistake',
          message: `--rounds: invalid (expected a whole number from 1 to 1000, got ${JSON.stringify(value)})`,
        };
      }
    } else if (argument.startsWith('-')) {
      return {
        kind: 'mistake',
        message: `unknown option ${argument}; known are --json, --write, --full, --rounds, --redraw, --help`,
      };
    } else positionals.push(argument);
  }
  const [name, ...others] = positionals;
  if (name === undefined) return { kind: 'mistake', message: `name a benchmark; ${known}` };
  if (others.length > 0)
    return { kind: 'mistake', message: `one benchmark at a time, not ${positionals.join(' and ')}` };
  if (!names.includes(name)) return { kind: 'mistake', message: `unknown benchmark ${JSON.stringify(name)}; ${known}` };
  return { kind: 'run', name, json, write, full, rounds };
}
