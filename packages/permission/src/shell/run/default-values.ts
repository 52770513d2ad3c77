import { createCleanEnvironment } from '@haft/sandbox';
import type { Value } from './run-word.ts';

/** The environment in which a command line runs. */
export interface ShellEnvironment {
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
}

/** Returns a value that may be anything. */
export function openValue(name: string): Value {
  return { text: `$${name}`, isOpen: true };
}

/**
 * Returns the values that a shell provides regardless of the line: the positional parameters of a line without
 * arguments, and numbers.
 */
export function valuesByDefault(
  name: string,
  { cwd, home }: ShellEnvironment,
  hasArguments: boolean,
): readonly Value[] {
  const open = [openValue(name)];
  if (/^(?:[1-9]\d*|[@*])$/.test(name)) return hasArguments ? open : [{ text: '' }];
  // `$!` is empty if no process runs in the background.
  if (name === '!') return [{ text: '' }, { text: '0', isNumber: true }];
  if (/^[#?$]$/.test(name) || numbers.has(name)) return [{ text: '0', isNumber: true }];
  if (name === '0' && hasArguments) return open;
  if (name === '0' || name === 'BASH') return [{ text: 'bash' }];
  if (name === '_' || name === '-' || name === 'OLDPWD') return open;
  if (name === 'HOME') return home === undefined ? open : [{ text: home }];
  if (name === 'PWD') return cwd === undefined ? open : [{ text: cwd }];
  if (setByShell.test(name)) return open;
  return inheritedValues(name);
}

/**
 * Returns whether a variable that a line does not set can only come from the environment. Such a variable counts as
 * harmless where it is evaluated. `name` is an identifier.
 */
export function isInherited(name: string): boolean {
  return !numbers.has(name) && !ownNames.has(name) && !setByShell.test(name);
}

const ownNames: ReadonlySet<string> = new Set(['_', 'BASH', 'HOME', 'OLDPWD', 'PWD']);

function inheritedValues(name: string): readonly Value[] {
  const inherited: readonly Value[] = [{ text: `$${name}`, isOpen: true, isHarmless: true }];
  const own = process.env[name];
  // A command that this process starts can hardly have a variable that this process lacks. Other shells may.
  if (own === undefined) return usual.test(name) ? inherited : [...inherited, { text: '' }];
  const handedOn = createCleanEnvironment({ source: { [name]: own } })[name];
  return handedOn === undefined ? inherited : [{ text: handedOn, isHarmless: true }];
}

/** Variables that the shell sets to words of the line, or to its input. */
const setByShell =
  /^(?:REPLY|MAPFILE|OPTARG|DIRSTACK|FUNCNAME|COPROC|COMP_\w+|READLINE_\w+|BASH_(?!VERSI|SUBSHELL$|LINENO$)\w+)$/;

/** Variables that a shell commonly has, even if this process does not. */
const usual =
  /^(?:TMP|TEMP|TMPDIR|USER|LOGNAME|USERNAME|SHELL|LANG|LANGUAGE|TZ|TERM|HOSTNAME|HOSTTYPE|OSTYPE|MACHTYPE|LC_\w+|XDG_\w+|BASH\w*)$/;

const numbers: ReadonlySet<string> = new Set(
  (
    'RANDOM LINENO SECONDS UID EUID PPID BASHPID SRANDOM EPOCHSECONDS EPOCHREALTIME SHLVL COLUMNS LINES HISTCMD GROUPS ' +
    'OPTIND PIPESTATUS BASH_SUBSHELL BASH_LINENO'
  ).split(' '),
);
