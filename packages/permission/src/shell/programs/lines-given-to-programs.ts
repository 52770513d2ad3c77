import type { RunCommand } from '../run/run-command.ts';
import { gitCommandOf } from './git-command.ts';
import { compileOptions, findValues, type OptionTable } from './read-options.ts';
import type { RunWord } from '../run/run-word.ts';
import { isWrapper } from './wrappers.ts';

/** A word, and the segment of it that is run as a command line. */
export interface GivenLine {
  readonly word: RunWord;
  readonly text: string;
}

const tar =
  '-I= -F= --use-compress-program= --to-command= --info-script= --new-volume-script= --rsh-command= --rmt-command= --checkpoint-action=';
const terminal = '-e= -x= --command= --execute=';
const remote = '--upload-pack= --receive-pack= --exec=';

/** Options whose value is a command line, by program. The options of git are grouped by git command. */
const linesAfter: ReadonlyMap<string, OptionTable<'line'>> = compileTables({
  tar,
  bsdtar: tar,
  gtar: tar,
  rsync: '-e= --rsh= --rsync-path=',
  man: '-P= -H? --pager= --html=?',
  nc: '-e= -c=',
  netcat: '-e= -c=',
  ncat: '-e= -c= --exec= --sh-exec=',
  zip: '-TT= --unzip-command=',
  tcpdump: '-z= --postrotate-command=',
  nano: '-s= --speller=',
  just: '-c= --command=',
  restic: '--password-command=',
  wget: '-e= --execute= --use-askpass=',
  split: '--filter=',
  sort: '--compress-program=',
  scp: '-S= -D=',
  sftp: '-S= -D=',
  complete: '-C=',
  compgen: '-C=',
  mapfile: '-C=',
  readarray: '-C=',
  rg: '--pre=',
  ag: '--pager=',
  bat: '--pager=',
  npm: '-c= --call=',
  pnpm: '-c= --call=',
  fly: '-C= --command=',
  xterm: terminal,
  urxvt: terminal,
  konsole: terminal,
  'gnome-terminal': terminal,
  alacritty: terminal,
  kitty: terminal,
  lxterminal: terminal,
  foot: terminal,
  'git clone': `-u= ${remote}`,
  'git fetch': remote,
  'git pull': remote,
  'git push': remote,
  'git ls-remote': remote,
  'git fetch-pack': remote,
  'git send-pack': remote,
  'git archive': remote,
  'git rebase': '-x= --exec=',
  'git difftool': '-x= --extcmd=',
  'git grep': '-O? --open-files-in-pager=?',
  'git filter-branch':
    '--tree-filter= --index-filter= --msg-filter= --env-filter= --parent-filter= --commit-filter= --tag-name-filter= --setup=',
  'git send-email': '--sendmail-cmd= --smtp-server= --to-cmd= --cc-cmd= --header-cmd=',
  'git instaweb': '-d= --httpd=',
});

const ofWrappers: OptionTable<'line'> = compileOptions({
  line: '-c= -C= -a= -x= --command= --run= --exec= --call= --cmd= --wrap= --shell= --prepare= --setup= --cleanup= --conclude= --args=',
});

const editors = 'vi vim nvim view gvim ex vimdiff rvim'.split(' ');

/** Matches words in which a command line begins, by program. */
const linesIn: ReadonlyMap<string, RegExp> = new Map([
  ['socat', /^(?:EXEC|SYSTEM|SHELL):([^,]+)/i],
  ['bind', /^[^:]+:([^]+)$/],
  ['tmux', /#\(([^]+)\)/],
  ...['strace', 'dvips', 'smbclient', 'vifm', 'ftp', 'db2'].map((name) => [name, /^\+?[|!]([^]+)$/] as const),
  ['lf', /\$([^]+)$/],
  ['kak', /%sh.([^]+).$/],
  ['less', /^\+[^!]*!([^]+)$/],
  ['sqlite3', /^\.(?:shell|system)\s+([^]+)$/],
  ['git', /(?:^|=)ext::([^]+)$/],
  ...['ssh', 'scp', 'sftp', 'autossh', 'mosh'].map(
    (name) => [name, /^(?:-\w*o\s*)?(?:Proxy|Local|Remote|KnownHosts)Command[= ]\s*([^]+)$/i] as const,
  ),
  ...editors.map((name) => [name, /^[^!]*!([^]+)$/] as const),
]);

function compileTables(lists: Readonly<Record<string, string>>): ReadonlyMap<string, OptionTable<'line'>> {
  return new Map(Object.entries(lists).map(([program, line]) => [program, compileOptions({ line })]));
}

/**
 * Returns the command lines that a program takes in its own syntax, such as `tar -I`, `ssh -o ProxyCommand=…` or `vim
 * -c '!…'`.
 */
export function givenLines({ program, args }: RunCommand): readonly GivenLine[] {
  const inside = linesIn.get(program);
  const lines: GivenLine[] = [];
  for (const word of inside ? args : []) {
    const text = inside?.exec(word.text)?.[1];
    if (text !== undefined) lines.push({ word, text: text.replaceAll(/% /g, ' ') });
  }
  const git = program === 'git' ? gitCommandOf(args) : undefined;
  const after = git ? linesAfter.get(`git ${git.name}`) : linesAfter.get(program);
  if (after) lines.push(...findValues(git ? git.args : args, after).map((word) => ({ word, text: lineIn(word.text) })));
  if (isWrapper(program, args) && !git)
    lines.push(...findValues(args.slice(0, maxOptions), ofWrappers).map((word) => ({ word, text: lineIn(word.text) })));
  if (program === 'make' || program === 'gmake')
    for (const word of args) {
      const text = /^[\w.]+[:+?]?=([^-][^]*\s[^]*)$/.exec(word.text)?.[1];
      if (text !== undefined) lines.push({ word, text });
    }
  return lines;
}

// Maximum number of words that may be options of the wrapper itself. They precede the command.
const maxOptions = 16;

/**
 * Extracts the command line of an option value. `--checkpoint-action=exec=…` names its kind of action first; `-c=…` is
 * joined with an equals sign.
 */
function lineIn(text: string): string {
  return text.replace(/^(?:exec)?=/, '');
}
