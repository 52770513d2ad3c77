import type { RunCommand } from '../run/run-command.ts';

/** Programs that read commands in the shell language. */
export const shells: ReadonlySet<string> = new Set(
  'sh bash zsh dash ksh ash fish mksh rbash pdksh yash tcsh csh posh oksh loksh'.split(' '),
);

/** Programs whose lines Bash or a shell with the same syntax runs. */
const runsInBash: ReadonlySet<string> = new Set('bash rbash zsh ssh'.split(' '));

/** Builtins whose lines the current shell runs. */
export const runsInShell: ReadonlySet<string> = new Set(
  'eval trap source . alias mapfile readarray compgen complete bind'.split(' '),
);

/** Returns whether a smaller shell than Bash may run the lines of a command. `isForeign`: it runs the command itself. */
export function mayRunInOtherShell({ program, args }: RunCommand, isForeign: boolean): boolean {
  if (runsInShell.has(program)) return isForeign;
  if (runsInBash.has(program)) return false;
  // `docker exec app bash -c '…'`
  return shells.has(program) || !args.some(({ text }) => text === 'bash' || text.endsWith('/bash'));
}

/**
 * Matches text that smaller shells read in another way than Bash, which may run other commands: in `dash`, `((ls))` is a
 * subshell, `ls &>a rm b` is two commands, `[[` is a program, and braces are literal.
 */
export const differsInOtherShells: RegExp =
  /(?<!\$)\(\(|&>|\[\[(?=[\s()<>&|;\\]|$)|\$'|\|&|<<<|\{[^{},]*,[^{}]*\}|\{[^{}.]*\.\.[^{}]*\}/;

/** Programs that never open their arguments as files: they print, count, wait or set values. */
export const opensNothing: ReadonlySet<string> = new Set(
  (
    'echo printf ls test [ [[ stat basename dirname realpath true false : sleep kill wait exit return break continue export ' +
    'local declare typeset readonly unset set shift shopt alias unalias type which hash cd pushd popd dirs pwd date seq expr ' +
    'let read mapfile readarray getopts umask ulimit trap jobs fg bg disown whoami hostname uname id groups tty tput mkdir ' +
    'printenv nproc arch uptime ps pgrep pidof df cal yes lsblk blkid findmnt'
  ).split(' '),
);
