/** Programs that run what their further words say, in words of their own. */
export const wrappers: ReadonlySet<string> = new Set(
  (
    'sudo doas gosu su-exec setpriv env nohup command exec builtin nice ionice chrt taskset time timeout stdbuf setsid xargs ' +
    'parallel watch busybox toybox chroot unshare nsenter flock script strace ltrace su runuser caffeinate find fd fdfind ssh ' +
    'systemd-run prlimit fakeroot firejail bwrap proot unbuffer xvfb-run dbus-run-session rlwrap entr npx bunx pnpx docker ' +
    'podman nerdctl kubectl lxc vagrant wsl coproc sem at batch jobs'
  ).split(' '),
);

/** Programs that read commands in the shell's language. */
export const shells: ReadonlySet<string> = new Set('sh bash zsh dash ksh ash fish mksh rbash pdksh yash'.split(' '));

/** Programs that read a language of their own, with the options by which the text itself is given. */
export const interpreters: ReadonlyMap<string, RegExp> = new Map([
  ...'python python2 python3 pypy pypy3'.split(' ').map((name) => [name, /^-[a-zA-Z]*c/] as const),
  ...'perl ruby lua luajit'.split(' ').map((name) => [name, /^-[a-zA-Z]*[eE]/] as const),
  ...'node nodejs bun deno osascript'
    .split(' ')
    .map((name) => [name, /^(?:-[a-z]*[ep][a-z]*|--eval|--print|eval)(?:=|$)/] as const),
  ['php', /^-[rBRE]/],
  ['pwsh', /^-(?:c|command|e|enc|encodedcommand)/i],
  ['powershell', /^-(?:c|command|e|enc|encodedcommand)/i],
  ['tclsh', /^$/],
  ['expect', /^-c/],
  ['gdb', /^(?:-ex|--eval-command|-iex)/],
  ['sqlite3', /^-cmd/],
  ['psql', /^(?:-c|--command)/],
]);

/** Programs whose words are never opened as files: they print, count, wait or set. */
export const opensNothing: ReadonlySet<string> = new Set(
  (
    'echo printf ls test [ [[ stat basename dirname realpath true false : sleep kill wait exit return break continue export ' +
    'local declare typeset readonly unset set shift shopt alias unalias type which hash cd pushd popd dirs pwd date seq expr ' +
    'let read mapfile readarray getopts umask ulimit trap jobs fg bg disown whoami hostname uname id groups tty tput mkdir ' +
    'printenv nproc arch uptime ps pgrep pidof df cal yes lsblk blkid findmnt'
  ).split(' '),
);

/** Programs whose program text can do more than filter lines, and what in it shows that. */
export const filters: ReadonlyMap<string, RegExp> = new Map([
  ...'awk gawk mawk nawk'.split(' ').map((name) => [name, /system|getline|[|>]|@|close|ENVIRON|printf?\s*</] as const),
  ['sed', /(?:^|[;{}\n\d$/,!])\s*[erRwW](?:\s|$)|[^\\][|/,#@:][gpiImM\d]*[ew]/],
  ['gsed', /(?:^|[;{}\n\d$/,!])\s*[erRwW](?:\s|$)|[^\\][|/,#@:][gpiImM\d]*[ew]/],
]);

/** Variables that change which program runs, or what programs do before anything else. */
export const changesPrograms: RegExp =
  /^(?:PATH|IFS|ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|CDPATH|GLOBIGNORE|LD_.*|DYLD_.*|NODE_OPTIONS|PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT)|PERL5(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_(?:SSH|SSH_COMMAND|EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG.*|EXEC_PATH|TEMPLATE_DIR|SEQUENCE_EDITOR|DIR|WORK_TREE)|EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|CVS_RSH|MAKEFLAGS|TAR_OPTIONS|SHELL)$/;
