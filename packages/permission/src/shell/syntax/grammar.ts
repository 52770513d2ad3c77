import type { ShellConstruct } from './shell-word.ts';

/** The reserved words of Bash. */
export const reserved: ReadonlySet<string> = new Set(
  'if then elif else fi do done while until for case esac in select function time coproc { } ! [[ ]]'.split(' '),
);
/** Reserved words after which no command follows, by the construct that they begin. */
export const constructs: Readonly<Record<string, ShellConstruct>> = {
  for: 'for',
  select: 'select',
  case: 'case',
  '[[': '[[',
  function: 'function',
};
/** Constructs in which a body may follow after one word. */
export const bodyFollows: ReadonlySet<ShellConstruct> = new Set(['function', 'for', 'select']);
/** Reserved words that begin commands that may not run. */
export const begins: ReadonlySet<string> = new Set('if then elif else while until do {'.split(' '));
/** Reserved words that end such commands. */
export const ends: ReadonlySet<string> = new Set('then elif else do fi done }'.split(' '));
/** Operators between commands, longer ones first. */
export const operators: readonly string[] = ['&&', '||', ';;&', ';;', ';&', '|&', '&>>', '&>', ';', '&', '|', '\n'];
/** First characters of operators, redirections and their descriptors. */
export const operates: ReadonlySet<string> = new Set('<>&;|\n{0123456789');
/** The number or variable before a redirection. */
export const descriptors: RegExp = /(?:\d+|\{\w+\})(?=[<>])/y;
/** Operators of redirections, longer ones first. */
export const redirectors: readonly string[] = ['<<<', '<<-', '<<', '<>', '>>', '>|', '<&', '>&', '<', '>'];
/** A function whose body is not in brackets, from its brackets on. */
export const bareBody: RegExp = /^\(\s*\)\s*(?:[^{(\s]|\(\(|$)/;
const blanks = /(?:[ \t]|\\\n)*/y;
/** Matches line continuations inside an operator or after a dollar sign, which change how a line is read. */
export const joinsSigns: RegExp = /\$\\\n|[<>&|;()](?:\\\n)+[<>&|;()]|<<(?:\\\n)+-/;

/** Returns the index after the options of `time`. */
export function skipTimeOptions(text: string, from: number): number {
  return (
    from +
    /^(?:[ \t]+-p(?![^ \t\n;&|()<>]))?(?:[ \t]+--(?![^ \t\n;&|()<>]))?/.exec(text.slice(from, from + 40))![0].length
  );
}

/** Returns the index after blanks, which may continue after an escaped line break. */
export function skipBlanks(text: string, from: number): number {
  blanks.lastIndex = from;
  return from + blanks.exec(text)![0].length;
}
