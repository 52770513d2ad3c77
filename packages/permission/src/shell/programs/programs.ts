/** Programs that read commands in the shell language. */
export const shells: ReadonlySet<string> = new Set(
  'sh bash zsh dash ksh ash fish mksh rbash pdksh yash tcsh csh posh oksh loksh'.split(' '),
);

/** Programs that never open their arguments as files: they print, count, wait or set values. */
export const opensNothing: ReadonlySet<string> = new Set(
  (
    'echo printf ls test [ [[ stat basename dirname realpath true false : sleep kill wait exit return break continue export ' +
    'local declare typeset readonly unset set shift shopt alias unalias type which hash cd pushd popd dirs pwd date seq expr ' +
    'let read mapfile readarray getopts umask ulimit trap jobs fg bg disown whoami hostname uname id groups tty tput mkdir ' +
    'printenv nproc arch uptime ps pgrep pidof df cal yes lsblk blkid findmnt'
  ).split(' '),
);
